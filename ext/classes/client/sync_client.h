// Swoole\Client as Swoole\Async\Client, its child, sees it. PHP's reference counting owns the
// object; PHP thread; calls that wait block the thread outside coroutines and park inside.
#pragma once

#include "classes/client/client_kind.h"
#include "runtime/runtime.h"
#include "base/buffer.h"
#include "zend/call.h"
#include "zend/object.h"

namespace stampede::classes {

// What an Async\Client has more.
struct AsyncPart {
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
};

struct SyncClientObject {
    struct RunJob : runtime::Job {
        SyncClientObject* owner;
    };

    ClientKind kind;
    io::Endpoint* endpoint = nullptr;  // from construction on; open while connected
    zend_string* kept_as = nullptr;    // where close() puts the connection, null = nowhere
    zend_long uses = 0;                // of this connection
    AsyncPart* async = nullptr;
    RunJob job;
    zend_object std;
};

extern zend_class_entry* sync_client_class;

// Declared properties come first in an object, in the order of the stub.
enum ClientSlot : uint32_t {
    kClientErrCode,
    kClientSock,
    kClientReuse,
    kClientReuseCount,
    kClientType,
    kClientId,
    kClientSetting,
};

bool construct_client(SyncClientObject& client, zend_long type);
void set_client_error(SyncClientObject& client, int error);
void copy_client_error(SyncClientObject& client);
void show_client_socket(SyncClientObject& client);
// False with the error set, or an exception, when there is no connection.
bool require_connection(SyncClientObject& client);
// Connects; false with the error set.
bool connect_sync_client(SyncClientObject& client, std::string_view host, int port, double timeout);
void close_sync_client(SyncClientObject& client);

// Async\Client::send(): never waits. Bytes taken, -1 with the error set.
long send_async(SyncClientObject& client, std::string_view data);
void release_async_part(SyncClientObject& client);

}  // namespace stampede::classes
