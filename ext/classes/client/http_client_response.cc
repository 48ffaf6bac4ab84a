// A response as PHP sees it: fields, cookies, the body with its coding off, in memory, in a file or
// given to a function piece by piece.
#include <algorithm>
#include <cstring>

#include "classes/client/http_client.h"
#include "classes/http/known_strings.h"
#include "os/fd.h"
#include "os/file.h"
#include "proto/http/uri.h"
#include "zend/pending.h"

namespace stampede::classes::client {

namespace {

using proto::coding::Coding;
using proto::coding::DecodeStatus;
using proto::http::Field;
using proto::http::KnownField;

zend_string* key_of(HttpClient& client, std::string_view name) {
    zend_string* key = zend_string_alloc(name.size(), 0);
    if (client.settings.lower_case_names) {
        zend_str_tolower_copy(ZSTR_VAL(key), name.data(), name.size());
    } else {
        memcpy(ZSTR_VAL(key), name.data(), name.size());
        ZSTR_VAL(key)[name.size()] = '\0';
    }
    return key;
}

zend_string* key_of(HttpClient& client, const Field& field) {
    if (client.settings.lower_case_names) {
        if (zend_string* known = known_field_name(field.id)) {
            return known;
        }
    }
    return key_of(client, field.name.in(client.in.data()));
}

// A name that comes again makes a list of its values. A name that is a number is the key that PHP
// makes of such a text.
void add_field(HashTable* headers, zend_string* key, zval* value) {
    zval* there = zend_symtable_find(headers, key);
    if (there == nullptr) {
        zend_symtable_update(headers, key, value);
        return;
    }
    if (Z_TYPE_P(there) != IS_ARRAY) {
        zval list;
        array_init(&list);
        zend_hash_next_index_insert_new(Z_ARRVAL(list), there);
        ZVAL_COPY_VALUE(there, &list);
    }
    zend_hash_next_index_insert_new(Z_ARRVAL_P(there), value);
}

bool is_removal(std::string_view attributes) {
    for (;;) {
        size_t at = attributes.find(';');
        std::string_view item = attributes.substr(0, at);
        item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
        if (item.size() > 8 && proto::http::equals_ignoring_case(item.substr(0, 8), "max-age=")) {
            return item[8] == '-' || item[8] == '0';
        }
        if (at == std::string_view::npos) {
            return false;
        }
        attributes.remove_prefix(at + 1);
    }
}

// name=value; attributes
void keep_cookie(HttpClient& client, std::string_view line) {
    size_t end = line.find(';');
    std::string_view pair = line.substr(0, end);
    size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return;
    }
    HashTable* cookies = array_in(client, Slot::kCookies);
    std::string_view name = pair.substr(0, equals);
    if (end != std::string_view::npos && is_removal(line.substr(end + 1))) {
        zend_symtable_str_del(cookies, name.data(), name.size());
        return;
    }
    std::string_view text = pair.substr(equals + 1);
    zval value;
    ZVAL_STR(&value, zend_string_alloc(text.size(), 0));
    Z_STRLEN(value) = proto::http::percent_decode(text, Z_STRVAL(value), proto::http::Plus::kSpace);
    Z_STRVAL(value)[Z_STRLEN(value)] = '\0';
    zend_symtable_str_update(cookies, name.data(), name.size(), &value);
}

bool is_set_cookie(const Field& field, const char* base) {
    return field.name.length == 10 &&
           proto::http::equals_ignoring_case(field.name.in(base), "set-cookie");
}

BodyProblem append_to_body(HttpClient& client, std::string_view piece) {
    size_t used = static_cast<size_t>(client.body_bytes);
    size_t room = client.body != nullptr ? ZSTR_LEN(client.body) : 0;
    if (room - used < piece.size()) {
        size_t next =
            std::max(used + piece.size(), room < (64u << 20) ? room * 2 : room + room / 4);
        next = std::max<size_t>(next, 256);
        client.body = client.body != nullptr ? zend_string_realloc(client.body, next, 0)
                                             : zend_string_alloc(next, 0);
    }
    memcpy(ZSTR_VAL(client.body) + used, piece.data(), piece.size());
    client.body_bytes += piece.size();
    return BodyProblem::kNone;
}

BodyProblem give_to_function(HttpClient& client, std::string_view piece) {
    zval arguments[2];
    zval result;
    ZVAL_OBJ_COPY(&arguments[0], &client.std);
    ZVAL_STRINGL(&arguments[1], piece.data(), piece.size());
    zend::Outcome outcome = zend::call(client.write_func, 2, arguments, &result);
    zval_ptr_dtor(&arguments[0]);
    zval_ptr_dtor(&arguments[1]);
    client.body_bytes += piece.size();
    if (outcome != zend::Outcome::kReturned) {
        return BodyProblem::kRefused;
    }
    bool refused = Z_TYPE(result) == IS_FALSE;
    zval_ptr_dtor(&result);
    return refused ? BodyProblem::kRefused : BodyProblem::kNone;
}

// Decoded bytes.
BodyProblem store(HttpClient& client, std::string_view piece) {
    if (client.download_file >= 0) {
        client.body_bytes += piece.size();
        return os::write_all(client.download_file, piece) ? BodyProblem::kNone : BodyProblem::kDisk;
    }
    if (piece.size() > client.settings.body_limit - client.body_bytes) {
        return BodyProblem::kTooLarge;
    }
    return client.write_func ? give_to_function(client, piece) : append_to_body(client, piece);
}

bool open_download(HttpClient& client) {
    zval* path = slot_of(client, Slot::kDownloadFile);
    if (Z_TYPE_P(path) != IS_STRING || client.response.status == 101) {
        return true;
    }
    zend_long offset = zval_get_long(slot_of(client, Slot::kDownloadOffset));
    client.download_file =
        os::open_for_writing(Z_STRVAL_P(path), offset > 0 ? static_cast<uint64_t>(offset) : 0);
    return client.download_file >= 0;
}

}  // namespace

