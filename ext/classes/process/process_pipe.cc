// Swoole\Process: the pipe and the queue between parent and child.
#include <sys/socket.h>

#include <cerrno>

#include "classes/coroutine/coroutine.h"
#include "classes/process/pool.h"
#include "classes/process/process_object.h"
#include "classes/shm/waiting.h"
#include "classes/socket/socket.h"
#include "io/descriptor.h"
#include "io/group_wait.h"
#include "os/fd.h"
#include "os/message_queue.h"
#include "os/socket_io.h"
#include "zend/throw.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

ProcessObject* with_pipe(zval* value) {
    auto& self = zend::from_this<ProcessObject>(value);
    if (self.pipe() < 0) {
        zend::warning("no pipe, cannot be used: it was not asked for or is closed");
        return nullptr;
    }
    return &self;
}

// Until the pipe is readable or writable; false with errno.
bool wait_for_pipe(ProcessObject& self, os::PollFor what, Nanos deadline) {
    Runtime* runtime = Runtime::peek();
    if (runtime == nullptr || runtime->current() == nullptr) {
        int ready = os::poll_one(self.pipe(), what, deadline);
        if (ready == 0) {
            errno = ETIMEDOUT;
        }
        return ready > 0;
    }
    uint32_t interest = what == os::PollFor::kReading ? loop::kReadable : loop::kWritable;
    PoolWorker* inbox = what == os::PollFor::kReading ? self.inbox_of : nullptr;
    if (inbox != nullptr) {
        rest_inbox(*inbox);
    }
    io::Readiness readiness = io::wait_for_events(self.pipe(), interest, deadline);
    if (inbox != nullptr) {
        wake_inbox(*inbox);
    }
    errno = readiness.events != 0                               ? 0
            : readiness.error != 0                              ? readiness.error
            : readiness.reason == runtime::WakeReason::kTimeout ? ETIMEDOUT
                                                                : ECANCELED;
    return readiness.events != 0;
}

template <typename Try>
long transfer(ProcessObject& self, os::PollFor what, Try attempt) {
    Nanos deadline = io::deadline_in(self.timeout);
    for (;;) {
        long count = attempt();
        if (count >= 0 || (errno != EAGAIN && errno != ENOBUFS) || !self.blocking) {
            return count;
        }
        if (!wait_for_pipe(self, what, deadline)) {
            return -1;
        }
    }
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Process, write) {
    zend_string* data;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();
    if (ZSTR_LEN(data) == 0) {
        zend::warning("the data to send is empty");
        RETURN_FALSE;
    }
    ProcessObject* self = with_pipe(ZEND_THIS);
    if (self == nullptr) {
        RETURN_FALSE;
    }
    long count = transfer(*self, os::PollFor::kWriting, [&] {
        return os::send_with(self->pipe(), ZSTR_VAL(data), ZSTR_LEN(data), MSG_DONTWAIT);
    });
    if (count < 0) {
        zend::set_last_error(errno);
        zend::warning("write() to the pipe failed: %s", strerror(errno));
        RETURN_FALSE;
    }
    RETURN_LONG(count);
}

ZEND_METHOD(Swoole_Process, read) {
    zend_long size = 8192;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(size)
    ZEND_PARSE_PARAMETERS_END();
    ProcessObject* self = with_pipe(ZEND_THIS);
    if (self == nullptr) {
        RETURN_FALSE;
    }
    size = size < 1 ? 8192 : size > 65536 ? 65536 : size;
    zend_string* data = zend_string_alloc(static_cast<size_t>(size), false);
    long count = transfer(*self, os::PollFor::kReading, [&] {
        return os::receive_with(self->pipe(), ZSTR_VAL(data), ZSTR_LEN(data), MSG_DONTWAIT);
    });
    if (count < 0) {
        int error = errno;
        zend_string_release(data);
        zend::set_last_error(error);
        if (error != EAGAIN && error != ETIMEDOUT && error != ECANCELED) {
            zend::warning("read() of the pipe failed: %s", strerror(error));
        }
        RETURN_FALSE;
    }
    data = zend_string_truncate(data, static_cast<size_t>(count), false);
    ZSTR_VAL(data)[count] = '\0';
    RETURN_STR(data);
}

ZEND_METHOD(Swoole_Process, close) {
    zend_long which = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(which)
    ZEND_PARSE_PARAMETERS_END();
    ProcessObject* self = with_pipe(ZEND_THIS);
    if (self == nullptr) {
        RETURN_FALSE;
    }
    constexpr zend_long kMaster = 1, kWorker = 2, kRead = 3, kWrite = 4;
    if (which == kRead || which == kWrite) {
        RETURN_BOOL(!os::shutdown_socket(self->pipe(), which == kRead ? SHUT_RD : SHUT_WR));
    }
    for (int side = 0; side < 2; side++) {
        if (which == 0 || which == (side == 0 ? kMaster : kWorker)) {
            os::close_fd(self->pipes[side]);
            self->pipes[side] = -1;
        }
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Process, setTimeout) {
    double seconds;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_DOUBLE(seconds)
    ZEND_PARSE_PARAMETERS_END();
    ProcessObject* self = with_pipe(ZEND_THIS);
    if (self == nullptr) {
        RETURN_FALSE;
    }
    self->timeout = timeout_of(seconds);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Process, setBlocking) {
    bool blocking;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_BOOL(blocking)
    ZEND_PARSE_PARAMETERS_END();
    ProcessObject* self = with_pipe(ZEND_THIS);
    if (self == nullptr) {
        RETURN_FALSE;
    }
    self->blocking = blocking;
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Process, exportSocket) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<ProcessObject>(ZEND_THIS);
    if (Z_TYPE(self.socket) == IS_OBJECT) {
        RETURN_COPY(&self.socket);
    }
    if (with_pipe(ZEND_THIS) == nullptr) {
        RETURN_FALSE;
    }
    Result<os::SocketKind> kind = os::socket_kind(self.pipe());
    Result<int> fd = os::duplicate(self.pipe());
    if (!kind || !fd || !make_socket_object(*fd, *kind, &self.socket)) {
        zend::warning("the pipe cannot be exported: %s", strerror(errno));
        RETURN_FALSE;
    }
    RETURN_COPY(&self.socket);
}

