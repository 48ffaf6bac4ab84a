// Swoole\Http\Request: a view of an exchange whose arrays are built when they are first read. An
// unbuilt property is an undefined slot, which the engine's fast path leaves to the class's
// handlers; once built it is an ordinary array. Owned by PHP; holds its exchange. PHP thread, never
// parks.
#pragma once

#include <memory>

#include "ext/server/request_options.h"
#include "server/exchange.h"
#include "server/origin.h"
#include "zend/php.h"

namespace stampede::classes {

// A request given in pieces by Request::parse(), without a connection.
struct ParsedRequest;

struct RequestObject {
    server::Exchange* exchange;  // null for a request made by create()
    ParsedRequest* parsed;
    const RequestOptions* options;
    uint32_t built;  // bit per slot
    uint32_t port_index;
    server::Arrival arrival;
    zend_object std;
};

// Declaration order of the class; the slots of the properties.
enum RequestSlot : uint32_t {
    kSlotFd,
    kSlotStreamId,
    kSlotHeader,
    kSlotServer,
    kSlotCookie,
    kSlotGet,
    kSlotFiles,
    kSlotPost,
    kSlotTmpFiles,
    kSlotCount,
};

inline RequestObject* request_of(zend_object* object) {
    return reinterpret_cast<RequestObject*>(reinterpret_cast<char*>(object) -
                                            offsetof(RequestObject, std));
}

extern zend_class_entry* request_class;

// A Request for an exchange that has a connection. The caller owns the reference.
zend_object* make_request(server::Exchange& exchange, const RequestOptions& options);

// What a request is read from, wherever its bytes are.
struct RequestSource {
    const proto::http::RequestHead* head = nullptr;
    const char* base = nullptr;
    std::string_view body;
    char* body_block = nullptr;  // of body_strings(): the body lies there, and is whole

    std::string_view text(proto::http::Slice slice) const { return slice.in(base); }
};
// head is null when the object has no request, or not yet the first line of one. Before the last
// byte has come, the head and the body are what there is so far.
RequestSource source_of(const RequestObject& request);

// The property streamId of a Request that the application made; 0: there is none.
int32_t named_stream(const RequestObject* request);

// Fills the slot when it was not yet.
void build_slot(RequestObject& request, RequestSlot slot);
void build_header(const RequestSource& source, const RequestOptions& options, zval* out);
// In place of what a client that is not trusted calls its request.
void set_request_id(const RequestObject& request, zval* header);
void build_server(const RequestObject& request, const RequestSource& source, zval* out);
void build_cookie(const RequestSource& source, zval* out);
void build_query(std::string_view text, zval* out);
// For Handler::body_begins(): a form is taken apart as it arrives, its files go to the disk.
void plan_body(server::Exchange& exchange, const RequestOptions& options);
// Null when the body is no form with files, or they are not wanted.
std::unique_ptr<server::Form> make_form(const RequestSource& source, const RequestOptions& options);
// The three that come from the body, together.
void build_forms(RequestObject& request, const RequestSource& source);
// Unlinks what was uploaded and not moved away.
void remove_uploads(zval* paths);

zend_result http_request_minit(int type, int module_number);

// Set by the running server: numbers of the ports by index, for `server_port`.
void set_request_ports(const RequestPort* ports, uint32_t count);

}  // namespace stampede::classes
