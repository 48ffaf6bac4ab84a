#include "io/endpoint_state.h"

#include "error_numbers.h"

namespace stampede::io {

namespace {

bool can_park() {
    runtime::Runtime* runtime = runtime::Runtime::peek();
    return runtime != nullptr && runtime->can_park();
}

int look_up_blocking(std::string_view host, int family, AddressList& out) {
    Result<os::Address> found = os::resolve_blocking(std::string(host).c_str(), family);
    if (!found) {
        return api_error::kDnsResolveFailed;
    }
    out.items[0] = *found;
    out.count = 1;
    return 0;
}

}  // namespace

bool EndpointState::fail(int error) {
    error_ = error;
    if (!error_text_.empty()) {
        error_text_.clear();
    }
    if (error != 0) {
        error_text_ = io::error_text(error);
    }
    return false;
}

bool EndpointState::fail_as_stream() {
    fail(stream_.error());
    error_text_ = stream_.error_text();
    return false;
}

EndpointSettings& EndpointState::settings() {
    if (settings_ == nullptr) {
        settings_ = std::make_unique<EndpointSettings>();
    }
    return *settings_;
}

bool EndpointState::look_up(std::string_view host, int port, Nanos until, AddressList& out) {
    if (kind_.domain != AF_UNIX && (port < 0 || port > 65535)) {
        return fail(api_error::kBadPort);
    }
    if (!resolve_numeric(host, kind_.domain, out)) {
        int error = api_error::kBadHostAddress;
        if (host.empty() || kind_.domain == AF_UNIX) {
            return fail(error);
        }
        error = can_park() ? resolve(host, kind_.domain, until, out)
                           : look_up_blocking(host, kind_.domain, out);
        if (error != 0) {
            return fail(error);
        }
    }
    set_ports(out, static_cast<uint16_t>(port));
    return true;
}

}  // namespace stampede::io
