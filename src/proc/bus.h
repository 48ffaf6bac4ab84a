// Messages between the workers of a server: an inbox per line of the scoreboard, which every
// process can write to. Sending never waits; what does not fit now is kept, up to a limit, and
// follows when there is room. Messages of one sender arrive in order; those to a worker that ends
// meanwhile are lost with it. Made by the supervisor, inherited by fork; loop thread; never parks.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "loop/loop.h"

namespace stampede::proc {

class Bus {
public:
    static Result<std::unique_ptr<Bus>> create(uint32_t lines);
    ~Bus();
    Bus(const Bus&) = delete;
    Bus& operator=(const Bus&) = delete;

    using Receiver = void (*)(void* argument, std::string_view message);
    // In a worker: what comes to its line from now on. What was sent to the line's last owner is
    // thrown away.
    Error open(loop::Loop& loop, uint32_t line, Receiver receiver, void* argument);
    void close();
    // Two parts of one message. False when too much is waiting for that line already.
    bool send(uint32_t line, std::string_view head, std::string_view body);

private:
    static constexpr size_t kPiece = 60 * 1024;  // of a message, in one packet
    static constexpr uint64_t kMostMessage = 64u << 20;
    static constexpr uint64_t kMostWaiting = 16u << 20;  // bytes for one line

    struct PieceHead {
        uint32_t sender;
        uint32_t reserved;
        uint64_t total;   // bytes of the message
        uint64_t offset;  // of this piece
    };
    struct Inbox {
        int read_fd = -1;
        int write_fd = -1;
    };
    struct Outbox : loop::Watch {
        Bus* bus = nullptr;
        std::deque<std::string> waiting;
        uint64_t bytes = 0;
        bool watched = false;
    };
    struct InboxWatch : loop::Watch {
        Bus* bus;
    };

    explicit Bus(uint32_t lines) : inboxes_(lines) {}
    bool post(Outbox& outbox, int fd, std::string_view packet);
    void flush(Outbox& outbox);
    void receive();
    void take(std::string_view packet);

    std::vector<Inbox> inboxes_;
    std::vector<std::unique_ptr<Outbox>> outboxes_;
    std::vector<std::string> partial_;  // by sender
    loop::Loop* loop_ = nullptr;
    uint32_t line_ = 0;
    InboxWatch watch_;
    Receiver receiver_ = nullptr;
    void* argument_ = nullptr;
};

}  // namespace stampede::proc
