#include "proto/http/uri.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace stampede::proto::http {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

enum HostClass : uint8_t { kPlain = 0, kDot = 1, kBad = 2 };

constexpr std::array<uint8_t, 256> make_host_classes() {
    std::array<uint8_t, 256> classes{};
    classes.fill(kBad);
    for (unsigned c = 0; c < 26; c++) {
        classes['a' + c] = classes['A' + c] = kPlain;
    }
    for (unsigned char c : std::string_view("0123456789-_~")) {
        classes[c] = kPlain;
    }
    classes['.'] = kDot;
    return classes;
}

constexpr std::array<uint8_t, 256> kHostClasses = make_host_classes();

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

// The length of the name or IPv4 address at the start of text; 0 when it has an empty label (but
// the root's at the end).
size_t name_length(std::string_view text) {
    unsigned previous = kDot;
    unsigned faults = 0;
    size_t length = 0;
    for (; length < text.size(); length++) {
        unsigned host_class = kHostClasses[static_cast<unsigned char>(text[length])];
        if (host_class == kBad) {
            break;
        }
        faults |= host_class & previous;
        previous = host_class;
    }
    return faults == 0 ? length : 0;
}

// The length of a bracketed IPv6 address at the start of text, 0 when there is none.
size_t bracketed_length(std::string_view text) {
    size_t bracket = text.find(']');
    if (bracket == std::string_view::npos || !valid_ipv6(text.substr(1, bracket - 1))) {
        return 0;
    }
    return bracket + 1;
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
    if (host.empty()) {
        return false;
    }
    size_t length = host.front() == '[' ? bracketed_length(host) : name_length(host);
    if (length == 0 || length == host.size()) {
        return length != 0;
    }
    return host[length] == ':' && valid_port(host.substr(length + 1));
}

std::string_view host_without_port(std::string_view host) {
    if (!host.empty() && host.front() == '[') {
        return host.substr(0, host.find(']') + 1);
    }
    return host.substr(0, host.find(':'));
}

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
