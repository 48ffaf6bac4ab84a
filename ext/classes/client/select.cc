// The functions beside the clients: waiting for several at once, pairs of sockets, and a Socket of
// ext/sockets for a descriptor.
#include <sys/epoll.h>

#include <cerrno>

#include "io/group_wait.h"
#include "classes/client/sync_client.h"
#include "classes/event.h"
#include "classes/process/process_object.h"
#include "classes/socket/socket.h"
#include "os/epoll.h"
#include "os/fd.h"
#include "php_network.h"
#include "subsystems.h"
#include "zend/throw.h"

#include "stubs/client_functions_arginfo.h"

namespace stampede::classes {

namespace {

constexpr int kBatch = 64;

int descriptor_in(zval* value) {
    ZVAL_DEREF(value);
    if (Z_TYPE_P(value) == IS_OBJECT && instanceof_function(Z_OBJCE_P(value), sync_client_class)) {
        io::Endpoint* endpoint = zend::from_this<SyncClientObject>(value).endpoint;
        return endpoint != nullptr ? endpoint->fd() : -1;
    }
    if (Z_TYPE_P(value) == IS_OBJECT && instanceof_function(Z_OBJCE_P(value), process_class)) {
        return zend::from_this<ProcessObject>(value).pipe();
    }
    return descriptor_of(value);
}

// What is asked of each descriptor, and then what has come: number => bits of epoll.
void collect(zval* list, uint32_t events, HashTable* wanted) {
    if (list == nullptr || Z_TYPE_P(list) != IS_ARRAY) {
        return;
    }
    zval* value;
    ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(list), value) {
        int fd = descriptor_in(value);
        if (fd < 0) {
            continue;
        }
        zval* bits = zend_hash_index_find(wanted, static_cast<zend_ulong>(fd));
        zval sum;
        ZVAL_LONG(&sum, (bits != nullptr ? Z_LVAL_P(bits) : 0) | events);
        zend_hash_index_update(wanted, static_cast<zend_ulong>(fd), &sum);
    }
    ZEND_HASH_FOREACH_END();
}

// How many are ready at once because they never block: nothing is waited for then.
int watch_all(int set, HashTable* wanted, HashTable* ready) {
    int at_once = 0;
    zend_ulong fd;
    zval* bits;
    ZEND_HASH_FOREACH_NUM_KEY_VAL(wanted, fd, bits) {
        epoll_event event{};
        event.events = static_cast<uint32_t>(Z_LVAL_P(bits));
        event.data.fd = static_cast<int>(fd);
        Error error = os::epoll_update(set, EPOLL_CTL_ADD, event.data.fd, event);
        if (error.is_system(EPERM)) {
            zend_hash_index_update(ready, fd, bits);
            at_once++;
        }
    }
    ZEND_HASH_FOREACH_END();
    return at_once;
}

void wait_for_set(int set, Nanos deadline) {
    runtime::Runtime* runtime = runtime::Runtime::peek();
    if (runtime != nullptr && runtime->can_park()) {
        io::wait_for_events(set, loop::kReadable, deadline);
    } else {
        os::poll_one(set, os::PollFor::kReading, deadline);
    }
}

void take_events(int set, HashTable* ready) {
    epoll_event events[kBatch];
    // Level-triggered: a second round would report the same ones first.
    int count = os::epoll_wait_for(set, events, kBatch, 0);
    for (int i = 0; i < count; i++) {
        zval bits;
        uint32_t seen = events[i].events;
        if ((seen & (EPOLLHUP | EPOLLERR)) != 0) {
            seen |= EPOLLIN | EPOLLOUT;
        }
        ZVAL_LONG(&bits, seen);
        zend_hash_index_update(ready, static_cast<zend_ulong>(events[i].data.fd), &bits);
    }
}

zend_long keep_ready(zval* reference, uint32_t events, HashTable* ready) {
    zval* list = reference;
    ZVAL_DEREF(list);
    if (Z_TYPE_P(list) != IS_ARRAY) {
        return 0;
    }
    zval kept;
    array_init(&kept);
    zend_ulong index;
    zend_string* key;
    zval* value;
    ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(list), index, key, value) {
        int fd = descriptor_in(value);
        zval* bits = fd >= 0 ? zend_hash_index_find(ready, static_cast<zend_ulong>(fd)) : nullptr;
        if (bits == nullptr || (Z_LVAL_P(bits) & events) == 0) {
            continue;
        }
        Z_TRY_ADDREF_P(value);
        key != nullptr ? zend_hash_add(Z_ARRVAL(kept), key, value)
                       : zend_hash_index_add(Z_ARRVAL(kept), index, value);
    }
    ZEND_HASH_FOREACH_END();
    zend_long count = zend_hash_num_elements(Z_ARRVAL(kept));
    ZEND_TRY_ASSIGN_REF_TMP(reference, &kept);
    return count;
}

