// Several datagrams of one socket with one system call. Owned by the reader of the
// socket; any thread, never waits.
#pragma once

#include <memory>
#include <string_view>

#include "os/socket.h"

namespace stampede::os {

class DatagramReader {
public:
    DatagramReader();
    ~DatagramReader();
    DatagramReader(const DatagramReader&) = delete;
    DatagramReader& operator=(const DatagramReader&) = delete;

    // How many have come, at most kMost; -1 with errno. They stay until the next call.
    int receive(int fd);
    std::string_view bytes(int index) const;
    const Address& peer(int index) const;

    static constexpr int kMost = 16;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace stampede::os
