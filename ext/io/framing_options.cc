#include "io/framing_options.h"

namespace stampede::io {

using proto::frame::Kind;
using proto::frame::LengthField;
using proto::frame::Rules;

namespace {

constexpr zend_long kFarthestLength = 65535;
constexpr zend_long kFarthestBody = INT32_MAX;

bool is_within(HashTable* options, std::string_view key, zend_long least, zend_long most) {
    zval* value = find_option(options, key);
    if (value == nullptr) {
        return true;
    }
    zend_long number = 0;
    bool is_whole = Z_TYPE_P(value) == IS_LONG;
    if (is_whole) {
        number = Z_LVAL_P(value);
    } else if (Z_TYPE_P(value) == IS_STRING) {
        is_whole = is_numeric_string(Z_STRVAL_P(value), Z_STRLEN_P(value), &number, nullptr,
                                     false) == IS_LONG;
    }
    return is_whole && number >= least && number <= most;
}

}  // namespace

void choose_framing(HashTable* options, std::string_view key, Kind kind, Rules& rules) {
    if (option_is_on(options, key)) {
        rules.kind = kind;
    } else if (find_option(options, key) != nullptr && rules.kind == kind) {
        rules.kind = Kind::kNone;
    }
}

void read_framing_numbers(HashTable* options, Rules& rules) {
    read_text(options, "package_eof", rules.mark);
    read_size(options, "package_max_length", rules.max_size);
    zend_long number = static_cast<zend_long>(rules.length_offset);
    read_number(options, "package_length_offset", number);
    rules.length_offset = number > 0 ? static_cast<size_t>(number) : 0;
    number = rules.body_offset;
    read_number(options, "package_body_start", number);
    read_number(options, "package_body_offset", number);
    rules.body_offset = number;
}

const char* read_framing_marks(HashTable* options, Rules& rules) {
    zval* mark = find_option(options, "package_eof");
    if (mark != nullptr && Z_TYPE_P(mark) != IS_STRING) {
        return "The setting package_eof must be a text.";
    }
    if ((rules.kind == Kind::kMark || rules.kind == Kind::kMarkAtEnd) && rules.mark.empty()) {
        return "The setting package_eof must not be empty.";
    }
    zval* letter = find_option(options, "package_length_type");
    if (letter != nullptr && (Z_TYPE_P(letter) != IS_STRING || Z_STRLEN_P(letter) != 1 ||
                              !LengthField::of_letter(*Z_STRVAL_P(letter), rules.length))) {
        return "The setting package_length_type must be a letter that pack() knows for whole "
               "numbers, as N.";
    }
    if (!is_within(options, "package_length_offset", 0, kFarthestLength)) {
        return "The setting package_length_offset must be a whole number from 0 to 65535.";
    }
    for (const char* key : {"package_body_offset", "package_body_start"}) {
        if (!is_within(options, key, -kFarthestBody, kFarthestBody)) {
            return "The settings package_body_offset and package_body_start must be whole numbers "
                   "of 32 bits.";
        }
    }
    return nullptr;
}

}  // namespace stampede::io
