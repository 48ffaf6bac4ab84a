// The pairs of a Cookie field (RFC 6265 4.2).
// The reader borrows the text it walks over. One thread, never parks, never allocates; linear time.
#pragma once

#include <cstddef>
#include <string_view>

#include "proto/http/query.h"
#include "proto/http/uri.h"

namespace stampede::proto::http {

// Walks over name=value pairs. Names are given exactly as sent, never decoded; white space around
// name and value is gone; a name without "=" has an empty value. A pair is left out when it has no
// name, or when decoding or CGI-style mangling of its name would make a `__Host-` or
// `__Secure-` cookie of one that is not literally so.
class CookieReader {
public:
    explicit CookieReader(std::string_view text) : rest_(text) {}

    // False at the end. value is as sent.
    bool next(std::string_view& name, std::string_view& value);

private:
    std::string_view rest_;
};

// True when the name is not literally a prefixed one, but some reader may take it for one.
bool disguises_cookie_prefix(std::string_view name);

// Calls sink(std::string_view name, std::string_view value) for each cookie; values are
// percent-decoded into scratch (text.size() bytes, not the text itself) and end with the call.
template <typename Sink>
PairsResult for_each_cookie(std::string_view text, char* scratch, size_t max_pairs, Sink&& sink) {
    CookieReader reader(text);
    std::string_view name;
    std::string_view value;
    for (size_t count = 0; reader.next(name, value); count++) {
        if (count == max_pairs) {
            return PairsResult::kLimited;
        }
        size_t length = percent_decode(value, scratch, Plus::kSpace);
        sink(name, std::string_view(scratch, length));
    }
    return PairsResult::kAll;
}

}  // namespace stampede::proto::http
