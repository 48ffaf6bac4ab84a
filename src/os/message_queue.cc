#include "os/message_queue.h"

#include <sys/ipc.h>
#include <sys/msg.h>

#include <cstddef>
#include <cstring>
#include <memory>

namespace stampede::os {

namespace {

Error error_unless(bool done) { return done ? Error() : Error::last_errno(); }

struct Message {
    long type;
    char data[1];
};

std::unique_ptr<char[]> message_buffer(size_t size) {
    return std::make_unique<char[]>(offsetof(Message, data) + size + 1);
}

}  // namespace

Result<int> open_message_queue(int key) {
    int queue = ::msgget(key, IPC_CREAT | 0666);
    if (queue < 0) {
        return Error::last_errno();
    }
    return queue;
}

Result<QueueState> queue_state(int queue) {
    msqid_ds state;
    if (::msgctl(queue, IPC_STAT, &state) != 0) {
        return Error::last_errno();
    }
    return QueueState{state.msg_qnum, state.__msg_cbytes};
}

Error limit_queue(int queue, size_t bytes) {
    msqid_ds state;
    if (::msgctl(queue, IPC_STAT, &state) != 0) {
        return Error::last_errno();
    }
    state.msg_qbytes = bytes;
    return error_unless(::msgctl(queue, IPC_SET, &state) == 0);
}

Error remove_queue(int queue) { return error_unless(::msgctl(queue, IPC_RMID, nullptr) == 0); }

Error put_message(int queue, long type, std::string_view data, Waiting waiting) {
    auto buffer = message_buffer(data.size());
    auto* message = reinterpret_cast<Message*>(buffer.get());
    message->type = type;
    std::memcpy(message->data, data.data(), data.size());
    int flags = waiting == Waiting::kLook ? IPC_NOWAIT : 0;
    return error_unless(::msgsnd(queue, message, data.size(), flags) == 0);
}

Result<size_t> take_message(int queue, long type, std::span<char> out, Waiting waiting) {
    auto buffer = message_buffer(out.size());
    auto* message = reinterpret_cast<Message*>(buffer.get());
    int flags = MSG_NOERROR | (waiting == Waiting::kLook ? IPC_NOWAIT : 0);
    ssize_t size = ::msgrcv(queue, message, out.size(), type, flags);
    if (size < 0) {
        return Error::last_errno();
    }
    std::memcpy(out.data(), message->data, static_cast<size_t>(size));
    return static_cast<size_t>(size);
}

}  // namespace stampede::os
