#include "client/origin.h"

namespace stampede::client {

std::string authority_of(const Origin& origin) {
    if (origin.host.starts_with("unix:") || origin.host.starts_with('/')) {
        return "localhost";
    }
    bool bare_ipv6 =
        origin.host.find(':') != std::string_view::npos && !origin.host.starts_with('[');
    std::string text(bare_ipv6 ? "[" : "");
    text += origin.host;
    text += bare_ipv6 ? "]" : "";
    if (origin.port != (origin.scheme == Scheme::kHttps ? 443 : 80)) {
        text += ':';
        text += std::to_string(origin.port);
    }
    return text;
}

}  // namespace stampede::client
