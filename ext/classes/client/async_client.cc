// Swoole\Async\Client: a coroutine of the client's own connects, receives and calls back. The
// object lives as long as that coroutine does.
#include <algorithm>
#include <cerrno>
#include <iterator>

#include "classes/client/sync_client.h"
#include "classes/coroutine/coroutine.h"
#include "classes/socket/socket.h"
#include "base/buffer.h"
#include "error_numbers.h"
#include "io/options.h"
#include "runtime/runtime.h"
#include "zend/call.h"
#include "zend/throw.h"

namespace stampede::classes {

using io::Direction;
using io::Endpoint;
using runtime::Runtime;

namespace {

constexpr std::string_view kEventNames[] = {"connect", "receive",    "error",
                                            "close",   "bufferFull", "bufferEmpty"};
constexpr size_t kReadSize = 65536;
constexpr size_t kWriteSize = 65536;
constexpr size_t kUsualBuffer = 2 * 1024 * 1024;

struct RunJob : runtime::Job {
    SyncClientObject* owner;
};

class AsyncPart final : public ClientExtension {
public:
    // What the callbacks are for, in the order of their names in async_client.cc.
    enum Event : uint8_t { kConnect, kReceive, kError, kClose, kBufferFull, kBufferEmpty, kEvents };

    zend::Callable callbacks[kEvents];
    zend::Callable on_tls_ready = zend::Callable::none();
    zend_string* host = nullptr;
    zend_long port = 0;
    double timeout = 0;
    runtime::Fiber* sleeper = nullptr;  // the coroutine that waits for wakeup()
    bool asleep = false;
    bool running = false;
    bool connected = false;
    bool wants_tls = false;

    // What send() has taken and the connection has not.
    Buffer out;
    size_t most = 0;          // socket_buffer_size
    size_t high = 0;          // bufferFull is called
    size_t low = 0;           // bufferEmpty is called after that
    uint32_t connection = 0;  // counts them
    bool writing = false;
    bool full = false;     // was said
    bool closing = false;  // when all is sent
    RunJob job;            // of the coroutine that connects and receives

