#include "io/resolver.h"

#include <cerrno>
#include <cstring>
#include <memory>

#include "error_numbers.h"
#include "ext/metrics/waits.h"
#include "subsystems.h"

namespace stampede::io {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

constexpr size_t kMaxHostBytes = 255;

std::unique_ptr<net::Resolver> instance;
net::ResolverOptions wanted;
NameSource name_source = nullptr;

net::Resolver& resolver() {
    if (instance == nullptr) {
        instance = std::make_unique<net::Resolver>(Runtime::get().loop());
        instance->configure(wanted);
    }
    return *instance;
}

// What a coroutine waits with: the loop sees it, so it is not on the coroutine's stack.
struct Waiting : net::Resolver::Lookup {
    Fiber* fiber;
    bool answered;
    net::LookupStatus status;
    AddressList found;
};

void on_answer(net::Resolver::Lookup& lookup, const net::Resolver::Answer& answer) {
    auto& waiting = static_cast<Waiting&>(lookup);
    waiting.answered = true;
    waiting.status = answer.status;
    for (size_t i = 0; i < answer.count && waiting.found.count < AddressList::kMost; i++) {
        waiting.found.items[waiting.found.count++] = answer.addresses[i];
    }
    Runtime::peek()->wake(*waiting.fiber, WakeReason::kReady);
}

int error_of(net::LookupStatus status) {
    switch (status) {
        case net::LookupStatus::kFound:
            return 0;
        case net::LookupStatus::kTimedOut:
            return api_error::kDnsResolveTimeout;
        case net::LookupStatus::kNoServer:
            return api_error::kDnsNoServer;
        default:
            return api_error::kDnsResolveFailed;
    }
}

int ask(std::string_view host, int family, Nanos deadline, AddressList& out) {
    Runtime& runtime = Runtime::get();
    auto* waiting = static_cast<Waiting*>(emalloc(sizeof(Waiting)));
    new (waiting) Waiting();
    waiting->done = on_answer;
    waiting->fiber = runtime.current();
    uint32_t generation = Runtime::loop_generation();
    WakeReason reason = WakeReason::kReady;
    resolver().resolve(host, family, *waiting);
    if (!waiting->answered) {
        metrics::expect_wait(metrics::WaitKind::kDns);
        reason = runtime.park(deadline);
    }
    if (!waiting->answered && generation == Runtime::loop_generation()) {
        resolver().cancel(*waiting);
    }
    int error = reason == WakeReason::kTimeout ? api_error::kDnsResolveTimeout : ECANCELED;
    if (waiting->answered && reason == WakeReason::kReady) {
        error = error_of(waiting->status);
        out.count = waiting->found.count;
        memcpy(out.items, waiting->found.items,
               static_cast<size_t>(out.count) * sizeof(os::Address));
    }
    efree(waiting);
    return error;
}

bool take(Result<os::Address> address, AddressList& out) {
    if (!address) {
        return false;
    }
    out.items[0] = *address;
    out.count = 1;
    return true;
}

void drop_in_child() {
    if (instance != nullptr) {
        instance->abandon();
        instance.reset();
    }
}

}  // namespace

bool resolve_numeric(std::string_view host, int family, AddressList& out) {
    out.count = 0;
    bool is_path = family == AF_UNIX;
    if (host.starts_with("unix:/")) {
        host.remove_prefix(5);
        is_path = true;
    } else if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    }
    char text[kMaxHostBytes + 1];
    if (host.empty() || host.size() > kMaxHostBytes || memchr(host.data(), 0, host.size())) {
        return false;
    }
    memcpy(text, host.data(), host.size());
    text[host.size()] = '\0';
    if (is_path) {
        return take(os::parse_unix(text), out);
    }
    return (family != AF_INET6 && take(os::parse_ipv4(text, 0), out)) ||
           (family != AF_INET && take(os::parse_ipv6(text, 0), out));
}

int resolve(std::string_view host, int family, Nanos deadline, AddressList& out) {
    if (resolve_numeric(host, family, out)) {
        return 0;
    }
    if (family == AF_UNIX) {
        return api_error::kDnsResolveFailed;
    }
    int found = name_source != nullptr ? name_source(host, family, out) : kAskNameServers;
    return found != kAskNameServers ? found : ask(host, family, deadline, out);
}

void set_name_source(NameSource source) { name_source = source; }

void set_ports(AddressList& list, uint16_t port) {
    for (int i = 0; i < list.count && !list.has_ports; i++) {
        set_port(list.items[i], port);
    }
}

void set_port(os::Address& address, uint16_t port) {
    if (address.family() == AF_INET) {
        reinterpret_cast<sockaddr_in&>(address.storage).sin_port = htons(port);
    } else if (address.family() == AF_INET6) {
        reinterpret_cast<sockaddr_in6&>(address.storage).sin6_port = htons(port);
    }
}

bool set_resolver_options(const net::ResolverOptions& options) {
    if (!options.channel.servers.empty() && !net::DnsChannel::can_read(options.channel.servers)) {
        return false;
    }
    wanted = options;
    if (instance != nullptr) {
        instance->configure(options);
    }
    return true;
}

net::ResolverOptions resolver_options() { return wanted; }

void clear_dns_cache() {
    if (instance != nullptr) {
        instance->clear_cache();
    }
}

}  // namespace stampede::io

namespace stampede::ext {

zend_result resolver_minit(int, int) {
    runtime::Runtime::on_fork(io::drop_in_child);
    return SUCCESS;
}

// The next script asks anew, with the usual options.
zend_result resolver_rshutdown(int, int) {
    io::instance.reset();
    io::wanted = net::ResolverOptions();
    return SUCCESS;
}

}  // namespace stampede::ext
