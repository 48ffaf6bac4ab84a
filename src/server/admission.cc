#include "server/admission.h"

#include <arpa/inet.h>

#include "os/log.h"
#include "server/origin.h"

namespace stampede::server {

using os::Log;
using os::LogLevel;

bool Admission::Complaint::due(Nanos now) {
    constexpr Nanos kPause = 10 * kSecond;
    count++;
    if (now < next) {
        return false;
    }
    next = now + kPause;
    return true;
}

bool Admission::expects_header(const net::Connection& connection) const {
    const ProxySettings& proxies = settings_.proxies;
    if (!proxies.has_header(connection.port_index)) {
        return false;
    }
    return proxies.trusted.empty() ||
           proxies.trusted.contains(proto::proxy::unmapped(connection.peer));
}

bool Admission::enter(net::Connection& connection) {
    if (counts_ == nullptr || settings_.max_per_address == 0) {
        return true;
    }
    shm::AddressKey key = shm::address_key(connection.peer);
    // A proxy that is trusted brings the connections of many.
    if (key == 0 || (connection.transport().via_proxy() == nullptr &&
                     settings_.proxies.trusted.contains(proto::proxy::unmapped(connection.peer)))) {
        return true;
    }
    if (!counts_->add(settings_.worker, key)) {
        return true;
    }
    if (counts_->total(board_, key) > settings_.max_per_address) {
        counts_->remove(settings_.worker, key);
        return false;
    }
    connection.address_key = key;
    return true;
}

void Admission::leave(net::Connection& connection) {
    if (connection.address_key != 0) {
        counts_->remove(settings_.worker, connection.address_key);
        connection.address_key = 0;
    }
}

void Admission::note_refused(const net::Connection& connection) {
    board_.line(settings_.worker).refused.add(1);
    if (!refused_.due(monotonic_now())) {
        return;
    }
    char text[INET6_ADDRSTRLEN];
    std::string_view address = format_address(connection.peer, text);
    Log::get().write(LogLevel::kWarning,
                     "%llu connections refused, the last one of %.*s: an address may have %u "
                     "(max_connections_per_address)",
                     static_cast<unsigned long long>(std::exchange(refused_.count, 0)),
                     static_cast<int>(address.size()), address.data(), settings_.max_per_address);
}

void Admission::note_bad_header(const net::Connection& connection) {
    board_.line(settings_.worker).refused.add(1);
    if (!bad_headers_.due(monotonic_now())) {
        return;
    }
    char text[INET6_ADDRSTRLEN];
    std::string_view address = format_address(connection.peer, text);
    Log::get().write(LogLevel::kWarning,
                     "%llu connections closed, the last one of %.*s: they did not begin with a "
                     "PROXY header, which this port asks for (proxy_protocol)",
                     static_cast<unsigned long long>(std::exchange(bad_headers_.count, 0)),
                     static_cast<int>(address.size()), address.data());
}

}  // namespace stampede::server
