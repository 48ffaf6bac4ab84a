// How packets end in a stream, as the API's arrays of settings say it. PHP thread; reading a text
// may warn, and so end the script: `rules` must not be a local with a destructor.
#pragma once

#include "io/options.h"
#include "proto/frame/frame.h"

namespace stampede::io {

inline bool option_is_on(HashTable* options, std::string_view key) {
    zval* value = find_option(options, key);
    return value != nullptr && zend_is_true(value);
}

// A protocol that is named and off ends it, if it was that one.
void choose_framing(HashTable* options, std::string_view key, proto::frame::Kind kind,
                    proto::frame::Rules& rules);
// The mark, the limit and the places of the length; not which of them counts.
void read_framing_numbers(HashTable* options, proto::frame::Rules& rules);
// package_length_type, and whether the mark and the numbers can be what they are given as. A
// sentence when they are no good, else null.
const char* read_framing_marks(HashTable* options, proto::frame::Rules& rules);

}  // namespace stampede::io
