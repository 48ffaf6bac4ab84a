#include "classes/process/pool_messages.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "classes/process/pool.h"
#include "io/descriptor.h"
#include "io/group_wait.h"
#include "os/log.h"
#include "os/process.h"
#include "os/socket_io.h"
#include "runtime/runtime.h"

namespace stampede::classes {

namespace {

constexpr size_t kPiece = 60 * 1024;
constexpr uint32_t kMark = 0x53744d62;
constexpr Nanos kPatience = 10 * kSecond;    // with a peer that does not go on
constexpr Nanos kLastPatience = kSecond;     // the same, of a worker that is to end
constexpr Nanos kLook = 100 * kMillisecond;  // how often a sender looks whether it is to end

// In front of each piece on the message bus.
struct PieceHead {
    uint32_t mark;
    pid_t sender;
    uint64_t number;  // of the message, counted by the sender
    uint64_t total;   // bytes of the message
    uint64_t offset;  // of this piece
};

Error wait_for_room(int fd, Nanos deadline) {
    runtime::Runtime* runtime = runtime::Runtime::peek();
    if (runtime == nullptr || runtime->current() == nullptr) {
        int ready = os::poll_one(fd, os::PollFor::kWriting, deadline);
        return ready > 0 ? Error() : Error::system(ready == 0 ? ETIMEDOUT : errno);
    }
    io::Readiness readiness = io::wait_for_events(fd, loop::kWritable, deadline);
    if (readiness.events != 0) {
        return Error();
    }
    return Error::system(readiness.error != 0                                ? readiness.error
                         : readiness.reason == runtime::WakeReason::kTimeout ? ETIMEDOUT
                                                                             : ECANCELED);
}

Error send_packet(const Pool& pool, int fd, std::string_view packet) {
    Nanos began = monotonic_now();
    for (;;) {
        if (os::send_with(fd, packet.data(), packet.size(), MSG_DONTWAIT) >= 0) {
            return Error();
        }
        if (errno != EAGAIN && errno != ENOBUFS) {
            return Error::last_errno();
        }
        bool ending = Z_TYPE_P(pool.property(kPoolWorkerRunningSlot)) == IS_FALSE;
        Nanos now = monotonic_now();
        if (now - began >= (ending ? kLastPatience : kPatience)) {
            return Error::system(ETIMEDOUT);
        }
        Error error = wait_for_room(fd, now + kLook);
        if (error && !error.is_system(ETIMEDOUT)) {
            return error;
        }
    }
}

}  // namespace

Error send_to_pool_worker(Pool& pool, uint32_t id, std::string_view message) {
    int fd = pool.pipes[id].master.get();
    if (!pool.message_bus) {
        return send_packet(pool, fd, message);
    }
    PieceHead head{kMark, os::own_pid(), pool.sent++, message.size(), 0};
    std::string packet;
    do {
        std::string_view piece = message.substr(head.offset, kPiece);
        packet.assign(reinterpret_cast<const char*>(&head), sizeof(head));
        packet.append(piece);
        if (Error error = send_packet(pool, fd, packet)) {
            return error;
        }
        head.offset += piece.size();
    } while (head.offset < message.size());
    return Error();
}

bool PoolMessages::receive(int fd, std::string& out) {
    for (;;) {
        char first;
        long size = os::receive_with(fd, &first, 1, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
        if (size < 0) {
            return false;
        }
        std::string packet(static_cast<size_t>(size), '\0');
        long count = os::receive_with(fd, packet.data(), packet.size(), MSG_DONTWAIT);
        if (count < 0) {
            return false;
        }
        packet.resize(static_cast<size_t>(count));
        if (take(packet, out)) {
            return true;
        }
    }
}

// True when the message is whole.
bool PoolMessages::take(std::string_view packet, std::string& out) {
    PieceHead head;
    if (packet.size() < sizeof(head)) {
        out.assign(packet);
        return true;
    }
    memcpy(&head, packet.data(), sizeof(head));
    if (head.mark != kMark) {
        out.assign(packet);
        return true;
    }
    packet.remove_prefix(sizeof(head));
    if (head.offset == 0 && packet.size() == head.total) {
        out.assign(packet);
        return true;
    }
    auto key = std::pair(head.sender, head.number);
    if (head.offset == 0) {
        forget_the_dead();
        partial_[key].text.reserve(head.total);
    }
    auto found = partial_.find(key);
    if (found == partial_.end() || found->second.text.size() != head.offset) {
        return false;  // its beginning went to the worker that this one has replaced
    }
    found->second.text.append(packet);
    if (found->second.text.size() < head.total) {
        return false;
    }
    out = std::move(found->second.text);
    partial_.erase(found);
    return true;
}

void PoolMessages::forget_the_dead() {
    std::erase_if(partial_, [](auto& entry) { return !os::send_signal(entry.first.first, 0); });
}

PoolConnection::PoolConnection(int listener) {
    os::Address peer;
    if (Result<int> fd = os::accept_stream(listener, peer)) {
        fd_ = os::Fd(*fd);
    }
}

bool PoolConnection::read_all(char* out, size_t size, Nanos deadline) {
    while (size > 0) {
        long count = os::receive(fd_.get(), out, size);
        if (count > 0) {
            out += count;
            size -= static_cast<size_t>(count);
        } else if (count == 0 || errno != EAGAIN ||
                   os::poll_one(fd_.get(), os::PollFor::kReading, deadline) <= 0) {
            return false;
        }
    }
    return true;
}

bool PoolConnection::write_all(const char* data, size_t size, Nanos deadline) {
    while (size > 0) {
        long count = os::send_with(fd_.get(), data, size, MSG_DONTWAIT);
        if (count > 0) {
            data += count;
            size -= static_cast<size_t>(count);
        } else if (errno != EAGAIN ||
                   os::poll_one(fd_.get(), os::PollFor::kWriting, deadline) <= 0) {
            return false;
        }
    }
    return true;
}

bool PoolConnection::receive(std::string& out, size_t most) {
    Nanos deadline = monotonic_now() + kPatience;
    uint32_t size = 0;
    if (!fd_ || !read_all(reinterpret_cast<char*>(&size), sizeof(size), deadline)) {
        return false;
    }
    size = ntohl(size);
    if (size > most) {
        os::Log::get().write(
            os::LogLevel::kWarning,
            "a message of %u bytes to the pool is refused: max_package_size is %zu", size, most);
        return false;
    }
    out.resize(size);
    return read_all(out.data(), size, deadline);
}

void PoolConnection::respond(std::string_view data) {
    Nanos deadline = monotonic_now() + kPatience;
    uint32_t size = htonl(static_cast<uint32_t>(data.size()));
    if (write_all(reinterpret_cast<const char*>(&size), sizeof(size), deadline)) {
        write_all(data.data(), data.size(), deadline);
    }
}

}  // namespace stampede::classes