zval* array_in(zval* reference) {
    ZVAL_DEREF(reference);
    return reference;
}

}  // namespace

bool make_sockets_object(int fd, zval* out) {
    Result<int> second = os::duplicate(fd);
    php_stream* stream = second ? php_stream_sock_open_from_socket(*second, nullptr) : nullptr;
    if (stream == nullptr) {
        return false;
    }
    zval argument;
    zval function;
    php_stream_to_zval(stream, &argument);
    ZVAL_STRING(&function, "socket_import_stream");
    bool made = call_user_function(nullptr, nullptr, &function, out, 1, &argument) == SUCCESS &&
                Z_TYPE_P(out) == IS_OBJECT;
    zval_ptr_dtor(&function);
    zval_ptr_dtor(&argument);
    return made;
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_FUNCTION(swoole_client_select) {
    zval* read;
    zval* write;
    zval* except;
    double timeout = 0.5;
    bool timeout_is_null = false;
    ZEND_PARSE_PARAMETERS_START(3, 4)
        Z_PARAM_ZVAL(read)
        Z_PARAM_ZVAL(write)
        Z_PARAM_ZVAL(except)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE_OR_NULL(timeout, timeout_is_null)
    ZEND_PARSE_PARAMETERS_END();
    Result<int> set = os::epoll_open();
    if (!set) {
        RETURN_FALSE;
    }
    HashTable* wanted = zend_new_array(8);
    HashTable* ready = zend_new_array(8);
    collect(array_in(read), EPOLLIN, wanted);
    collect(array_in(write), EPOLLOUT, wanted);
    collect(array_in(except), EPOLLPRI, wanted);
    if (zend_hash_num_elements(wanted) == 0) {
        zend::warning("no resource arrays were passed");
        RETVAL_FALSE;
    } else {
        double seconds = timeout_is_null ? 0.5 : timeout;
        Nanos wait = seconds < 0 ? kNever : static_cast<Nanos>(seconds * 1e9);
        if (watch_all(*set, wanted, ready) == 0) {
            wait_for_set(*set, io::deadline_in(wait));
        }
        take_events(*set, ready);
        RETVAL_LONG(keep_ready(read, EPOLLIN, ready) + keep_ready(write, EPOLLOUT, ready) +
                    keep_ready(except, EPOLLPRI, ready));
    }
    zend_array_release(wanted);
    zend_array_release(ready);
    os::close_fd(*set);
}

ZEND_FUNCTION(swoole_coroutine_socketpair) {
    zend_long domain;
    zend_long type;
    zend_long protocol;
    ZEND_PARSE_PARAMETERS_START(3, 3)
        Z_PARAM_LONG(domain)
        Z_PARAM_LONG(type)
        Z_PARAM_LONG(protocol)
    ZEND_PARSE_PARAMETERS_END();
    os::SocketKind kind{static_cast<int>(domain), static_cast<int>(type),
                        static_cast<int>(protocol)};
    int ends[2];
    if (Error error = os::open_socket_pair(kind, ends)) {
        zend::set_last_error(static_cast<int>(error.code()));
        zend::warning("the pair of sockets cannot be made: %s",
                      io::error_text(static_cast<int>(error.code())));
        RETURN_FALSE;
    }
    array_init(return_value);
    for (int end : ends) {
        zval socket;
        if (make_socket_object(end, kind, &socket)) {
            add_next_index_zval(return_value, &socket);
        }
    }
}

namespace stampede::ext {

zend_result client_functions_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
