#include "proto/http/uri.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace stampede::proto::http {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_host_char(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

bool valid_port(std::string_view port) {
    if (port.size() > 5) {
        return false;
    }
    uint32_t number = 0;
    for (char c : port) {
        if (!is_digit(c)) {
            return false;
        }
        number = number * 10 + static_cast<uint32_t>(c - '0');
    }
    return number <= 65535;
}

// The characters and the colons an IPv6 address has; its exact form is no danger to anybody.
bool valid_ipv6(std::string_view address) {
    int colons = 0;
    for (char c : address) {
        if (c == ':') {
            colons++;
        } else if (c != '.' && hex_value(c) < 0) {
            return false;
        }
    }
    return colons >= 2 && address.size() <= 45;
}

bool valid_name(std::string_view name) {
    char previous = '.';  // no empty label, but the root's at the end
    for (char c : name) {
        if (!is_host_char(c) || (c == '.' && previous == '.')) {
            return false;
        }
        previous = c;
    }
    return !name.empty();
}

// Where the host ends and a port may begin; npos when a bracket is missing.
size_t host_end(std::string_view host) {
    if (!host.empty() && host.front() == '[') {
        size_t bracket = host.find(']');
        return bracket == std::string_view::npos ? bracket : bracket + 1;
    }
    size_t colon = host.find(':');
    return colon == std::string_view::npos ? host.size() : colon;
}

}  // namespace

int hex_value(char c) {
    if (is_digit(c)) {
        return c - '0';
    }
    char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

size_t percent_decode(std::string_view in, char* out, Plus plus) {
    char* to = out;
    for (size_t i = 0; i < in.size(); i++) {
        char c = in[i];
        if (c == '%' && in.size() - i > 2) {
            int high = hex_value(in[i + 1]);
            int low = hex_value(in[i + 2]);
            if (high >= 0 && low >= 0) {
                c = static_cast<char>(high * 16 + low);
                i += 2;
            }
        } else if (c == '+' && plus == Plus::kSpace) {
            c = ' ';
        }
        *to++ = c;
    }
    return static_cast<size_t>(to - out);
}

bool valid_host(std::string_view host) {
    size_t end = host_end(host);
    if (end == std::string_view::npos || end == 0) {
        return false;
    }
    if (end < host.size() && (host[end] != ':' || !valid_port(host.substr(end + 1)))) {
        return false;
    }
    std::string_view name = host.substr(0, end);
    return name.front() == '[' ? valid_ipv6(name.substr(1, name.size() - 2)) : valid_name(name);
}

std::string_view host_without_port(std::string_view host) { return host.substr(0, host_end(host)); }

bool normalise_path(std::string_view path, char* out, size_t& out_length) {
    if (path.empty() || path.front() != '/' || path.find('\0') != std::string_view::npos ||
        path.find('\\') != std::string_view::npos) {
        return false;
    }
    size_t length = 0;  // out[0, length) is "" or "/a/b", without a slash at the end
    bool ends_with_slash = true;
    for (size_t i = 1; i <= path.size();) {
        size_t slash = path.find('/', i);
        bool last = slash == std::string_view::npos;
        std::string_view segment = path.substr(i, last ? slash : slash - i);
        i = last ? path.size() + 1 : slash + 1;
        ends_with_slash = !last || segment.empty() || segment == "." || segment == "..";
        if (segment.empty() || segment == ".") {
            continue;
        }
        if (segment == "..") {
            if (length == 0) {
                return false;
            }
            while (out[--length] != '/') {
            }
            continue;
        }
        out[length++] = '/';
        std::memmove(out + length, segment.data(), segment.size());
        length += segment.size();
    }
    if (ends_with_slash) {
        out[length++] = '/';
    }
    out_length = length;
    return true;
}

}  // namespace stampede::proto::http