    ~AsyncPart() override;
    void show_to(zend::GcRoots& roots) override;
    long send(SyncClientObject& client, std::string_view data) override;
};

AsyncPart& part_in(SyncClientObject& client) { return static_cast<AsyncPart&>(*client.extension); }

bool same_name(const zend_string* name, std::string_view event) {
    return zend_binary_strcasecmp(ZSTR_VAL(name), ZSTR_LEN(name), event.data(), event.size()) == 0;
}

// False when the callback threw: the coroutine ends with that.
bool call_back(SyncClientObject& client, AsyncPart::Event event, zend_string* data) {
    const zend::Callable& callback = part_in(client).callbacks[event];
    if (!callback) {
        return true;
    }
    zval arguments[2];
    ZVAL_OBJ(&arguments[0], &client.std);
    if (data != nullptr) {
        ZVAL_STR(&arguments[1], data);
    }
    return zend::call(callback, data != nullptr ? 2 : 1, arguments, nullptr) ==
           zend::Outcome::kReturned;
}

// Ends the connection and says so once; with an exception under way it only ends.
void finish(SyncClientObject& client) {
    AsyncPart& part = part_in(client);
    bool was_connected = part.connected;
    part.connected = false;
    part.closing = false;
    part.out.release();
    close_sync_client(client);
    if (was_connected && !zend::exception_pending()) {
        call_back(client, AsyncPart::kClose, nullptr);
    }
}

// True when sleep() is over; false when the coroutine has been cancelled.
bool wait_until_awake(AsyncPart& part) {
    while (part.asleep) {
        part.sleeper = Runtime::get().current();
        runtime::WakeReason reason = Runtime::get().park(kNever);
        part.sleeper = nullptr;
        if (reason != runtime::WakeReason::kReady) {
            return false;
        }
    }
    return true;
}

bool secure(SyncClientObject& client) {
    Endpoint& endpoint = *client.endpoint;
    part_in(client).wants_tls = false;
    bool done = endpoint.dialer().start_tls(tls::Role::kClient, endpoint.dialer().dialled_host());
    copy_client_error(client);
    if (!done) {
        call_back(client, AsyncPart::kError, nullptr);
        return false;
    }
    zend::Callable ready = part_in(client).on_tls_ready;
    part_in(client).on_tls_ready = zend::Callable::none();
    zval argument;
    ZVAL_OBJ(&argument, &client.std);
    bool good = !ready || zend::call(ready, 1, &argument, nullptr) == zend::Outcome::kReturned;
    if (ready) {
        ready.release();
    }
    return good;
}

// False when the connection is at its end.
bool receive_once(SyncClientObject& client) {
    AsyncPart& part = part_in(client);
    Endpoint& endpoint = *client.endpoint;
    zend_string* data = endpoint.has_framing() ? endpoint.receiver().receive_packet(0)
                                               : endpoint.receiver().receive(kReadSize, 0);
    copy_client_error(client);
    if (data == nullptr) {
        bool interrupted = endpoint.error() == ECANCELED && endpoint.is_open();
        return interrupted && (part.asleep || part.wants_tls) && !zend::exception_pending();
    }
    bool good = ZSTR_LEN(data) > 0 && call_back(client, AsyncPart::kReceive, data);
    zend_string_release(data);
    return good;
}

size_t limit_of(HashTable* settings, const char* name, size_t usual) {
    zval* value = settings != nullptr ? io::find_option(settings, name) : nullptr;
    zend_long number = value != nullptr ? zval_get_long(value) : 0;
    return number > 0 ? static_cast<size_t>(number) : usual;
}

// Of the connection that has just been made.
void begin_output(SyncClientObject& client) {
    AsyncPart& part = part_in(client);
    zval* setting = OBJ_PROP_NUM(&client.std, kClientSetting);
    HashTable* settings = Z_TYPE_P(setting) == IS_ARRAY ? Z_ARRVAL_P(setting) : nullptr;
    part.most = limit_of(settings, "socket_buffer_size", kUsualBuffer);
    part.high = limit_of(settings, "buffer_high_watermark", part.most / 5 * 4);
    part.low = limit_of(settings, "buffer_low_watermark", 0);
    part.full = part.writing = false;
    part.connection++;
}

// In a coroutine, as the other callbacks.
struct EventJob : runtime::Job {
    SyncClientObject* owner;
    AsyncPart::Event event;
};

void run_event(runtime::Job& job) {
    auto& wanted = static_cast<EventJob&>(job);
    SyncClientObject& client = *wanted.owner;
    call_back(client, wanted.event, nullptr);
    OBJ_RELEASE(&client.std);
}

// The coroutine that writes, while there is something. The bytes are copied: the buffer may move
// meanwhile.
void write_out(SyncClientObject& client) {
    AsyncPart& part = part_in(client);
    Buffer piece;
    uint32_t connection = part.connection;
    while (part.connected && !part.out.empty()) {
        piece.clear();
        piece.append(part.out.view().substr(0, kWriteSize));
        long sent = client.endpoint->sender().send_all(piece.view(), 0);
        if (part.connection != connection || !part.connected) {
            return;
        }
        if (sent < static_cast<long>(piece.size())) {
            copy_client_error(client);
            part.out.release();
            return;
        }
        part.out.consume(std::min(piece.size(), part.out.size()));
        if (part.full && part.out.size() <= part.low) {
            part.full = false;
            if (!call_back(client, AsyncPart::kBufferEmpty, nullptr) ||
                part.connection != connection) {
                return;
            }
        }
    }
    if (part.closing && part.connected && part.connection == connection) {
        finish(client);
    }
}

void run_writer(runtime::Job& job) {
    SyncClientObject& client = *static_cast<RunJob&>(job).owner;
    uint32_t connection = part_in(client).connection;
    write_out(client);
    if (part_in(client).connection == connection) {
        part_in(client).writing = false;
    }
    OBJ_RELEASE(&client.std);
}

bool spawn_for(SyncClientObject& client, runtime::Job& job) {
    job.finished = nullptr;
    GC_ADDREF(&client.std);
    if (runtime::Runtime::get().spawn(job) < 0) {
        GC_DELREF(&client.std);
        return false;
    }
    return true;
}

void run(SyncClientObject& client) {
    AsyncPart& part = part_in(client);
    bool connected =
        connect_sync_client(client, view_of(part.host), static_cast<int>(part.port), part.timeout);
    if (zend::exception_pending()) {
        return;
    }
    if (!connected) {
        call_back(client, AsyncPart::kError, nullptr);
        return;
    }
    // The limit was for connecting: what comes later is awaited without one.
    client.endpoint->timeouts().read = client.endpoint->timeouts().write = -1;
    part.connected = true;
    begin_output(client);
    bool good = call_back(client, AsyncPart::kConnect, nullptr);
    while (good && client.endpoint->is_open()) {
        good = wait_until_awake(part) && client.endpoint->is_open() &&
               (!part.wants_tls || secure(client)) && receive_once(client);
    }
    finish(client);
}

void run_job(runtime::Job& job) {
    SyncClientObject& client = *static_cast<RunJob&>(job).owner;
    run(client);
    part_in(client).running = false;
    OBJ_RELEASE(&client.std);
}

AsyncPart& part_of(SyncClientObject& client) {
    if (client.extension == nullptr) {
        auto* part = new AsyncPart();
        for (zend::Callable& callback : part->callbacks) {
            callback = zend::Callable::none();
        }
        client.extension = part;
    }
    return part_in(client);
}

bool has_callbacks(const AsyncPart& part, bool is_stream) {
    bool all = part.callbacks[AsyncPart::kConnect] && part.callbacks[AsyncPart::kError] &&
               part.callbacks[AsyncPart::kClose];
    return part.callbacks[AsyncPart::kReceive] && (all || !is_stream);
}

// A coroutine that waits to receive looks again at what is wanted.
void interrupt(SyncClientObject& client) {
    if (client.endpoint->descriptor().holder(Direction::kRead) != nullptr) {
        client.endpoint->descriptor().cancel(Direction::kRead);
    }
}

AsyncPart::~AsyncPart() {
    for (zend::Callable& callback : callbacks) {
        if (callback) {
            callback.release();
        }
    }
    if (on_tls_ready) {
        on_tls_ready.release();
    }
    if (host != nullptr) {
        zend_string_release(host);
    }
}

void AsyncPart::show_to(zend::GcRoots& roots) {
    for (zend::Callable& callback : callbacks) {
        roots.add(callback);
    }
    roots.add(on_tls_ready);
}

long AsyncPart::send(SyncClientObject& client, std::string_view data) {
    if (!require_connection(client)) {
        return -1;
    }
    if (!connected || closing) {
        set_client_error(client, api_error::kClientNoConnection);
        return -1;
    }
    if (data.size() > most - std::min(most, out.size()) && !out.empty()) {
        full = true;
        set_client_error(client, api_error::kOutputBufferOverflow);
        return -1;
    }
    out.append(data);
    if (!writing) {
        RunJob job;
        job.run = run_writer;
        job.owner = &client;
        writing = true;
        if (!spawn_for(client, job)) {
            writing = false;
            out.release();
            return -1;
        }
    }
    if (!full && out.size() >= high && callbacks[AsyncPart::kBufferFull]) {
        full = true;
        EventJob job;
        job.run = run_event;
        job.owner = &client;
        job.event = AsyncPart::kBufferFull;
        spawn_for(client, job);
    }
    return static_cast<long>(data.size());
}

}  // namespace

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Async_Client, __construct) {
    zend_long type;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(type)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (!construct_client(self, type)) {
        RETURN_THROWS();
    }
    part_of(self);
}

