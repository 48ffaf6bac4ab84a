// A connection that may not come in is told so and closed; it never has a request. Owned by its
// connection; loop thread; never parks.
#pragma once

#include "net/connection.h"

namespace stampede::server {

class Service;

class RefusedSession final : public net::Session {
public:
    RefusedSession(Service& service, net::Connection& connection)
        : service_(service), connection_(connection) {}
    // Writes the response; everything that follows is closing.
    void refuse(int status);

    void on_bytes(const char*, size_t) override {}
    void on_end() override {}
    void on_drained() override {}
    void on_deadline() override {}
    void on_closed() override;
    void drain() override {}

private:
    Service& service_;
    net::Connection& connection_;
};

}  // namespace stampede::server