void show_head(HttpClient& client) {
    const char* base = client.in.data();
    zval headers;
    zval set_cookies{};
    array_init_size(&headers, static_cast<uint32_t>(client.response.fields.size()));
    ZVAL_NULL(&set_cookies);
    for (const Field& field : client.response.fields) {
        std::string_view text = field.value.in(base);
        zval value;
        ZVAL_STRINGL_FAST(&value, text.data(), text.size());
        zend_string* key = key_of(client, field);
        add_field(Z_ARRVAL(headers), key, &value);
        zend_string_release(key);
        if (is_set_cookie(field, base)) {
            if (Z_TYPE(set_cookies) == IS_NULL) {
                array_init(&set_cookies);
            }
            Z_TRY_ADDREF(value);
            zend_hash_next_index_insert_new(Z_ARRVAL(set_cookies), &value);
            keep_cookie(client, text);
        }
    }
    put_long(client, Slot::kStatusCode, client.response.status);
    put(client, Slot::kHeaders, &headers);
    put(client, Slot::kSetCookieHeaders, &set_cookies);
}

// Well-formed, as the decoder of the chunks has seen.
void show_trailer(HttpClient& client) {
    if (client.trailer.empty()) {
        return;
    }
    std::string_view rest = client.trailer.view();
    HashTable* headers = array_in(client, Slot::kHeaders);
    for (size_t colon; (colon = rest.find(':')) != std::string_view::npos;) {
        size_t end = rest.find('\r', colon);
        zend_string* key = key_of(client, rest.substr(0, colon));
        std::string_view text = proto::http::trimmed(rest.substr(colon + 1, end - colon - 1));
        zval value;
        ZVAL_STRINGL_FAST(&value, text.data(), text.size());
        add_field(headers, key, &value);
        zend_string_release(key);
        rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    client.trailer.release();
}

BodyProblem begin_body(HttpClient& client, proto::http1::BodyEnd end) {
    client.trailer.clear();
    client.response_body.begin(end, client.response.content_length, {});
    Coding coding = proto::coding::coding_by_name(client.response.content_coding(client.in.data()));
    bool coded = client.settings.decode_body && end != proto::http1::BodyEnd::kNone;
    client.decoder = coded ? proto::coding::Decoder::create(coding) : nullptr;
    client.decoded_to_end = false;
    if (!open_download(client)) {
        return BodyProblem::kDisk;
    }
    bool counted = end == proto::http1::BodyEnd::kCounted && client.download_file < 0;
    if (counted && client.response.content_length > client.settings.body_limit) {
        return BodyProblem::kTooLarge;
    }
    if (counted && !client.write_func && client.decoder == nullptr) {
        // What a server promises is believed up to a point.
        constexpr uint64_t kBelieved = 1u << 20;
        auto size = static_cast<size_t>(std::min(client.response.content_length, kBelieved));
        client.body = zend_string_alloc(size, 0);
    }
    return BodyProblem::kNone;
}

BodyProblem take_body(HttpClient& client, std::string_view piece) {
    if (client.decoder == nullptr) {
        return store(client, piece);
    }
    BodyProblem problem = BodyProblem::kNone;
    DecodeStatus status = client.decoder->feed(piece, [&](std::string_view decoded) {
        problem = store(client, decoded);
        return problem == BodyProblem::kNone;
    });
    client.decoded_to_end = status == DecodeStatus::kDone;
    return status == DecodeStatus::kBad ? BodyProblem::kBadCoding : problem;
}

BodyProblem finish_body(HttpClient& client) {
    bool complete = client.decoder == nullptr || client.decoded_to_end || client.body_bytes == 0;
    if (client.body != nullptr && complete) {
        size_t size = static_cast<size_t>(client.body_bytes);
        if (size != ZSTR_LEN(client.body)) {
            client.body = zend_string_truncate(client.body, size, 0);
        }
        ZSTR_VAL(client.body)[size] = '\0';
        zval value;
        ZVAL_STR(&value, client.body);
        client.body = nullptr;
        put(client, Slot::kBody, &value);
    }
    drop_body(client);
    return complete ? BodyProblem::kNone : BodyProblem::kBadCoding;
}

void drop_body(HttpClient& client) {
    if (client.body != nullptr) {
        zend_string_efree(client.body);
        client.body = nullptr;
    }
    client.body_bytes = 0;
    client.decoder.reset();
    os::close_fd(client.download_file);
    client.download_file = -1;
}

}  // namespace stampede::classes::client
