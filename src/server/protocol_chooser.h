// The first session of a connection whose port speaks HTTP/2 too: looks at what was agreed on, or
// at the first bytes, and makes room for the session that fits. Owned by its connection; loop
// thread; never parks.
#pragma once

#include "server/http_session.h"

namespace stampede::server {

class ProtocolChooser final : public HttpSession {
public:
    ProtocolChooser(Service& service, net::Connection& connection);

    void on_bytes(const char* data, size_t size) override;
    void on_end() override;
    void on_drained() override {}
    void on_deadline() override;
    void on_closed() override;

    // There is no exchange yet.
    void write_head(Exchange&, const ResponseHead&, uint64_t) override {}
    void write_body(Exchange&, std::string_view) override {}
    void write_body_ref(Exchange&, const net::BytesRef&) override {}
    void write_file(Exchange&, const net::FileRange&) override {}
    void write_trailers(Exchange&, const FieldRef*, uint32_t) override {}
    void finish_response(Exchange&) override {}
    void exchange_done(Exchange&) override {}
    void exchange_aborted(Exchange&) override {}
    bool upgrade(Exchange&, std::string_view, std::unique_ptr<UpgradedSession>) override;
    void body_wanted(Exchange&) override {}
    void write_hints(Exchange&, const FieldRef*, uint32_t) override {}
    uint64_t pending(const Exchange&) const override { return 0; }
    bool blocked(const Exchange&) const override { return false; }
    Exchange* open_exchange() const override { return nullptr; }
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
