#include "proto/http2/fields.h"

#include "proto/http2/native_field.h"

namespace stampede::proto::http2 {

namespace {

// nghttp2 does not write there, its types only lack the word.
uint8_t* bytes_of(std::string_view text) {
    return reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
}

}  // namespace

HeadFields::HeadFields() = default;
HeadFields::~HeadFields() = default;

HeadFields::HeadFields(std::span<const Field> fields) {
    list_.reserve(fields.size());
    for (const Field& field : fields) {
        add(field.name, field.value);
    }
}

void HeadFields::add(std::string_view name, std::string_view value) {
    list_.push_back(
        {{bytes_of(name), bytes_of(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE}});
}

void HeadFields::clear() { list_.clear(); }

}  // namespace stampede::proto::http2
