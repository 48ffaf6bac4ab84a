// A service on a real loop whose connections live in memory: tests and fuzzers feed bytes and look
// at what comes out.
#pragma once

#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "loop/loop.h"
#include "server/service.h"

namespace stampede::testing {

// The peer's side is two strings. Bytes are taken in the portions the test wants.
class MemoryTransport final : public net::Transport {
public:
    struct Peer {
        std::string to_server;
        std::string from_server;
        size_t read_most = SIZE_MAX;   // bytes a read gives at most
        size_t write_room = SIZE_MAX;  // bytes that can be written before it blocks
        bool ended = false;            // the peer sends no more
        bool reset = false;            // every call fails
        bool got_end = false;          // the server shut its side down
    };
    explicit MemoryTransport(std::shared_ptr<Peer> peer) : peer_(std::move(peer)) {}

    long read(char* out, size_t capacity) override {
        if (peer_->reset) {
            errno = ECONNRESET;
            return -1;
        }
        size_t count = std::min({capacity, peer_->to_server.size(), peer_->read_most});
        if (count == 0) {
            errno = EAGAIN;
            return peer_->ended && peer_->to_server.empty() ? 0 : -1;
        }
        std::memcpy(out, peer_->to_server.data(), count);
        peer_->to_server.erase(0, count);
        return static_cast<long>(count);
    }

    long write(const iovec* parts, int count) override {
        if (peer_->reset) {
            errno = EPIPE;
            return -1;
        }
        long sent = 0;
        for (int i = 0; i < count; i++) {
            size_t step = std::min(parts[i].iov_len, peer_->write_room);
            peer_->from_server.append(static_cast<const char*>(parts[i].iov_base), step);
            peer_->write_room -= peer_->write_room == SIZE_MAX ? 0 : step;
            sent += static_cast<long>(step);
            if (step < parts[i].iov_len) {
                break;
            }
        }
        if (sent == 0) {
            errno = EAGAIN;
            return -1;
        }
        return sent;
    }

    long send_file(int file, off_t& offset, size_t count) override {
        std::string bytes(count, '\0');
        long got = ::pread(file, bytes.data(), count, offset);
        if (got <= 0) {
            return got;
        }
        offset += got;
        peer_->from_server.append(bytes.data(), static_cast<size_t>(got));
        return got;
    }

    void shutdown_write() override { peer_->got_end = true; }

private:
    std::shared_ptr<Peer> peer_;
};

struct CountingHost final : server::Host {
    int exhaustions = 0;
    void exhausted() override { exhaustions++; }
};

class FunctionHandler final : public server::Handler {
public:
    std::function<void(server::Exchange&)> response;
    std::function<void(server::Exchange&)> begins;   // body_begins()
    std::function<void(server::Exchange&)> arrived;  // body_arrived()
    std::function<void(server::Exchange&)> lost;     // cut_off()
    int handled = 0;
    int opened_count = 0;
    int closed_count = 0;

    void body_begins(server::Exchange& exchange) override {
        if (begins) {
            begins(exchange);
        }
    }
    void body_arrived(server::Exchange& exchange) override {
        if (arrived) {
            arrived(exchange);
        }
    }
    void cut_off(server::Exchange& exchange) override {
        if (lost) {
            lost(exchange);
        }
    }
    void handle(server::Exchange& exchange) override {
        handled++;
        response(exchange);
    }
    void opened(net::Connection&) override { opened_count++; }
    void closed(net::Connection&) override { closed_count++; }
};

inline void response_with(server::Exchange& exchange, std::string_view body, int status = 200) {
    server::ResponseHead head;
    head.status = status;
    head.default_type = "text/plain";
    exchange.send_head(head, body.size());
    exchange.send_body(body);
    exchange.finish();
}

class MemoryServer {
public:
    explicit MemoryServer(const server::ServiceSettings& settings = {},
                          server::StreamHandler* streams = nullptr)
        : loop(std::move(*loop::Loop::create())), board(std::move(*shm::Scoreboard::create(2))) {
        handler.response = [](server::Exchange& exchange) {
            response_with(exchange, exchange.body.view().empty() ? std::string_view("hello")
                                                                 : exchange.body.view());
        };
        service = std::make_unique<server::Service>(server::ServiceParts{.loop = *loop,
                                                                         .handler = handler,
                                                                         .host = host,
                                                                         .board = *board,
                                                                         .streams = streams},
                                                    settings);
    }

    struct Client {
        MemoryServer* server;
        std::shared_ptr<MemoryTransport::Peer> peer;
        int64_t id;

        net::Connection* connection() const { return server->service->connections().find(id); }
        bool open() const { return connection() != nullptr; }

        // Gives bytes and lets the server work until it has nothing to do at once.
        Client& send(std::string_view bytes) {
            peer->to_server += bytes;
            return pump();
        }
        Client& pump() {
            for (int i = 0; i < 100000; i++) {
                net::Connection* present = connection();
                bool readable = !peer->to_server.empty() || peer->ended || peer->reset;
                size_t before = peer->to_server.size() + peer->from_server.size();
                if (present != nullptr) {
                    present->on_ready((readable ? loop::kReadable : 0) |
                                      (peer->write_room > 0 ? loop::kWritable : 0));
                }
                server->loop->run_once(0);
                server->loop->run_once(0);
                if (before == peer->to_server.size() + peer->from_server.size()) {
                    break;
                }
            }
            return *this;
        }
        std::string take() { return std::exchange(peer->from_server, {}); }
        // The status of the first response that has come, 0 when there is none.
        int status() const {
            const std::string& text = peer->from_server;
            return text.size() > 12 && text.starts_with("HTTP/1.1 ") ? std::stoi(text.substr(9, 3))
                                                                     : 0;
        }
    };

    Client connect() {
        auto peer = std::make_shared<MemoryTransport::Peer>();
        net::Connection& connection = service->adopt(std::make_unique<MemoryTransport>(peer));
        return Client{this, peer, static_cast<int64_t>(connection.id())};
    }

    // Runs the loop until the condition holds; false after a second.
    bool wait_for(const std::function<bool()>& condition, Nanos most = kSecond) {
        Nanos end = monotonic_now() + most;
        while (!condition()) {
            if (monotonic_now() > end) {
                return false;
            }
            loop->run_once(5 * kMillisecond);
        }
        return true;
    }

    std::unique_ptr<loop::Loop> loop;
    std::unique_ptr<shm::Scoreboard> board;
    FunctionHandler handler;
    CountingHost host;
    std::unique_ptr<server::Service> service;
};

}  // namespace stampede::testing
