#include "server/datagram_ports.h"

namespace stampede::server {

DatagramPorts::DatagramPorts(loop::Loop& loop, StreamHandler* handler)
    : loop_(loop), handler_(handler) {
    again_.owner = this;
    again_.on_fire = [](loop::Timer& timer) { static_cast<Again&>(timer).owner->watch_all(); };
}

DatagramPorts::~DatagramPorts() { stop(); }

Error DatagramPorts::add(int fd, uint32_t port_index, bool shared) {
    if (reader_ == nullptr) {
        reader_ = std::make_unique<os::DatagramReader>();
    }
    auto port = std::make_unique<Port>();
    port->fd = fd;
    port->interest = loop::kReadable | (shared ? loop::kExclusive : 0);
    port->owner = this;
    port->index = port_index;
    port->on_ready = [](loop::Watch& watch, uint32_t) {
        auto& ready = static_cast<Port&>(watch);
        ready.owner->read(ready);
    };
    Error error = loop_.watch(*port);
    port->watched = !error;
    ports_.push_back(std::move(port));
    return error;
}

void DatagramPorts::read(Port& port) {
    for (int round = 0; round < kRounds; round++) {
        if (!handler_->takes_datagrams()) {
            rest(port);
            return;
        }
        int count = reader_->receive(port.fd);
        for (int i = 0; i < count; i++) {
            handler_->datagram(port.index, reader_->bytes(i), reader_->peer(i));
        }
        if (count < os::DatagramReader::kMost) {
            return;
        }
    }
}

// The kernel keeps what comes meanwhile, and drops what its buffer does not hold.
void DatagramPorts::rest(Port& port) {
    loop_.unwatch(port);
    port.watched = false;
    loop_.arm(again_, kMillisecond);
}

void DatagramPorts::watch_all() {
    for (auto& port : ports_) {
        if (!port->watched) {
            port->watched = !loop_.watch(*port);
        }
    }
}

void DatagramPorts::stop() {
    loop_.disarm(again_);
    for (auto& port : ports_) {
        if (port->watched) {
            loop_.unwatch(*port);
        }
    }
    ports_.clear();
}

}  // namespace stampede::server
