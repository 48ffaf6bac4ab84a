// The fields of a Response: kept in a short list, since responses have few; written straight into
// the head. A field is looked for by a number made of its name, so that fifty of them are compared
// without reading their names.
#include <charconv>

#include "classes/http/response.h"
#include "ext/metrics/request_record.h"
#include "proto/http/message.h"
#include "runtime/runtime.h"
#include "zend/view.h"

namespace stampede::classes {

namespace {

// Setting bit 5 makes letters small. Of names that hold no letters it makes some equal that are
// not, so equal numbers only say that the names are to be compared.
uint32_t key_of(const zend_string* name) {
    constexpr uint64_t kSmall = 0x2020202020202020;
    constexpr uint64_t kMixer = 0x9e3779b97f4a7c15;
    const char* text = ZSTR_VAL(name);
    size_t length = ZSTR_LEN(name);
    uint64_t key = length * kMixer;
    for (; length >= 8; text += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        key = (key ^ (word | kSmall)) * kMixer;
        key ^= key >> 32;
    }
    // The bytes up to the next multiple of eight are the string's, as the engine allocates them.
    uint64_t rest;
    memcpy(&rest, text, 8);
    rest &= (uint64_t{1} << (8 * length)) - 1;
    key = (key ^ (rest | kSmall)) * kMixer;
    return static_cast<uint32_t>(key >> 32);
}

bool is_named(const ResponseField& field, const zend_string* name, uint32_t key) {
    return field.name_key == key && (field.name == name || zend_string_equals_ci(field.name, name));
}

void grow(FieldList& list) {
    uint32_t capacity = list.capacity * 2;
    auto* items = static_cast<ResponseField*>(safe_emalloc(capacity, sizeof(ResponseField), 0));
    memcpy(items, list.items, list.count * sizeof(ResponseField));
    if (list.items != list.inline_items) {
        efree(list.items);
    }
    list.items = items;
    list.capacity = capacity;
}

using zend::view;

// What is no length promises none.
uint64_t length_in(std::string_view text) {
    text = proto::http::trimmed(text);
    uint64_t length = 0;
    const char* end = text.data() + text.size();
    auto [parsed, error] = std::from_chars(text.data(), end, length);
    bool whole = error == std::errc() && parsed == end && length <= INT64_MAX;
    return whole ? length : server::kUnknownLength;
}

// The lines of a field, without those that are the server's to write.
struct HeadBuilder {
    static constexpr uint32_t kInline = 48;

    server::FieldRef* refs;
    uint32_t count = 0;
    uint32_t given = 0;
    uint64_t content_length = server::kUnknownLength;
    bool without_length = false;  // an empty Content-Length: the body's end is its only end
    server::FieldRef* allocated = nullptr;
    alignas(
        server::FieldRef) char inline_refs[kInline * sizeof(server::FieldRef)];  // filled as needed

    explicit HeadBuilder(const FieldList& list)
        : refs(reinterpret_cast<server::FieldRef*>(inline_refs)) {
        uint32_t lines = 0;
        for (uint32_t i = 0; i < list.count; i++) {
            const zval* value = &list.items[i].value;
            lines += Z_TYPE_P(value) == IS_ARRAY ? zend_hash_num_elements(Z_ARRVAL_P(value)) : 1;
        }
        if (lines > kInline) {
            allocated =
                static_cast<server::FieldRef*>(safe_emalloc(lines, sizeof(server::FieldRef), 0));
            refs = allocated;
        }
        for (uint32_t i = 0; i < list.count; i++) {
            add(list.items[i]);
        }
    }
    ~HeadBuilder() {
        if (allocated != nullptr) {
            efree(allocated);
        }
    }

    void add(const ResponseField& field) {
        if (!note_role(field)) {
            return;
        }
        if (Z_TYPE(field.value) == IS_STRING) {
            refs[count++] = {view(field.name), view(Z_STR(field.value))};
            return;
        }
        zval* line;
        ZEND_HASH_FOREACH_VAL(Z_ARRVAL(field.value), line) {
            refs[count++] = {view(field.name), view(Z_STR_P(line))};
        }
        ZEND_HASH_FOREACH_END();
    }

