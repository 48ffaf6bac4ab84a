// Swoole\Process\Pool: how messages travel: as one datagram, in pieces that are put together again
// (the message bus), or over a connection with their length in front. PHP thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "os/fd.h"

namespace stampede::classes {

// A worker's side: what has come to its pipe. Never waits.
class PoolMessages {
public:
    // The next whole message; false when there is none now.
    bool receive(int fd, std::string& out);

private:
    bool take(std::string_view packet, std::string& out);
    void forget_the_dead();

    struct Partial {
        uint64_t received = 0;
        std::string text;
    };
    std::map<std::pair<pid_t, uint64_t>, Partial> partial_;  // by sender and its number
};

// The connection of a client that sends one message and gets at most one back; blocks the worker.
class PoolConnection {
public:
    explicit PoolConnection(int listener);  // takes the next client, if there still is one
    bool receive(std::string& out, size_t most);
    void respond(std::string_view data);

private:
    bool read_all(char* out, size_t size, Nanos deadline);
    bool write_all(const char* data, size_t size, Nanos deadline);

    os::Fd fd_;
};

}  // namespace stampede::classes
