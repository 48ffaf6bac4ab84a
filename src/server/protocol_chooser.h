// The first session of a connection whose port speaks HTTP/2 too: looks at what was agreed on, or
// at the first bytes, and makes room for the session that fits. Owned by its connection; loop
// thread; never parks.
#pragma once

#include "server/http_session.h"

namespace stampede::server {

class ProtocolChooser final : public net::Session {
public:
    ProtocolChooser(Service& service, net::Connection& connection);

    void on_bytes(const char* data, size_t size) override;
    void on_end() override;
    void on_drained() override {}
    void on_deadline() override;
    void on_closed() override;

    void drain() override { connection_.close_after_flush(); }
    bool idle() const override { return true; }

private:
    void hand_over(std::unique_ptr<HttpSession> session, std::string_view bytes);

    Service& service_;
    net::Connection& connection_;
    size_t matched_ = 0;  // bytes of the preface that have come
};

// The request asks to go on in HTTP/2 ("Upgrade: h2c"), and may: the response 101 is written and
// the connection speaks HTTP/2, with this request as stream 1. False: it stays as it is.
bool upgrade_to_http2(Exchange& exchange, std::string_view bytes_behind);

}  // namespace stampede::server
