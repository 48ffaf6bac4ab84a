// A connection that begins with a PROXY header: nothing else is read before it is there, and not a
// byte more is taken, so that TLS or HTTP after it find what is theirs. Owned by its connection;
// loop thread; never parks.
#pragma once

#include <memory>

#include "net/connection.h"
#include "net/transport.h"

namespace stampede::server {

class Service;

class ProxiedTransport final : public net::Transport {
public:
    // inner: null for a plain connection.
    ProxiedTransport(Service& service, net::Connection& connection,
                     std::unique_ptr<net::Transport> inner)
        : service_(service),
          connection_(connection),
          plain_(connection.fd()),
          other_(std::move(inner)),
          inner_(other_ != nullptr ? *other_ : plain_) {}

    long read(char* out, size_t capacity) override;
    long write(const iovec* parts, int count) override;
    long send_file(int file, off_t& offset, size_t count) override;
    void shutdown_write() override;
    void expect_last_write() override { inner_.expect_last_write(); }
    void expect_file() override { inner_.expect_file(); }
    void say_goodbye() override { inner_.say_goodbye(); }
    std::string_view protocol() const override { return inner_.protocol(); }
    bool encrypted() const override { return inner_.encrypted(); }
    std::string peer_certificate() const override { return inner_.peer_certificate(); }
    bool ready() const override { return open_ && inner_.ready(); }
    bool holds_bytes() const override { return inner_.holds_bytes(); }
    const net::ViaProxy* via_proxy() const override { return told_ ? &via_ : nullptr; }

private:
    long take_header(char* out, size_t capacity);

    Service& service_;
    net::Connection& connection_;
    net::PlainTransport plain_;
    std::unique_ptr<net::Transport> other_;
    net::Transport& inner_;
    net::ViaProxy via_;
    bool open_ = false;  // the header has come
    bool told_ = false;  // and says something
};

}  // namespace stampede::server