// ---- the queue ---------------------------------------------------------------------------------

// A coroutine looks again and again while others run: a queue has no descriptor to wait for.
template <typename Try>
static Error until_had(const ProcessObject& self, Try attempt) {
    Runtime* runtime = Runtime::peek();
    bool may_block = runtime == nullptr || runtime->current() == nullptr;
    SharedWait wait(self.queue_waits ? -1 : 0);
    for (;;) {
        Error error =
            attempt(self.queue_waits && may_block ? os::Waiting::kBlock : os::Waiting::kLook);
        bool again = error.is_system(EAGAIN) || error.is_system(ENOMSG);
        if (!again || !wait.step([](Nanos) {})) {
            return error;
        }
    }
}

static ProcessObject* with_queue(zval* value) {
    auto& self = zend::from_this<ProcessObject>(value);
    if (self.queue < 0) {
        zend::warning("no queue: call useQueue() before start()");
        return nullptr;
    }
    return &self;
}

ZEND_METHOD(Swoole_Process, useQueue) {
    zend_long key = 0, mode = 2, capacity = -1;
    ZEND_PARSE_PARAMETERS_START(0, 3)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(key)
        Z_PARAM_LONG(mode)
        Z_PARAM_LONG(capacity)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<ProcessObject>(ZEND_THIS);
    if (key <= 0) {  // one of this script's own
        key = static_cast<int>(zend_hash_func(ZEND_STRL("stampede"))) ^ os::own_pid();
        key &= 0x7fffffff;
    }
    Result<int> queue = os::open_message_queue(static_cast<int>(key));
    if (!queue || (capacity > 0 && os::limit_queue(*queue, static_cast<size_t>(capacity)))) {
        zend::warning("the message queue cannot be opened: %s", strerror(errno));
        RETURN_FALSE;
    }
    constexpr zend_long kNoWait = 256, kShared = 2;
    self.queue = *queue;
    self.queue_waits = (mode & kNoWait) == 0;
    self.queue_type = (mode & ~kNoWait) == kShared ? 0 : static_cast<long>(key);
    ZVAL_LONG(OBJ_PROP_NUM(&self.std, kQueueIdSlot), *queue);
    ZVAL_LONG(OBJ_PROP_NUM(&self.std, kQueueKeySlot), key);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Process, statQueue) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    ProcessObject* self = with_queue(ZEND_THIS);
    if (self == nullptr) {
        RETURN_FALSE;
    }
    Result<os::QueueState> state = os::queue_state(self->queue);
    if (!state) {
        RETURN_FALSE;
    }
    array_init(return_value);
    add_assoc_long(return_value, "queue_num", static_cast<zend_long>(state->messages));
    add_assoc_long(return_value, "queue_bytes", static_cast<zend_long>(state->bytes));
}

ZEND_METHOD(Swoole_Process, freeQueue) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    ProcessObject* self = with_queue(ZEND_THIS);
    if (self == nullptr || os::remove_queue(self->queue)) {
        RETURN_FALSE;
    }
    self->queue = -1;
    RETURN_TRUE;
}

// The type of this object's messages: its process's own number, where queues are not shared.
static long message_type(const ProcessObject& self) {
    return self.queue_type == 0 ? 1 : Z_LVAL_P(OBJ_PROP_NUM(&self.std, kPidSlot));
}

ZEND_METHOD(Swoole_Process, push) {
    zend_string* data;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();
    ProcessObject* self = with_queue(ZEND_THIS);
    if (self == nullptr || ZSTR_LEN(data) == 0) {
        RETURN_FALSE;
    }
    if (ZSTR_LEN(data) >= 65536) {
        zend::warning("a message has at most 65535 bytes, this one has %zu", ZSTR_LEN(data));
        RETURN_FALSE;
    }
    RETURN_BOOL(!until_had(*self, [&](os::Waiting waiting) {
        return os::put_message(self->queue, message_type(*self), view_of(data), waiting);
    }));
}

ZEND_METHOD(Swoole_Process, pop) {
    zend_long size = 65536;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(size)
    ZEND_PARSE_PARAMETERS_END();
    ProcessObject* self = with_queue(ZEND_THIS);
    if (self == nullptr) {
        RETURN_FALSE;
    }
    size = size < 1 || size > 65536 ? 65536 : size;
    Error error = until_had(*self, [&](os::Waiting waiting) {
        Result<os::TakenMessage> taken =
            os::take_message(self->queue, self->queue_type == 0 ? 0 : message_type(*self),
                             static_cast<size_t>(size), waiting);
        if (taken) {
            RETVAL_STRINGL(taken->bytes.data(), taken->bytes.size());
        }
        return taken.error();
    });
    if (error) {
        RETURN_FALSE;
    }
}
