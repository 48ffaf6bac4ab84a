// Connecting an Endpoint: to one of a name's addresses, through a proxy, with TLS. A call fails
// with the state's error; timeouts are seconds as the API takes them. Owned by its Endpoint; PHP
// thread; parks in a coroutine, blocks outside.
#pragma once

#include "io/endpoint_state.h"

namespace stampede::io {

class EndpointDialer {
public:
    explicit EndpointDialer(EndpointState& state) : state_(state) {}

    // The endpoint is open, and bound where it is to be. Proxy and TLS included, where they are
    // set.
    bool connect_to(std::string_view host, int port, double timeout);
    // The name or number that was connected to.
    const std::string& dialled_host() const { return dialled_host_; }
    // On a connection that is there; host may be empty.
    bool start_tls(tls::Role role, std::string_view host);

private:
    bool connect_to_any(std::string_view host, int port, Nanos until);
    bool start_tls_until(tls::Role role, std::string_view host, Nanos until);
    bool tell_proxy(std::string_view host, int port, Nanos until);

    EndpointState& state_;
    std::string dialled_host_;
};

}  // namespace stampede::io
