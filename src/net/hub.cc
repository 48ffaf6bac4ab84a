#include "net/hub.h"

#include "net/connection.h"

namespace stampede::net {

Hub::Hub(loop::Loop& loop) : loop_(loop), read_buffer_(new char[kReadSize + kPadding]()) {
    spare_.reserve(kSpareBuffers);
    spare_large_.reserve(kSpareLarge);
    flush_hook_.hub = hook_.hub = this;
    flush_hook_.run = [](loop::IterationHook& hook) {
        static_cast<Hook&>(hook).hub->flush_dirty();
    };
    flush_hook_.needed = [](loop::IterationHook& hook) {
        return !static_cast<Hook&>(hook).hub->dirty_.empty();
    };
    hook_.run = [](loop::IterationHook& hook) { static_cast<Hook&>(hook).hub->end_iteration(); };
    hook_.needed = [](loop::IterationHook& hook) {
        Hub& hub = *static_cast<Hook&>(hook).hub;
        return !hub.unwatched_.empty() || !hub.closed_.empty();
    };
    loop_.add_end_of_group(flush_hook_);
    loop_.add_end_of_iteration(hook_);
}

Hub::~Hub() {
    end_iteration();
    flush_hook_.unlink();
    hook_.unlink();
}

void Hub::lend(Buffer& buffer) {
    if (!spare_.empty()) {
        buffer.swap(spare_.back());
        spare_.pop_back();
    }
}

void Hub::enlarge(Buffer& buffer) {
    Buffer large;
    if (!spare_large_.empty()) {
        large.swap(spare_large_.back());
        spare_large_.pop_back();
    } else {
        (void)large.reserve(kLargeCapacity);
    }
    large.append(buffer.view());
    buffer.swap(large);
    take_back(large);
}

void Hub::take_back(Buffer& buffer) {
    if (buffer.capacity() == 0) {
        return;
    }
    bool large = buffer.capacity() > kSpareCapacity && buffer.capacity() <= kLargeCapacity;
    if (large && spare_large_.size() < kSpareLarge) {
        buffer.clear();
        spare_large_.emplace_back();
        spare_large_.back().swap(buffer);
        return;
    }
    if (spare_.size() < kSpareBuffers && buffer.capacity() <= kSpareCapacity) {
        buffer.clear();
        spare_.emplace_back();
        spare_.back().swap(buffer);
    } else {
        buffer.release();
    }
}

void Hub::mark_dirty(Connection& connection) {
    if (!connection.DirtyNode::linked() && !connection.closed()) {
        dirty_.push_back(connection);
    }
}

void Hub::bury(Connection& connection) { closed_.push_back(connection); }

void Hub::note_unwatched(Connection& connection) { unwatched_.push_back(connection); }

void Hub::flush_dirty() {
    while (Connection* connection = dirty_.pop_front()) {
        connection->flush();
    }
}

void Hub::end_iteration() {
    flush_dirty();
    while (Connection* connection = unwatched_.pop_front()) {
        connection->register_with_loop();
    }
    while (Connection* connection = closed_.pop_front()) {
        delete connection;
    }
}

}  // namespace stampede::net
