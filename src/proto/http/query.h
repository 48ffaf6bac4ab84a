// key=value pairs of a query string or an application/x-www-form-urlencoded body.
// The reader borrows the text it walks over. One thread, never parks, never allocates; linear time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "proto/http/uri.h"

namespace stampede::proto::http {

enum class PairsResult : uint8_t {
    kAll,      // every pair was given
    kLimited,  // max_pairs were given and there is more
};

// Walks over the raw pairs: no decoding, pairs without a key are skipped.
class PairReader {
public:
    explicit PairReader(std::string_view text) : rest_(text) {}

    // False at the end.
    bool next(std::string_view& key, std::string_view& value);

private:
    std::string_view rest_;
};

// Calls sink(std::string_view key, std::string_view value) for each pair, decoded into scratch,
// which needs text.size() bytes and may be the text itself. Both views end with the call. "a" gives
// ("a", "").
template <typename Sink>
PairsResult for_each_pair(std::string_view text, char* scratch, size_t max_pairs, Sink&& sink) {
    PairReader reader(text);
    std::string_view key;
    std::string_view value;
    for (size_t count = 0; reader.next(key, value); count++) {
        if (count == max_pairs) {
            return PairsResult::kLimited;
        }
        char* value_out = scratch + key.size();
        size_t key_length = percent_decode(key, scratch, Plus::kSpace);
        size_t value_length = percent_decode(value, value_out, Plus::kSpace);
        sink(std::string_view(scratch, key_length), std::string_view(value_out, value_length));
    }
    return PairsResult::kAll;
}

}  // namespace stampede::proto::http