ZEND_METHOD(Swoole_Async_Client, __destruct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Swoole_Async_Client, connect) {
    zend_string* host;
    zend_long port = 0;
    double timeout = 0.5;
    zend_long flag = 0;
    ZEND_PARSE_PARAMETERS_START(1, 4)
        Z_PARAM_STR(host)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(port)
        Z_PARAM_DOUBLE(timeout)
        Z_PARAM_LONG(flag)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    AsyncPart& part = part_of(self);
    bool is_stream = self.kind.socket.type == SOCK_STREAM;
    if (self.endpoint == nullptr || !has_callbacks(part, is_stream)) {
        zend::throw_error(zend::error_classes.error, 0, "The client needs %s by on() first.",
                          is_stream ? "callbacks for connect, receive, error and close: set them"
                                    : "a callback for receive: set it");
        RETURN_THROWS();
    }
    if (is_stream && self.kind.socket.domain != AF_UNIX && (port < 1 || port > 65535)) {
        set_client_error(self, api_error::kInvalidParams);
        RETURN_FALSE;
    }
    if (part.running) {
        set_client_error(self, EISCONN);
        RETURN_FALSE;
    }
    if (part.host != nullptr) {
        zend_string_release(part.host);
    }
    part.host = zend_string_copy(host);
    part.port = port;
    part.timeout = timeout;
    part.running = true;
    part.asleep = false;
    GC_ADDREF(&self.std);
    part.job.run = run_job;
    part.job.finished = nullptr;
    part.job.owner = &self;
    if (runtime::Runtime::get().spawn(part.job) < 0) {
        part.running = false;
        GC_DELREF(&self.std);
        RETURN_FALSE;
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Async_Client, sleep) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (!require_connection(self)) {
        RETURN_FALSE;
    }
    part_of(self).asleep = true;
    interrupt(self);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Async_Client, wakeup) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (!require_connection(self)) {
        RETURN_FALSE;
    }
    AsyncPart& part = part_of(self);
    part.asleep = false;
    if (part.sleeper != nullptr) {
        runtime::Runtime::get().wake(*part.sleeper, runtime::WakeReason::kReady);
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Async_Client, enableSSL) {
    zend_fcall_info fci = empty_fcall_info;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_FUNC_OR_NULL(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (!require_connection(self)) {
        RETURN_FALSE;
    }
    AsyncPart& part = part_of(self);
    if (part.on_tls_ready) {
        part.on_tls_ready.release();
        part.on_tls_ready = zend::Callable::none();
    }
    if (ZEND_FCI_INITIALIZED(fci)) {
        part.on_tls_ready = zend::Callable::hold(fci, fcc);
    }
    part.wants_tls = true;
    interrupt(self);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Async_Client, isConnected) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    RETURN_BOOL(part_of(self).connected && self.endpoint != nullptr && self.endpoint->is_open());
}

ZEND_METHOD(Swoole_Async_Client, close) {
    bool force = false;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(force)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    if (!require_connection(self)) {
        RETURN_FALSE;
    }
    AsyncPart& part = part_of(self);
    if (!force && part.connected && !part.out.empty()) {
        part.closing = true;  // by the coroutine that writes
        RETURN_TRUE;
    }
    if (part.sleeper != nullptr) {
        part.asleep = false;
        runtime::Runtime::get().wake(*part.sleeper, runtime::WakeReason::kReady);
    }
    finish(self);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Async_Client, on) {
    zend_string* name;
    zend_fcall_info fci = empty_fcall_info;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(name)
        Z_PARAM_FUNC(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SyncClientObject>(ZEND_THIS);
    for (size_t i = 0; i < std::size(kEventNames); i++) {
        if (!same_name(name, kEventNames[i])) {
            continue;
        }
        zend::Callable& callback = part_of(self).callbacks[i];
        if (callback) {
            callback.release();
        }
        callback = zend::Callable::hold(fci, fcc);
        RETURN_TRUE;
    }
    zend::warning("Unknown event callback type name '%s'", ZSTR_VAL(name));
    RETURN_FALSE;
}
