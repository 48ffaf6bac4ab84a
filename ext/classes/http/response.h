// Swoole\Http\Response: collects status and fields, and hands head and body to its exchange. Owned
// by PHP; holds its exchange. PHP thread; write() may park while the peer reads too slowly.
#pragma once

#include "server/compression.h"
#include "server/exchange.h"
#include "zend/php.h"

namespace stampede::classes {

// Fields that are treated apart when the head is written.
enum class FieldRole : uint8_t {
    kPlain,
    kContentType,
    kDate,
    kServer,
    kConnection,
    kContentLength,
    kFraming,  // Transfer-Encoding, Keep-Alive: never the application's
};

struct ResponseField {
    zend_string* name;
    zval value;  // a string, or an array of strings: a line each
    FieldRole role;
    uint32_t name_key;  // put_field() sets it: equal for names that differ in letter case alone
};

struct FieldList {
    static constexpr uint32_t kInline = 6;

    ResponseField* items;
    uint32_t count;
    uint32_t capacity;
    ResponseField inline_items[kInline];
};

class WebSocketPeer;
class ResponseCarrier;

struct ResponseObject {
    server::Exchange* exchange;         // null when ended, detached, upgraded or never had one
    WebSocketPeer* websocket;           // after upgrade()
    ResponseCarrier* carrier;           // of one that never had an exchange of this process
    server::Compression::Lease* coder;  // while the body is compressed
    zend_string* reason;
    int status;     // 0: not set
    uint32_t gone;  // bit per property that shows a list and was unset: an ordinary one since then
    FieldList fields;
    FieldList trailers;
    zend_object std;
};

// Declaration order of the class; the slots of the properties.
enum ResponseSlot : uint32_t {
    kShownFd,
    kShownSocket,
    kShownHeader,
    kShownCookie,
    kShownTrailer,
};

inline ResponseObject* response_of(zend_object* object) {
    return reinterpret_cast<ResponseObject*>(reinterpret_cast<char*>(object) -
                                             offsetof(ResponseObject, std));
}

extern zend_class_entry* response_class;
extern zend_class_entry* cookie_class;

// A Response for an exchange. The caller owns the reference.
zend_object* make_response(server::Exchange& exchange);

// A Response without an exchange, with what `fd` and `socket` (null when it is null) show.
zend_object* make_detached_response(zend_long fd, zend_object* socket);

// The exchange when something can be sent; otherwise the API's warning.
server::Exchange* usable_exchange(ResponseObject& response);
void let_go(ResponseObject& response);
void drop_websocket(ResponseObject& response);
bool shut_websocket(ResponseObject& response);
// What header() and cookie() have collected, for the response of a handshake. Valid until the next
// call.
server::FieldList handshake_fields(ResponseObject& response);
// A 101 of an application that replies to the handshake of its WebSocket server itself: true when
// the connection was taken over.
bool finish_handshake(ResponseObject& response);

// Sends the head as it stands; body_length may be server::kUnknownLength. True when there is
// somebody to send to.
bool send_response_head(ResponseObject& response, uint64_t body_length,
                        std::string_view default_type);
// The same head for code that writes it another way: calls write with it and with the length that
// it has to tell.
struct WantedHead {
    bool is_head_request;
    uint64_t body_length;
    std::string_view default_type;
};
using WriteHead = void (*)(void* context, const server::ResponseHead& head, uint64_t body_length,
                           Buffer& out);
void describe_head(ResponseObject& response, const WantedHead& wanted, void* context,
                   WriteHead write, Buffer& out);
// Before the head: false when the body, of this length or in pieces (kUnknownLength), goes out as
// it is. The fields say which.
bool start_coding(ResponseObject& response, uint64_t length);
// The same without an exchange, for a peer that takes this coding.
bool start_coding_as(ResponseObject& response, server::Compression& compression,
                     proto::coding::Coding coding, uint64_t length);
// Appends to out; false when memory is short.
bool code_piece(ResponseObject& response, std::string_view bytes, proto::coding::Flush flush,
                Buffer& out);
void stop_coding(ResponseObject& response);
// Ends the response of a handler that left by exit(): what was produced is sent.
void finish_response(ResponseObject& response, int default_status);

// Appends or, with replace, takes the place of a field of the same name in any letter case.
enum class FieldMode : uint8_t { kReplace, kAppend };
// Takes over the references of the field.
void put_field(FieldList& list, ResponseField field, FieldMode mode);
void remove_field(FieldList& list, const zend_string* name);
void init_fields(FieldList& list);
void free_fields(FieldList& list);
// In response_properties.cc.
void set_property_handlers(zend_object_handlers& handlers);
// The list as PHP shows it: names to values.
void show_fields(const FieldList& list, zval* out);

// A Set-Cookie value; null, with a warning, when a part would break the field.
struct CookieParts {
    zend_string* name;
    zend_string* value;
    zend_long expires;
    zend_string* path;
    zend_string* domain;
    zend_string* samesite;
    zend_string* priority;
    bool secure;
    bool http_only;
    bool partitioned;
    bool encode;
};
zend_string* format_cookie(const CookieParts& parts);

zend_result http_response_minit(int type, int module_number);

}  // namespace stampede::classes
