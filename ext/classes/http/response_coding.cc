// Compression of a Response's body: decided when the head goes out, by the settings, the type, the
// length and what the peer accepts.
#include "classes/http/response.h"
#include "server/service.h"
#include "zend/view.h"

namespace stampede::classes {

using proto::coding::Coding;
using proto::coding::Flush;

namespace {

using zend::view;

bool is_named(const ResponseField& field, std::string_view name) {
    return ZSTR_LEN(field.name) == name.size() &&
           zend_binary_strcasecmp(ZSTR_VAL(field.name), ZSTR_LEN(field.name), name.data(),
                                  name.size()) == 0;
}

ResponseField* find_field(FieldList& list, std::string_view name) {
    for (uint32_t i = 0; i < list.count; i++) {
        if (is_named(list.items[i], name)) {
            return &list.items[i];
        }
    }
    return nullptr;
}

std::string_view text_of(const ResponseField* field) {
    return field != nullptr && Z_TYPE(field->value) == IS_STRING ? view(Z_STR(field->value))
                                                                 : std::string_view();
}

void add_field(FieldList& list, std::string_view name, std::string_view value) {
    zval text;
    ZVAL_STRINGL(&text, value.data(), value.size());
    put_field(list, {zend_string_init(name.data(), name.size(), false), text, FieldRole::kPlain, 0},
              FieldMode::kAppend);
}

bool holds_ignoring_case(std::string_view text, std::string_view word) {
    return zend_memnistr(text.data(), word.data(), word.size(), text.data() + text.size()) !=
           nullptr;
}

// What a peer without Accept-Encoding gets serves everybody; only its sender is told that the
// response depends on it.
void add_vary(FieldList& list) {
    ResponseField* vary = find_field(list, "vary");
    std::string_view present = text_of(vary);
    if (holds_ignoring_case(present, "accept-encoding") || present == "*") {
        return;
    }
    add_field(list, "Vary", "Accept-Encoding");
}

// Another coding is another representation: the tag says "equivalent" only.
void weaken_etag(FieldList& list) {
    ResponseField* etag = find_field(list, "etag");
    std::string_view tag = text_of(etag);
    if (!tag.starts_with('"')) {
        return;
    }
    zend_string* weak = zend_string_concat2("W/", 2, tag.data(), tag.size());
    zval_ptr_dtor(&etag->value);
    ZVAL_STR(&etag->value, weak);
}

void drop_length(FieldList& list) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list.count; i++) {
        if (list.items[i].role == FieldRole::kContentLength) {
            zend_string_release(list.items[i].name);
            zval_ptr_dtor(&list.items[i].value);
        } else {
            list.items[kept++] = list.items[i];
        }
    }
    list.count = kept;
}

bool may_be_coded(ResponseObject& response, const server::Compression& compression,
                  uint64_t length) {
    FieldList& list = response.fields;
    std::string_view type = text_of(find_field(list, "content-type"));
    return compression.applies_to(response.status != 0 ? response.status : 200,
                                  type.empty() ? "text/html" : type, length) &&
           find_field(list, "content-encoding") == nullptr &&
           !holds_ignoring_case(text_of(find_field(list, "cache-control")), "no-transform");
}

bool code_with(ResponseObject& response, server::Compression& compression, Coding coding,
               uint64_t length) {
    if (coding == Coding::kIdentity) {
        return false;
    }
    server::Compression::Lease lease = compression.take(coding, length);
    if (lease.encoder == nullptr) {
        return false;
    }
    add_field(response.fields, "Content-Encoding", proto::coding::coding_name(coding));
    weaken_etag(response.fields);
    drop_length(response.fields);
    response.coder = new server::Compression::Lease(std::move(lease));
    return true;
}

}  // namespace

bool start_coding(ResponseObject& response, uint64_t length) {
    const server::Exchange& exchange = *response.exchange;
    server::Compression& compression = exchange.service().compression();
    if (exchange.head.find(proto::http::KnownField::kAcceptEncoding) == nullptr ||
        !may_be_coded(response, compression, length)) {
        return false;
    }
    add_vary(response.fields);
    return code_with(response, compression, server::Compression::coding_for(exchange), length);
}

bool start_coding_as(ResponseObject& response, server::Compression& compression, Coding coding,
                     uint64_t length) {
    if (!may_be_coded(response, compression, length)) {
        return false;
    }
    add_vary(response.fields);
    return code_with(response, compression, coding, length);
}

bool code_piece(ResponseObject& response, std::string_view bytes, Flush flush, Buffer& out) {
    return response.coder->encoder->encode(bytes, flush, out);
}

void stop_coding(ResponseObject& response) {
    if (response.coder != nullptr) {
        if (response.exchange != nullptr) {
            response.exchange->service().compression().give_back(std::move(*response.coder));
        }
        delete response.coder;
        response.coder = nullptr;
    }
}

}  // namespace stampede::classes
