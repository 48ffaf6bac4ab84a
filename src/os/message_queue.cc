#include "os/message_queue.h"

#include <pwd.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>

namespace stampede::os {

namespace {

Error error_unless(bool done) { return done ? Error() : Error::last_errno(); }

struct Message {
    long type;
    char data[1];
};

// As malloc() gives it: to fill 64 KiB with zeros is most of what a short message would cost.
std::unique_ptr<char[]> message_buffer(size_t size) {
    return std::make_unique_for_overwrite<char[]>(offsetof(Message, data) + size + 1);
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

namespace {

Result<TakenMessage> receive(int queue, long type, size_t most, int flags) {
    static thread_local std::unique_ptr<char[]> buffer;
    static thread_local size_t room;
    if (room < most || buffer == nullptr) {
        buffer = message_buffer(most);
        room = most;
    }
    auto* message = reinterpret_cast<Message*>(buffer.get());
    ssize_t size = ::msgrcv(queue, message, most, type, flags | MSG_NOERROR);
    if (size < 0) {
        return Error::last_errno();
    }
    return TakenMessage{message->type, {message->data, static_cast<size_t>(size)}};
}

}  // namespace

Result<TakenMessage> take_message(int queue, long type, size_t most, Waiting waiting) {
    return receive(queue, type, most, waiting == Waiting::kLook ? IPC_NOWAIT : 0);
}

Result<TakenMessage> copy_message(int queue, size_t position, size_t most) {
    return receive(queue, static_cast<long>(position), most, MSG_COPY | IPC_NOWAIT);
}

std::string open_own_queue(int key, const std::string& user, int& queue) {
    char name[32];
    std::snprintf(name, sizeof(name), "0x%x", static_cast<unsigned>(key));
    std::string about = std::string("the message queue ") + name + " ";
    const passwd* account = user.empty() ? nullptr : ::getpwnam(user.c_str());
    if (!user.empty() && account == nullptr) {
        return "the user \"" + user + "\" does not exist; correct the setting user";
    }
    uid_t owner = account != nullptr ? account->pw_uid : ::geteuid();
    constexpr mode_t kOwnerAlone = 0600;
    queue = ::msgget(key, IPC_CREAT | static_cast<int>(kOwnerAlone));
    msqid_ds state;
    if (queue < 0 || ::msgctl(queue, IPC_STAT, &state) != 0) {
        return errno == EACCES ? about + "belongs to another user"
                               : about + "cannot be opened: " + std::strerror(errno);
    }
    // Its maker can always change whose it is, and have it changed back later.
    bool is_ours = state.msg_perm.cuid == ::geteuid() || state.msg_perm.cuid == owner ||
                   state.msg_perm.cuid == 0;
    if (!is_ours || (state.msg_perm.uid != owner && state.msg_perm.uid != ::geteuid())) {
        return about + "belongs to another user";
    }
    if ((state.msg_perm.mode & 0077) != 0) {
        return about + "can be used by other users, too: choose another key, or remove it (ipcrm)";
    }
    if (state.msg_perm.uid != owner) {
        state.msg_perm.uid = owner;
        if (::msgctl(queue, IPC_SET, &state) != 0) {
            return about + "cannot be given to the user \"" + user + "\": " + std::strerror(errno);
        }
    }
    return {};
}

Result<uid_t> owner_of_queue(int queue) {
    msqid_ds state;
    if (::msgctl(queue, IPC_STAT, &state) != 0) {
        return Error::last_errno();
    }
    return state.msg_perm.uid;
}

}  // namespace stampede::os
