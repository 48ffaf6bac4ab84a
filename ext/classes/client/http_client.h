// Swoole\Coroutine\Http\Client: the object, and the steps of a request, a source file each:
// settings, building, the exchange with the server, WebSocket. Owned by PHP. PHP thread; requests
// park.
#pragma once

#include <memory>
#include <vector>

#include "classes/client/dial.h"
#include "classes/websocket/frame.h"
#include "client/http1/response_reader.h"
#include "client/http1/websocket_upgrade.h"
#include "proto/ws/handshake.h"
#include "zend/call.h"
#include "zend/object.h"

namespace stampede::classes::client {

namespace http1 = stampede::client::http1;

// Declaration order of the class.
enum class Slot : uint32_t {
    kSocket,
    kErrCode,
    kErrMsg,
    kConnected,
    kHost,
    kPort,
    kSsl,
    kSetting,
    kRequestMethod,
    kRequestHeaders,
    kRequestBody,
    kUploadFiles,
    kDownloadFile,
    kDownloadOffset,
    kStatusCode,
    kHeaders,
    kSetCookieHeaders,
    kCookies,
    kBody,
};

// SWOOLE_HTTP_CLIENT_ESTATUS_*
enum Estatus : int {
    kConnectFailed = -1,
    kRequestTimeout = -2,
    kServerReset = -3,
    kSendFailed = -4,
};

struct HttpClientSettings {
    Times times;
    Nanos total = kNever;
    uint64_t body_limit = 128u << 20;
    uint32_t max_retries = 1;
    bool keep_alive = true;
    bool defer = false;
    bool accept_codings = true;
    bool decode_body = true;
    bool lower_case_names = true;
    bool compress_messages = false;
    bool show_pings = false;
    bool show_pongs = false;
    bool show_closes = false;
};

// A piece of a request's body: bytes of a PHP string, or a part of a file.
struct BodyPart {
    zend_string* bytes = nullptr;
    int file = -1;
    uint64_t offset = 0;
    uint64_t length = 0;
};

// One WebSocket connection's state.
struct Upgraded {
    Upgraded(const proto::ws::ReadLimits& limits, std::unique_ptr<proto::ws::Deflate> with)
        : deflate(std::move(with)), reader(proto::ws::Role::kClient, limits, deflate.get()) {}

    std::unique_ptr<proto::ws::Deflate> deflate;
    proto::ws::Reader reader;
    Buffer out;      // being sent
    Buffer pending;  // control frames after it
    bool sending = false;
    bool close_sent = false;
};

struct HttpClient {
    DialPlan plan;
    HttpClientSettings settings;
    zend_object* socket = nullptr;  // the Coroutine\Socket of the connection
    io::Stream unconnected;         // closed, always
    DialFailure failure;
    zend::Callable write_func = zend::Callable::none();

    // The request under way, kept until its response has come.
    Buffer head;                  // and small bodies
    size_t head_bytes = 0;        // without such a body
    std::vector<BodyPart> parts;  // what follows it
    proto::http::Method method = proto::http::Method::kGet;
    bool repeatable = false;
    bool upgrading = false;
    char upgrade_key[proto::ws::kKeyLength] = {};

    // The response under way.
    Buffer in;
    http1::ResponseReader reader;
    http1::Agreed agreed = http1::Agreed::kNothing;  // when WebSocket was asked for
    proto::ws::DeflateTerms deflate_terms;
    zend_string* body = nullptr;  // grows; its length is body_bytes
    uint64_t body_bytes = 0;
    int download_file = -1;

    std::unique_ptr<Upgraded> ws;
    bool end_follows = false;  // the peer's close frame was shown: its end is what comes next
    Nanos deadline = kNever;   // of the whole request
    bool reused = false;       // its connection carried another request before
    const runtime::Fiber* user = nullptr;  // the coroutine that is in a request
    bool awaited = false;                  // a deferred request was sent
    zend_object std;

