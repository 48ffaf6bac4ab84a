#include "proto/proxy/forwarded.h"

#include <algorithm>

#include "proto/http/message.h"
#include "proto/http/uri.h"

namespace stampede::proto::proxy {

namespace {

using http::equals_ignoring_case;

constexpr size_t kMostHops = 64;

enum class Quotes : uint8_t { kPlain, kKnown };

// The elements of a list over several lines, the last one first. Read from the right also inside of
// a line: an open quotation mark on the left cannot swallow what a proxy added.
class FromTheRight {
public:
    FromTheRight(const Lines& lines, Quotes quotes)
        : lines_(lines), quotes_(quotes), line_(lines.count) {
        next_line();
    }

    bool next(std::string_view& element) {
        while (more_) {
            size_t comma = last_comma();
            element = http::trimmed(rest_.substr(comma == rest_.npos ? 0 : comma + 1));
            if (comma == rest_.npos) {
                next_line();
            } else {
                rest_ = rest_.substr(0, comma);
            }
            if (!element.empty()) {
                return true;
            }
        }
        return false;
    }

private:
    void next_line() {
        more_ = line_ > 0;
        rest_ = more_ ? lines_.at[--line_] : std::string_view();
    }
    size_t last_comma() const {
        bool quoted = false;
        for (size_t i = rest_.size(); i > 0; i--) {
            char c = rest_[i - 1];
            bool escaped = i > 1 && rest_[i - 2] == '\\';
            if (c == '"' && quotes_ == Quotes::kKnown && !escaped) {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                return i - 1;
            }
        }
        return rest_.npos;
    }

    const Lines& lines_;
    Quotes quotes_;
    size_t line_;
    std::string_view rest_;
    bool more_ = false;
};

void take_scheme(std::string_view text, Origin& out) {
    if (equals_ignoring_case(text, "https")) {
        out.scheme = Origin::Scheme::kHttps;
    } else if (equals_ignoring_case(text, "http")) {
        out.scheme = Origin::Scheme::kHttp;
    }
}

void take_host(std::string_view text, Origin& out) {
    if (text.size() <= 255 + 6 && http::valid_host(text)) {
        out.host = text;
    }
}

// ---- X-Forwarded-* -----------------------------------------------------------------------------

struct Walk {
    size_t hop = 0;    // of the client, counted from the right
    size_t total = 0;  // hops that there are
};

Walk walk_addresses(const Lines& lines, const TrustedPeers& trusted, Origin& out) {
    FromTheRight list(lines, Quotes::kPlain);
    std::string_view element;
    Walk walk;
    bool on = true;
    while (walk.total < kMostHops && list.next(element)) {
        Address address;
        on = on && parse_node(element, address);
        if (on) {
            out.client = unmapped(address);
            walk.hop = walk.total;
            on = trusted.contains(out.client);
        }
        walk.total++;
    }
    return walk;
}

// What belongs to the client's hop: the lists are as long as each other when every proxy adds to
// each; otherwise the newest element, which the peer has written or let pass.
std::string_view element_of(const Lines& lines, const Walk& walk) {
    FromTheRight list(lines, Quotes::kPlain);
    std::string_view element;
    std::string_view newest;
    std::string_view wanted;
    size_t count = 0;
    while (count <= kMostHops && list.next(element)) {
        newest = count == 0 ? element : newest;
        wanted = count == walk.hop ? element : wanted;
        count++;
    }
    return count == walk.total ? wanted : newest;
}

void read_x_forwarded(const ForwardedFields& fields, const TrustedPeers& trusted, Origin& out) {
    Walk walk = walk_addresses(fields.x_for, trusted, out);
    take_scheme(element_of(fields.x_proto, walk), out);
    take_host(element_of(fields.x_host, walk), out);
    uint16_t port = 0;
    if (parse_port(element_of(fields.x_port, walk), port)) {
        out.port = port;
    }
}

// ---- Forwarded ---------------------------------------------------------------------------------

struct Pairs {
    std::string_view node;
    std::string_view proto;
    std::string_view host;
};

// The value of a quoted string without escapes, or of a token; null data: neither.
std::string_view unquoted(std::string_view text) {
    if (!text.starts_with("\"")) {
        return text.find_first_of("\"\\") == text.npos ? text : std::string_view();
    }
    if (text.size() < 2 || !text.ends_with("\"")) {
        return {};
    }
    text = text.substr(1, text.size() - 2);
    return text.find_first_of("\"\\") == text.npos ? text : std::string_view();
}

bool take_pair(std::string_view pair, Pairs& out) {
    size_t equals = pair.find('=');
    if (equals == pair.npos) {
        return false;
    }
    std::string_view name = pair.substr(0, equals);
    std::string_view value = unquoted(pair.substr(equals + 1));
    std::string_view* place = equals_ignoring_case(name, "for")     ? &out.node
                              : equals_ignoring_case(name, "proto") ? &out.proto
                              : equals_ignoring_case(name, "host")  ? &out.host
                                                                    : nullptr;
    if (place == nullptr) {
        return true;
    }
    if (value.empty() || !place->empty()) {  // each comes once
        return false;
    }
    *place = value;
    return true;
}

bool read_element(std::string_view element, Pairs& out) {
    while (!element.empty()) {
        size_t end = 0;
        for (bool quoted = false; end < element.size() && (quoted || element[end] != ';'); end++) {
            quoted = element[end] == '"' ? !quoted : quoted;
        }
        std::string_view pair = http::trimmed(element.substr(0, end));
        if (!pair.empty() && !take_pair(pair, out)) {
            return false;
        }
        element.remove_prefix(std::min(end + 1, element.size()));
    }
    return true;
}

void read_forwarded(const ForwardedFields& fields, const TrustedPeers& trusted, Origin& out) {
    FromTheRight list(fields.forwarded, Quotes::kKnown);
    std::string_view element;
    for (size_t hop = 0; hop < kMostHops && list.next(element); hop++) {
        Pairs pairs;
        if (!read_element(element, pairs)) {
            return;
        }
        // What this proxy saw of its own peer.
        out.scheme = Origin::Scheme::kUnknown;
        out.host = {};
        take_scheme(pairs.proto, out);
        take_host(pairs.host, out);
        Address address;
        if (!parse_node(pairs.node, address)) {
            return;
        }
        out.client = unmapped(address);
        if (!trusted.contains(out.client)) {
            return;
        }
    }
}

void find_port(Origin& out) {
    if (out.port != 0) {
        return;
    }
    std::string_view name = http::host_without_port(out.host);
    uint16_t port = 0;
    if (name.size() < out.host.size() && parse_port(out.host.substr(name.size() + 1), port)) {
        out.port = port;
    } else if (out.scheme != Origin::Scheme::kUnknown) {
        out.port = out.scheme == Origin::Scheme::kHttps ? 443 : 80;
    }
}

}  // namespace

void Lines::add(std::string_view value) {
    if (count == kMost) {
        std::move(at + 1, at + kMost, at);
        count--;
    }
    at[count++] = value;
}

Origin find_origin(const ForwardedFields& fields, ForwardedStyle style, const TrustedPeers& trusted,
                   const Address& peer) {
    Origin out;
    out.client = unmapped(peer);
    if (!trusted.contains(out.client)) {
        return out;
    }
    if (style == ForwardedStyle::kForwarded) {
        read_forwarded(fields, trusted, out);
    } else {
        read_x_forwarded(fields, trusted, out);
    }
    out.told = true;
    find_port(out);
    return out;
}

}  // namespace stampede::proto::proxy
