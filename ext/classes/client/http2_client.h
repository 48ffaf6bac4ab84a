// Swoole\Coroutine\Http2\Client: the object, and the steps of its work: sending what the
// connection has, receiving until a response is there. Owned by PHP. PHP thread; parks.
#pragma once

#include <memory>

#include "classes/client/dial.h"
#include "client/http2/connection.h"
#include "zend/object.h"

namespace stampede::classes::client {

namespace http2 = stampede::client::http2;

// Declaration order of the class.
enum class H2Slot : uint32_t {
    kErrCode,
    kErrMsg,
    kSock,
    kType,
    kSetting,
    kSocket,
    kConnected,
    kHost,
    kPort,
    kSsl,
    kServerLastStreamId,
};

struct Http2Client {
    DialPlan plan;
    Times times;
    Nanos total = kNever;
    http2::Limits limits;
    proto::http2::Settings settings;

    io::Stream stream;
    DialFailure failure;
    std::unique_ptr<http2::Connection> connection;
    bool sending = false;
    const runtime::Fiber* receiver = nullptr;
    bool writer_receives = false;  // the receiver is one that waits to write
    uint32_t would_receive = 0;    // coroutines that wait until that one lets go
    uint32_t incarnation = 0;      // counts connections
    zend_object std;
};

void put_h2(Http2Client& client, H2Slot slot, zval* value);
void put_h2_long(Http2Client& client, H2Slot slot, zend_long number);
void put_h2_text(Http2Client& client, H2Slot slot, std::string_view text);
bool fail_h2(Http2Client& client, int code, std::string_view text);

// http2_client_work.cc
bool connect_h2(Http2Client& client);
void close_h2(Http2Client& client);
// Sends what is pending; another coroutine that is sending takes it along. False with errCode.
bool flush_h2(Http2Client& client);
// False with errCode when the server takes no further request. Its connection lasts until the
// responses that are under way have been taken.
bool may_request_h2(Http2Client& client);
// The number of a stream that has something to give; 0 with errCode when none comes.
int32_t await_h2(Http2Client& client, http2::Wanted wanted, Nanos deadline);

// For a coroutine that waits to write, while nobody receives: what comes next is taken in, mostly
// new windows. False with errCode, after the deadline too.
bool receive_to_write_h2(Http2Client& client, Nanos deadline);

// http2_client_message.cc
// The stream of the request; 0 or negative with errCode.
int32_t submit_h2(Http2Client& client, zend_object* request);
// A Response of what the stream has; forgets the stream when it is done.
void take_h2(Http2Client& client, int32_t id, zval* out);
// A string of the data, forms encoded; null after an exception.
zend_string* body_text(zval* data);

extern zend_class_entry* http2_request_class;
extern zend_class_entry* http2_response_class;

}  // namespace stampede::classes::client
