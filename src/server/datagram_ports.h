// The datagram sockets of a worker, which it shares with the other workers: the first worker that
// wakes up reads. Owned by the service; loop thread; never parks.
#pragma once

#include <memory>
#include <vector>

#include "loop/loop.h"
#include "os/datagrams.h"
#include "server/stream.h"

namespace stampede::server {

class DatagramPorts {
public:
    // handler: null where no port will be added.
    DatagramPorts(loop::Loop& loop, StreamHandler* handler);
    ~DatagramPorts();
    DatagramPorts(const DatagramPorts&) = delete;
    DatagramPorts& operator=(const DatagramPorts&) = delete;

    // The descriptor stays the caller's. shared: other processes watch it too.
    Error add(int fd, uint32_t port_index, bool shared);
    // What has come is left to the other workers.
    void stop();

private:
    struct Port : loop::Watch {
        DatagramPorts* owner;
        uint32_t index;
        bool watched;
    };
    struct Again : loop::Timer {
        DatagramPorts* owner;
    };

    void read(Port& port);
    void rest(Port& port);
    void watch_all();

    static constexpr int kRounds = 4;  // of one event, then others are served

    loop::Loop& loop_;
    StreamHandler* handler_;
    std::unique_ptr<os::DatagramReader> reader_;  // with the first port
    std::vector<std::unique_ptr<Port>> ports_;
    Again again_;
};

}  // namespace stampede::server
