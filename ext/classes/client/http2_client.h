// Swoole\Coroutine\Http2\Client: the object, its streams, and the steps of its work: sending what
// the session has, receiving until a response is there. Owned by PHP. PHP thread; parks.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "classes/client/dial.h"
#include "proto/coding/decoder.h"
#include "proto/http2/session.h"
#include "zend/object.h"

namespace stampede::classes::client {

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

// A response on its way.
struct H2Stream {
    std::vector<std::pair<std::string, std::string>> fields;
    Buffer body;
    std::unique_ptr<proto::coding::Decoder> decoder;
    uint64_t body_bytes = 0;  // so far, also what was given away
    int status = 0;
    uint32_t error = 0;  // of a reset
    bool incremental = false;
    bool head_done = false;
    bool done = false;
    bool queued = false;
};

struct Http2Client {
    DialPlan plan;
    Times times;
    Nanos total = kNever;
    uint64_t body_limit = 128u << 20;
    bool decode_body = true;
    proto::http2::Settings settings;

    io::Stream stream;
    DialFailure failure;
    std::unique_ptr<proto::http2::Session> session;
    std::unordered_map<int32_t, std::unique_ptr<H2Stream>> streams;
    std::deque<int32_t> ready;       // with something to give
    std::vector<int32_t> too_large;  // to be reset, once feed() is over
    uint32_t goaway_error = 0;
    int32_t last_seen_stream = 0;
    bool going_away = false;
    bool sending = false;
    const runtime::Fiber* receiver = nullptr;
    uint32_t incarnation = 0;  // counts connections
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
// The number of a stream that has something to give; 0 with errCode when none comes.
enum class Wanted : uint8_t { kComplete, kAnything };
int32_t await_h2(Http2Client& client, Wanted wanted, Nanos deadline);

// http2_client_message.cc
// The stream of the request, or negative with errCode.
int32_t submit_h2(Http2Client& client, zend_object* request);
// A Response of what the stream has; forgets the stream when it is done.
void take_h2(Http2Client& client, int32_t id, zval* out);
// A string of the data, forms encoded; null after an exception.
zend_string* body_text(zval* data);

extern zend_class_entry* http2_request_class;
extern zend_class_entry* http2_response_class;

}  // namespace stampede::classes::client
