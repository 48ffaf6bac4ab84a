// The API's ssl_* settings, for everything that speaks TLS in coroutines: Coroutine\Socket, the
// clients, Coroutine\Http\Server. The settings are a member of the object that was configured; the
// contexts made of them are shared and kept by the process. PHP thread, never parks.
#pragma once

#include <memory>
#include <string>

#include "tls/session.h"
#include "zend/php.h"

namespace stampede::io {

struct SslSettings {
    tls::Options options;
    std::string host_name;  // ssl_host_name: for SNI and verification
};

// Takes over the keys of the API's array that belong here, and leaves the others of `out` as they
// are. `out` must not be a local of the caller: reading a value may end the script.
void read_ssl_options(HashTable* settings, SslSettings& out);

// A session over the descriptor with a context for these settings (role included) which is made
// once and made anew when a file of it changed. host: for clients, used unless ssl_host_name says
// otherwise; may be null. Null with one sentence about what is wrong.
std::unique_ptr<tls::Session> make_tls_session(const SslSettings& settings, int fd,
                                               const char* host, std::string& failure);

}  // namespace stampede::io
