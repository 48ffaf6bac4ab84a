#include "net/hub.h"

#include "net/connection.h"

namespace stampede::net {

Hub::Hub(loop::Loop& loop) : loop_(loop), read_buffer_(new char[kReadSize + kPadding]()) {
    spare_.reserve(kSpareBuffers);
    hook_.hub = this;
    hook_.run = [](loop::TurnHook& hook) { static_cast<Hook&>(hook).hub->end_turn(); };
    loop_.add_end_of_turn(hook_);
}

Hub::~Hub() {
    end_turn();
    hook_.unlink();
}

void Hub::lend(Buffer& buffer) {
    if (!spare_.empty()) {
        buffer.swap(spare_.back());
        spare_.pop_back();
    }
}

void Hub::take_back(Buffer& buffer) {
    if (buffer.capacity() == 0) {
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

void Hub::end_turn() {
    while (Connection* connection = dirty_.pop_front()) {
        connection->flush();
    }
    while (Connection* connection = closed_.pop_front()) {
        delete connection;
    }
}

}  // namespace stampede::net