    // Of the socket, or one that is closed.
    io::Stream& stream();
};

// Properties.
inline zval* slot_of(HttpClient& client, Slot slot) {
    zval* value = OBJ_PROP_NUM(&client.std, static_cast<uint32_t>(slot));
    ZVAL_DEREF(value);
    return value;
}
// Takes over the value.
inline void put(HttpClient& client, Slot slot, zval* value) {
    zval* at = slot_of(client, slot);
    zval old;
    ZVAL_COPY_VALUE(&old, at);
    ZVAL_COPY_VALUE(at, value);
    zval_ptr_dtor(&old);
}
void put_long(HttpClient& client, Slot slot, zend_long number);
void put_bool(HttpClient& client, Slot slot, bool yes);
void put_text(HttpClient& client, Slot slot, std::string_view text);
void put_null(HttpClient& client, Slot slot);
// The array in the slot, made or separated so that it may be written to.
HashTable* array_in(HttpClient& client, Slot slot);

// http_client_socket.cc
// A new socket, to be connected; the property shows it.
io::Stream& begin_socket(HttpClient& client);
// It is connected.
void show_socket(HttpClient& client);
// Closes it, even when the application or another coroutine still holds the object.
void drop_socket(HttpClient& client);
// Keeps the socket while something is sent: another coroutine may drop it meanwhile.
class HeldSocket {
public:
    explicit HeldSocket(HttpClient& client) : socket_(client.socket) {
        if (socket_ != nullptr) {
            GC_ADDREF(socket_);
        }
    }
    ~HeldSocket() {
        if (socket_ != nullptr) {
            OBJ_RELEASE(socket_);
        }
    }
    HeldSocket(const HeldSocket&) = delete;
    HeldSocket& operator=(const HeldSocket&) = delete;

private:
    zend_object* socket_;
};

// http_client_settings.cc: false, with a warning, when a value does not fit.
bool read_settings(HttpClient& client, HashTable* settings);

// http_client_request.cc: head, body and parts from the properties. False with errCode and errMsg.
bool build_request(HttpClient& client, zend_string* path);
void drop_request(HttpClient& client);

// http_client_exchange.cc
enum class Begin : uint8_t { kSend, kReceive };
enum class Until : uint8_t { kSent, kResponded };
// Sends (again, where that is right) and receives. False with statusCode, errCode and errMsg.
bool exchange(HttpClient& client, Begin begin, Until until);
// Closes what is open and says so.
void disconnect(HttpClient& client);
bool fail(HttpClient& client, int status, int code, std::string_view text = {});
// With the error of the stream.
bool fail_by_stream(HttpClient& client, int status);
// Reads more into `in`: the count, 0 at the end, -1 with the stream's error.
long receive_more(HttpClient& client, size_t wanted, Nanos deadline);

// http_client_response.cc: properties of a head, pieces of a body.
void show_head(HttpClient& client);
enum class BodyProblem : uint8_t { kNone, kTooLarge, kRefused, kDisk };
// Prepares for the body of the response.
BodyProblem begin_body(HttpClient& client);
// What is left of a body whose bytes can be received where they stay; 0: there is more to do with
// them. All input has been used up.
size_t plain_rest_of_body(const HttpClient& client);
// A part of that; what receive() of a stream returns.
long receive_plain_body(HttpClient& client, size_t rest, Nanos deadline);
// A piece of it, decoded.
BodyProblem store(HttpClient& client, std::string_view piece);
// It is whole: the property shows it.
void show_body(HttpClient& client);
void drop_body(HttpClient& client);
// The fields that came after the body.
void show_trailer(HttpClient& client);

// http_client_websocket.cc
// The response was 101: checks it and begins; false with errCode.
bool begin_websocket(HttpClient& client);
bool push_frame(HttpClient& client, const OutFrame& frame);
// A Frame in out, an empty string when the connection has ended; false with errCode.
bool receive_frame(HttpClient& client, Nanos deadline, zval* out);
bool close_websocket(HttpClient& client, uint16_t code, std::string_view reason);
void say_goodbye(HttpClient& client);

}  // namespace stampede::classes::client
