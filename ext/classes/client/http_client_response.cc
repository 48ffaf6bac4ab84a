// A response as PHP sees it: fields, cookies, the body with its coding off, in memory, in a file or
// given to a function piece by piece.
#include <algorithm>
#include <cstring>

#include "classes/client/http_client.h"
#include "classes/http/known_strings.h"
#include "client/cookies.h"
#include "os/fd.h"
#include "os/file.h"
#include "proto/http/uri.h"
#include "zend/pending.h"

namespace stampede::classes::client {

namespace {

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

void keep_cookie(HttpClient& client, std::string_view line) {
    stampede::client::SetCookie cookie;
    if (!stampede::client::read_set_cookie(line, cookie)) {
        return;
    }
    HashTable* cookies = array_in(client, Slot::kCookies);
    if (cookie.removes) {
        zend_symtable_str_del(cookies, cookie.name.data(), cookie.name.size());
        return;
    }
    zval value;
    ZVAL_STR(&value, zend_string_alloc(cookie.value.size(), 0));
    Z_STRLEN(value) =
        proto::http::percent_decode(cookie.value, Z_STRVAL(value), proto::http::Plus::kSpace);
    Z_STRVAL(value)[Z_STRLEN(value)] = '\0';
    zend_symtable_str_update(cookies, cookie.name.data(), cookie.name.size(), &value);
}

bool is_set_cookie(const Field& field, const char* base) {
    return field.name.length == 10 &&
           proto::http::equals_ignoring_case(field.name.in(base), "set-cookie");
}

// What a server promises is believed up to a point, and beyond it up to four times what has come:
// memory that is never filled would count for memory_limit all the same.
constexpr uint64_t kBelieved = 1u << 20;
constexpr size_t kBelievedTimes = 4;

// Of the body, within its limit; 0: nobody knows.
uint64_t promised_size(const HttpClient& client) {
    bool counted =
        client.reader.body_end() == proto::http1::BodyEnd::kCounted && !client.reader.decodes();
    return counted ? client.reader.head().content_length : 0;
}

// For so many more bytes behind what is there.
char* make_room(HttpClient& client, size_t size) {
    size_t used = static_cast<size_t>(client.body_bytes);
    size_t room = client.body != nullptr ? ZSTR_LEN(client.body) : 0;
    if (room - used < size) {
        uint64_t promised = promised_size(client);
        size_t next = promised > room
                          ? std::min(static_cast<size_t>(promised), room * kBelievedTimes)
                          : (room < (64u << 20) ? room * 2 : room + room / 4);
        next = std::max({next, used + size, size_t{256}});
        client.body = client.body != nullptr ? zend_string_realloc(client.body, next, 0)
                                             : zend_string_alloc(next, 0);
    }
    return ZSTR_VAL(client.body) + used;
}

BodyProblem append_to_body(HttpClient& client, std::string_view piece) {
    memcpy(make_room(client, piece.size()), piece.data(), piece.size());
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

bool open_download(HttpClient& client) {
    zval* path = slot_of(client, Slot::kDownloadFile);
    if (Z_TYPE_P(path) != IS_STRING || client.reader.head().status == 101) {
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
    const proto::http1::ParsedResponseHead& head = client.reader.head();
    array_init_size(&headers, static_cast<uint32_t>(head.fields.size()));
    ZVAL_NULL(&set_cookies);
    for (const Field& field : head.fields) {
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
    put_long(client, Slot::kStatusCode, head.status);
    put(client, Slot::kHeaders, &headers);
    put(client, Slot::kSetCookieHeaders, &set_cookies);
}

void show_trailer(HttpClient& client) {
    client.reader.each_trailer_field([&](std::string_view name, std::string_view text) {
        zend_string* key = key_of(client, name);
        zval value;
        ZVAL_STRINGL_FAST(&value, text.data(), text.size());
        add_field(array_in(client, Slot::kHeaders), key, &value);
        zend_string_release(key);
    });
}

BodyProblem begin_body(HttpClient& client) {
    if (!open_download(client)) {
        return BodyProblem::kDisk;
    }
    uint64_t length = client.reader.head().content_length;
    bool counted =
        client.reader.body_end() == proto::http1::BodyEnd::kCounted && client.download_file < 0;
    if (counted && length > client.settings.body_limit) {
        return BodyProblem::kTooLarge;
    }
    if (counted && !client.write_func && !client.reader.decodes()) {
        client.body = zend_string_alloc(static_cast<size_t>(std::min(length, kBelieved)), 0);
    }
    return BodyProblem::kNone;
}

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

size_t plain_rest_of_body(const HttpClient& client) {
    bool in_memory = client.download_file < 0 && !client.write_func;
    return in_memory ? static_cast<size_t>(client.reader.plain_rest()) : 0;
}

long receive_plain_body(HttpClient& client, size_t rest, Nanos deadline) {
    // A piece of a large body: other coroutines get their turn.
    constexpr size_t kPiece = 256 * 1024;
    constexpr size_t kLeast = 64 * 1024;
    char* place = make_room(client, std::min(rest, kLeast));
    size_t room = ZSTR_LEN(client.body) - static_cast<size_t>(client.body_bytes);
    long count = client.stream().receive(place, std::min({rest, room, kPiece}), deadline);
    if (count > 0) {
        client.body_bytes += static_cast<uint64_t>(count);
        client.reader.took(static_cast<uint64_t>(count));
    }
    return count;
}

void show_body(HttpClient& client) {
    if (client.body != nullptr) {
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
}

void drop_body(HttpClient& client) {
    if (client.body != nullptr) {
        zend_string_efree(client.body);
        client.body = nullptr;
    }
    client.body_bytes = 0;
    client.reader.release();
    os::close_fd(client.download_file);
    client.download_file = -1;
}

}  // namespace stampede::classes::client
