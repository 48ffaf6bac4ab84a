#include "ext/server/tls.h"

#include <algorithm>

#include "ext/server/metrics.h"
#include "io/options.h"
#include "net/tls_transport.h"
#include "os/log.h"
#include "os/socket.h"
#include "tls/context.h"

namespace stampede::classes {

namespace {

constexpr int kSockSsl = 512;

// Where the kernel cannot, the process does it: it is mentioned only to an application that asked.
void drop_kernel_records(tls::Options& options, bool asked) {
    if (!options.kernel_records || os::kernel_has_tls()) {
        return;
    }
    options.kernel_records = false;
    if (asked) {
        os::Log::get().write(os::LogLevel::kWarning,
                             "ssl_ktls has no effect: this kernel has no TLS (its module \"tls\" "
                             "is missing or not loaded)");
    }
}

std::unique_ptr<tls::Context> make_context(ServerState& state, PortState& port,
                                           std::string& failure) {
    port.ssl = {};
    tls::Options& options = port.ssl.options;
    options.kernel_records = state.settings.enable_static_handler;  // files are what gains by it
    bool asked = false;
    for (zval* settings : {&state.given, &port.settings}) {
        if (Z_TYPE_P(settings) == IS_ARRAY) {
            io::read_ssl_options(Z_ARRVAL_P(settings), port.ssl);
            io::read_flag(Z_ARRVAL_P(settings), "ssl_ktls", options.kernel_records);
            io::read_flag(Z_ARRVAL_P(settings), "ssl_ktls", asked);
        }
    }
    options.role = tls::Role::kServer;
    if (options.alpn.empty() && port.kind == PortKind::kHttp) {
        options.alpn = {"http/1.1"};
        if (speaks_http2(state, port)) {
            options.alpn.insert(options.alpn.begin(), "h2");
        }
    }
    if (options.certificate_file.empty()) {
        failure = "TLS needs a certificate: set ssl_cert_file and ssl_key_file";
        return nullptr;
    }
    drop_kernel_records(options, asked);
    return tls::Context::create(options, failure);
}

}  // namespace

bool speaks_http2(const ServerState& state, const PortState& port) {
    bool speaks = state.settings.open_http2_protocol;
    if (Z_TYPE(port.settings) == IS_ARRAY) {
        io::read_flag(Z_ARRVAL(port.settings), "open_http2_protocol", speaks);
    }
    return speaks;
}

bool speaks_websocket(const ServerState& state, const PortState& port) {
    bool speaks = state.is_websocket;
    if (Z_TYPE(state.given) == IS_ARRAY) {
        io::read_flag(Z_ARRVAL(state.given), "open_websocket_protocol", speaks);
    }
    if (Z_TYPE(port.settings) == IS_ARRAY) {
        io::read_flag(Z_ARRVAL(port.settings), "open_websocket_protocol", speaks);
    }
    return speaks;
}

bool has_proxy_header(const ServerState& state, const PortState& port) {
    bool begins = state.settings.proxy_protocol;
    if (Z_TYPE(port.settings) == IS_ARRAY) {
        io::read_flag(Z_ARRVAL(port.settings), "proxy_protocol", begins);
    }
    return begins;
}

std::string open_tls(ServerState& state) {
    for (auto& port : state.ports) {
        if ((port->type & kSockSsl) == 0) {
            continue;
        }
        std::string failure;
        port->tls = make_context(state, *port, failure);
        if (port->tls == nullptr) {
            return "cannot listen with TLS on " + port->host + ":" + std::to_string(port->port) +
                   ": " + failure;
        }
    }
    return {};
}

void renew_tls(ServerState& state) {
    for (auto& port : state.ports) {
        if (port->tls == nullptr) {
            continue;
        }
        std::string failure;
        auto fresh = make_context(state, *port, failure);
        // An expired certificate is served where there is no better one.
        if (fresh != nullptr && !fresh->expiry().empty() && port->tls->expiry().empty()) {
            failure = fresh->expiry();
            fresh.reset();
        }
        if (fresh != nullptr) {
            port->tls = std::move(fresh);
        } else {
            os::Log::get().write(os::LogLevel::kError,
                                 "the certificate of %s:%d stays as it was: %s", port->host.c_str(),
                                 port->port, failure.c_str());
        }
    }
}

void report_expired(const ServerState& state) {
    for (const auto& port : state.ports) {
        std::string expiry = port->tls != nullptr ? port->tls->expiry() : std::string();
        if (!expiry.empty()) {
            os::Log::get().write(os::LogLevel::kError, "%s:%d: %s", port->host.c_str(), port->port,
                                 expiry.c_str());
        }
    }
}

bool has_tls(const ServerState& state) {
    return std::any_of(state.ports.begin(), state.ports.end(),
                       [](const auto& port) { return port->tls != nullptr; });
}

bool give_transport(const ServerState& state, net::Connection& connection) {
    PortState& port = *state.ports[connection.port_index];
    if (port.tls == nullptr) {
        return true;  // plain
    }
    auto session = tls::Session::create(*port.tls, connection.fd(), tls::Role::kServer, nullptr);
    if (session == nullptr) {
        return false;
    }
    connection.set_transport(std::make_unique<net::TlsTransport>(
        connection.fd(), std::move(session), handshake_counts(state)));
    return true;
}

}  // namespace stampede::classes
