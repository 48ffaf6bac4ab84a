// Names to addresses for coroutines: numbers and unix paths at once, names through net::Resolver.
// Several coroutines that ask for one name share one query. One resolver per process, made on first
// use, dropped in forked children. PHP thread; resolve() parks.
#pragma once

#include <string_view>

#include "net/resolver.h"
#include "os/socket.h"
#include "runtime/runtime.h"

namespace stampede::io {

// Trivially destructible, so that it may lie on a coroutine's stack.
struct AddressList {
    static constexpr int kMost = 16;
    int count = 0;
    os::Address items[kMost];
    bool has_ports = false;  // a name source has said them
};

// Fills out with at least one address without port (set_port) and returns 0; otherwise
// SWOOLE_ERROR_DNSLOOKUP_RESOLVE_FAILED (711), _RESOLVE_TIMEOUT (712), _NO_SERVER (714), or
// ECANCELED, also when the coroutine is being destroyed. The family is AF_INET, AF_INET6, AF_UNSPEC
// or AF_UNIX (the host is a path then; "unix:/path" is one with every family). A host with a colon
// may stand in brackets. What needs no query never parks; for the rest Runtime::can_park() is true.
int resolve(std::string_view host, int family, Nanos deadline, AddressList& out);

// What resolve() asks for names before the name servers: 0 with addresses, kAskNameServers, or an
// error that ends the look-up. It may park.
inline constexpr int kAskNameServers = -1;
using NameSource = int (*)(std::string_view host, int family, AddressList& out);
void set_name_source(NameSource source);  // null: none

// The part of resolve() that never waits: false when the host is a name that must be asked for.
bool resolve_numeric(std::string_view host, int family, AddressList& out);

// To each address that has no port from a name source.
void set_ports(AddressList& list, uint16_t port);
// Nothing for unix addresses.
void set_port(os::Address& address, uint16_t port);

// From the next query on, for this process. False when the list of servers cannot be read.
bool set_resolver_options(const net::ResolverOptions& options);
net::ResolverOptions resolver_options();
void clear_dns_cache();

}  // namespace stampede::io
