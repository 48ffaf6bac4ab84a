#include "io/options.h"

#include <algorithm>
#include <charconv>

namespace stampede::io {

namespace {

int shift_of(char unit) {
    switch (unit | 0x20) {
        case 'k':
            return 10;
        case 'm':
            return 20;
        case 'g':
            return 30;
        default:
            return 0;
    }
}

}  // namespace

bool parse_size(std::string_view text, int64_t& out) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    int64_t number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) {
        return false;
    }
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    int shift = text.empty() ? 0 : shift_of(text.front());
    text.remove_prefix(shift > 0 ? 1 : 0);
    return (text.empty() || text == "b" || text == "B") &&
           !__builtin_mul_overflow(number, int64_t{1} << shift, &out);
}

bool parse_size(zval* value, int64_t& out) {
    if (Z_TYPE_P(value) == IS_STRING) {
        return parse_size({Z_STRVAL_P(value), Z_STRLEN_P(value)}, out);
    }
    out = zval_get_long(value);
    return Z_TYPE_P(value) == IS_LONG || Z_TYPE_P(value) == IS_DOUBLE;
}

void read_size(HashTable* settings, std::string_view key, size_t& out) {
    zval* value = find_option(settings, key);
    int64_t number = 0;
    if (value == nullptr) {
        return;
    }
    if (!parse_size(value, number)) {
        number = 0;
    }
    out = number > 0 ? static_cast<size_t>(number) : 0;
}

}  // namespace stampede::io
