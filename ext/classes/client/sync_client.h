// Swoole\Client as its child classes see it. PHP's reference counting owns the
// object; PHP thread; calls that wait block the thread outside coroutines and park inside.
#pragma once

#include "classes/client/client_kind.h"
#include "zend/gc_roots.h"
#include "zend/object.h"

namespace stampede::classes {

struct SyncClientObject;

// What a child class has more (Swoole\Async\Client). Owned by the object.
class ClientExtension {
public:
    virtual ~ClientExtension() = default;
    virtual void show_to(zend::GcRoots& roots) = 0;
    // send() of a stream client: never waits. Bytes taken, -1 with the error set.
    virtual long send(SyncClientObject& client, std::string_view data) = 0;
};

struct SyncClientObject {
    ClientKind kind;
    io::Endpoint* endpoint = nullptr;  // from construction on; open while connected
    zend_string* kept_as = nullptr;    // where close() puts the connection, null = nowhere
    zend_long uses = 0;                // of this connection
    ClientExtension* extension = nullptr;
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

}  // namespace stampede::classes
