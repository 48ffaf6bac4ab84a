// Swoole\Event's descriptors and calls. Firing only queues; the ready phase starts callbacks in
// coroutines. PHP thread.
#pragma once

#include "loop/loop.h"
#include "base/buffer.h"
#include "base/list.h"
#include "zend/call.h"

namespace stampede::classes {

// A watched descriptor: owned by the table of Event until it is deleted and its callbacks are not
// being started.
struct EventWatch : loop::Watch, ListNode {
    struct Call : loop::Task {
        EventWatch* owner;
    };
    Call readable;
    Call writable;
    zend::Callable on_read;
    zend::Callable on_write;
    uint32_t user_interest = 0;
    zval handle;     // what the script gave, handed to its callbacks
    Buffer pending;  // of Event::write()
    int starting = 0;
    bool removed = false;
};

// The descriptor of a stream, a Socket, an object with a property fd, or a number; -1 after a
// warning.
int descriptor_of(zval* value);

// After a loop has ended: when Event::exit() ended it, what it was to wait for is dropped.
void drop_events_after_exit();
// Timers, in timer.cc.
void clear_timers();

}  // namespace stampede::classes