    // An empty value of a field that the server writes leaves it out, and an empty Content-Encoding
    // only says that the body is not to be compressed.
    bool note_role(const ResponseField& field) {
        bool empty = Z_TYPE(field.value) == IS_STRING && Z_STRLEN(field.value) == 0;
        switch (field.role) {
            case FieldRole::kPlain:
                return !empty || !zend_string_equals_literal_ci(field.name, "content-encoding");
            case FieldRole::kContentType:
                given |= server::kGivenContentType;
                return !empty;
            case FieldRole::kDate:
                given |= server::kGivenDate;
                return !empty;
            case FieldRole::kServer:
                given |= server::kGivenServer;
                return !empty;
            case FieldRole::kConnection:
                if (Z_TYPE(field.value) == IS_STRING &&
                    zend_string_equals_literal_ci(Z_STR(field.value), "close")) {
                    given |= server::kGivenConnectionClose;
                }
                return false;
            case FieldRole::kContentLength:
                without_length = empty;
                if (Z_TYPE(field.value) == IS_STRING) {
                    content_length = length_in(view(Z_STR(field.value)));
                }
                return false;
            case FieldRole::kFraming:
                return false;
        }
        return true;
    }
};

}  // namespace

void init_fields(FieldList& list) {
    list.items = list.inline_items;
    list.count = 0;
    list.capacity = FieldList::kInline;
}

void free_fields(FieldList& list) {
    for (uint32_t i = 0; i < list.count; i++) {
        zend_string_release(list.items[i].name);
        zval_ptr_dtor(&list.items[i].value);
    }
    if (list.items != list.inline_items) {
        efree(list.items);
    }
    init_fields(list);
}

void remove_field(FieldList& list, const zend_string* name) {
    uint32_t kept = 0;
    uint32_t key = key_of(name);
    for (uint32_t i = 0; i < list.count; i++) {
        if (is_named(list.items[i], name, key)) {
            zend_string_release(list.items[i].name);
            zval_ptr_dtor(&list.items[i].value);
        } else {
            list.items[kept++] = list.items[i];
        }
    }
    list.count = kept;
}

void put_field(FieldList& list, ResponseField field, FieldMode mode) {
    field.name_key = key_of(field.name);
    for (uint32_t i = 0; mode == FieldMode::kReplace && i < list.count; i++) {
        ResponseField& present = list.items[i];
        if (is_named(present, field.name, field.name_key)) {
            zend_string_release(present.name);
            zval_ptr_dtor(&present.value);
            present = field;
            return;
        }
    }
    if (list.count == list.capacity) {
        grow(list);
    }
    list.items[list.count++] = field;
}

void show_fields(const FieldList& list, zval* out) {
    array_init_size(out, list.count);
    for (uint32_t i = 0; i < list.count; i++) {
        const ResponseField& field = list.items[i];
        if (zend_string_equals_literal_ci(field.name, "set-cookie")) {
            continue;  // shown as `cookie`
        }
        zval copy;
        ZVAL_COPY(&copy, &field.value);
        zend_symtable_update(Z_ARRVAL_P(out), field.name, &copy);
    }
}

// The fields point into the builder. Gives the length to tell: the application's own counts where
// the body is not known here, in streams and responses to HEAD. The latter tell none without it:
// that of a GET is not 0 because nothing is sent now (RFC 9110 8.6).
static uint64_t fill_head(const ResponseObject& response, const HeadBuilder& builder,
                          const WantedHead& wanted, server::ResponseHead& head) {
    head.status = response.status != 0 ? response.status : 200;
    if (response.reason != nullptr) {
        head.reason = view(response.reason);
    }
    head.fields = builder.refs;
    head.field_count = builder.count;
    head.given = builder.given;
    head.default_type = wanted.default_type;
    head.type_without_body = true;
    bool own_length = wanted.body_length == server::kUnknownLength ||
                      (wanted.body_length == 0 && wanted.is_head_request);
    if (builder.without_length && !wanted.is_head_request) {
        return server::kUnknownLength;
    }
    return own_length ? builder.content_length : wanted.body_length;
}

// Of the request that the running coroutine works for, when this is its response: beside what the
// application says of its own timing.
static void add_server_timing(ResponseObject& response) {
    metrics::RequestRecord* record = runtime::Runtime::get().current_side().inheritance.record;
    if (record == nullptr || record->shown_in == nullptr || record->shown_in != response.exchange) {
        return;
    }
    record->shown_in = nullptr;
    metrics::charge(record);
    std::string text = metrics::server_timing(*record);
    zval value;
    ZVAL_STRINGL(&value, text.data(), text.size());
    put_field(response.fields,
              {zend_string_init(ZEND_STRL("Server-Timing"), 0), value, FieldRole::kPlain, 0},
              FieldMode::kAppend);
}

bool send_response_head(ResponseObject& response, uint64_t body_length,
                        std::string_view default_type) {
    if (UNEXPECTED(metrics::live_records != 0)) {
        add_server_timing(response);
    }
    HeadBuilder builder(response.fields);
    server::ResponseHead head;
    body_length = fill_head(
        response, builder, {response.exchange->is_head_request(), body_length, default_type}, head);
    return response.exchange->send_head(head, body_length);
}

void describe_head(ResponseObject& response, const WantedHead& wanted, void* context,
                   WriteHead write, Buffer& out) {
    HeadBuilder builder(response.fields);
    server::ResponseHead head;
    uint64_t length = fill_head(response, builder, wanted, head);
    write(context, head, length, out);
}

}  // namespace stampede::classes
