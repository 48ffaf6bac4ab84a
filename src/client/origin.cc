#include "client/origin.h"

namespace stampede::client {

namespace {

bool is_path(const Origin& origin) {
    return origin.host.starts_with("unix:") || origin.host.starts_with('/');
}

}  // namespace

std::string host_in_uri(const Origin& origin) {
    if (is_path(origin)) {
        return "localhost";
    }
    bool bare_ipv6 =
        origin.host.find(':') != std::string_view::npos && !origin.host.starts_with('[');
    std::string text(bare_ipv6 ? "[" : "");
    text += origin.host;
    text += bare_ipv6 ? "]" : "";
    return text;
}

std::string authority_of(const Origin& origin) {
    std::string text = host_in_uri(origin);
    if (is_path(origin)) {
        return text;
    }
    if (origin.port != (origin.scheme == Scheme::kHttps ? 443 : 80)) {
        text += ':';
        text += std::to_string(origin.port);
    }
    return text;
}

}  // namespace stampede::client
