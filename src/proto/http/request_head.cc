#include "proto/http/request_head.h"

#include <cstdlib>
#include <cstring>

namespace stampede::proto::http {

RequestHead::~RequestHead() {
    if (fields != inline_fields) {
        std::free(fields);
    }
}

void RequestHead::reset() {
    path = query = authority = host = Slice();
    keep_alive = true;
    chunked = has_content_length = expect_continue = upgrade = has_host = false;
    content_length = 0;
    head_bytes = 0;
    field_count = 0;
}

void RequestHead::grow() {
    uint32_t capacity = field_capacity * 2;
    bool is_inline = fields == inline_fields;
    auto* grown =
        static_cast<Field*>(std::realloc(is_inline ? nullptr : fields, capacity * sizeof(Field)));
    if (grown == nullptr) {
        std::abort();
    }
    if (is_inline) {
        std::memcpy(static_cast<void*>(grown), inline_fields, sizeof(inline_fields));
    }
    fields = grown;
    field_capacity = capacity;
}

const Field* RequestHead::find(KnownField id) const {
    for (const Field& field : *this) {
        if (field.id == id) {
            return &field;
        }
    }
    return nullptr;
}

const Field* RequestHead::find(std::string_view name, const char* base) const {
    for (const Field& field : *this) {
        if (equals_ignoring_case(field.name.in(base), name)) {
            return &field;
        }
    }
    return nullptr;
}

const Field* RequestHead::find_next(const Field& field, const char* base) const {
    for (const Field* next = &field + 1; next != end(); next++) {
        if (next->id == field.id &&
            equals_ignoring_case(next->name.in(base), field.name.in(base))) {
            return next;
        }
    }
    return nullptr;
}

std::string_view RequestHead::list(std::string_view name, const char* base,
                                   std::string& room) const {
    const Field* first = find(name, base);
    if (first == nullptr) {
        return {};
    }
    const Field* next = find_next(*first, base);
    if (next == nullptr) {
        return first->value.in(base);
    }
    room = first->value.in(base);
    for (; next != nullptr; next = find_next(*next, base)) {
        room.append(", ").append(next->value.in(base));
    }
    return room;
}

}  // namespace stampede::proto::http
