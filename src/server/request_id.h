// A name for each request, the same in logs, on pages of errors and for the application: that of a
// proxy which is trusted, or one of our own. Loop thread; never parks.
#pragma once

#include <cstdint>
#include <string_view>

#include "proto/proxy/address.h"

namespace stampede::server {

class Exchange;
struct ProxySettings;

inline constexpr std::string_view kRequestIdField = "x-request-id";
inline constexpr size_t kRequestIdSize = 32;  // of one of our own

// Owned by the service.
class RequestIds {
public:
    RequestIds();
    // Never 0, and never the same twice.
    uint64_t next() { return ++last_; }
    // Exactly kRequestIdSize characters.
    void format(uint64_t number, char* out) const;

private:
    uint64_t process_;
    uint64_t last_;
};

// What the field of a trusted peer says; empty: nothing that can be used.
std::string_view given_request_id(const ProxySettings& settings, const Exchange& exchange,
                                  const proto::proxy::Address& peer);
// That, or the exchange's own, which is written to out.
std::string_view request_id(Exchange& exchange, const proto::proxy::Address& peer,
                            char (&out)[kRequestIdSize]);

}  // namespace stampede::server
