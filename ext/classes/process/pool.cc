// Swoole\Process\Pool: the class.
#include "classes/process/pool.h"

#include <csignal>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "classes/coroutine/coroutine.h"
#include "classes/process/process_object.h"
#include "io/options.h"
#include "os/child_process.h"
#include "os/message_queue.h"
#include "os/packet_pair.h"
#include "os/process.h"
#include "os/socket_io.h"
#include "runtime/runtime.h"
#include "subsystems.h"
#include "zend/gc_roots.h"
#include "zend/object_guards.h"
#include "zend/throw.h"

#include "stubs/process_pool_arginfo.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

zend_class_entry* pool_class;
zend_object_handlers handlers;

constexpr const char* kEventNames[static_cast<size_t>(PoolEvent::kCount)] = {
    "Start", "Shutdown", "WorkerStart", "WorkerStop", "WorkerExit", "Message",
};

}  // namespace

Pool::Pool(zend_object* object) : object(object) {
    for (zend::Callable& callable : events) {
        callable = zend::Callable::none();
    }
}

Pool::~Pool() {
    forget_pool(object);
    for (zend::Callable& callable : events) {
        if (callable) {
            callable.release();
        }
    }
    for (int fd : control) {
        os::close_fd(fd);
    }
    if (owner != os::own_pid()) {
        return;
    }
    if (own_queue) {
        static_cast<void>(os::remove_queue(queue));
    }
    if (!socket_path.empty()) {
        os::remove_file(socket_path);
    }
}

void Pool::fire(PoolEvent which, zval* argument) {
    if (!has(which)) {
        return;
    }
    zval arguments[2];
    ZVAL_OBJ_COPY(&arguments[0], object);
    ZVAL_COPY_VALUE(&arguments[1], argument != nullptr ? argument : &arguments[0]);
    zend::Callable callable = event(which);
    callable.fci.param_count = argument != nullptr ? 2 : 1;
    callable.fci.params = arguments;
    if (worker != nullptr && in_coroutines) {
        start_callback(callable.fci, callable.fcc);
    } else {
        // Also the end of a child that the function has forked: the caller looks for it.
        zend::call(callable, callable.fci.param_count, arguments, nullptr);
    }
    zval_ptr_dtor(&arguments[0]);
}

void Pool::fire(PoolEvent which, zend_long argument) {
    zval value;
    ZVAL_LONG(&value, argument);
    fire(which, &value);
}

namespace {

zend_object* create(zend_class_entry* ce) {
    zend_object* object = zend::create_object<PoolObject>(ce, &handlers);
    zend::from_object<PoolObject>(object).pool = new Pool(object);
    return object;
}

void destroy(zend_object* object) {
    delete zend::from_object<PoolObject>(object).pool;
    zend_object_std_dtor(object);
}

HashTable* list_references(zend_object* object, zval** table, int* count) {
    zend::GcRoots roots;
    for (zend::Callable& callable : zend::from_object<PoolObject>(object).pool->events) {
        roots.add(callable);
    }
    return roots.with_properties(object, table, count);
}

// Null after throwing, for an object whose constructor has not been called.
Pool* pool_of(zval* value) {
    Pool* pool = zend::from_this<PoolObject>(value).pool;
    if (pool->workers == 0) {
        zend::throw_error(zend::error_classes.error, 0, "must call constructor first");
        return nullptr;
    }
    return pool;
}

void refuse(const char* text) { zend::throw_error(zend::error_classes.exception, 0, "%s", text); }

// The others wait for their message without letting anybody run.
bool goes_with_coroutines(PoolIpc ipc) {
    if (ipc == PoolIpc::kNone || ipc == PoolIpc::kUnixSocket) {
        return true;
    }
    refuse("the parameter $ipc_type must be SWOOLE_IPC_UNIXSOCK when enable coroutine");
    return false;
}

// The means that outlive a worker.
Error open_means(Pool& pool, zend_long key) {
    Result<os::SharedMemory> lines = os::SharedMemory::create(pool.workers * sizeof(PoolLine));
    if (!lines) {
        return lines.error();
    }
    pool.lines = std::move(*lines);
    if (Error error = os::packet_pair(pool.control)) {
        return error;
    }
    if (pool.ipc == PoolIpc::kUnixSocket) {
        for (uint32_t i = 0; i < pool.workers; i++) {
            int ends[2];
            if (Error error = os::open_unix_pair(SOCK_DGRAM, ends)) {
                return error;
            }
            pool.pipes.push_back({os::Fd(ends[0]), os::Fd(ends[1])});
        }
    } else if (pool.ipc == PoolIpc::kQueue) {
        Result<int> queue = os::open_message_queue(static_cast<int>(key));
        if (!queue) {
            return queue.error();
        }
        pool.queue = *queue;
        pool.own_queue = key == 0;
    }
    return Error();
}

bool is_started(const Pool& pool) {
    if (!pool.started) {
        zend::warning("process pool is not started.");
    }
    return pool.started;
}

bool has_ipc(const Pool& pool, PoolIpc wanted, const char* requirement) {
    if (pool.ipc != wanted) {
        zend::warning("unsupported ipc type[%d]: %s", static_cast<int>(pool.ipc), requirement);
    }
    return pool.ipc == wanted;
}

Result<os::Address> address_of(const char* host, uint16_t port) {
    if (Result<os::Address> address = os::parse_ipv4(host, port)) {
        return address;
    }
    if (Result<os::Address> address = os::parse_ipv6(host, port)) {
        return address;
    }
    Result<os::Address> address = os::resolve_blocking(host, AF_INET);
    if (!address) {
        return address;
    }
    char text[128];
    text[address->format_host(text)] = '\0';
    return os::parse_ipv4(text, port);
}

bool listen_on(Pool& pool, const char* host, uint16_t port, int backlog) {
    constexpr std::string_view kUnix = "unix:";
    bool is_unix = std::string_view(host).starts_with(kUnix);
    const char* path = host + kUnix.size();
    Result<os::Address> address = is_unix ? os::parse_unix(path) : address_of(host, port);
    if (!address) {
        zend::warning("the address \"%s\" is not valid", host);
        return false;
    }
    os::ListenOptions options;
    options.backlog = backlog;
    Result<int> fd = os::listen_stream(*address, options);
    if (!fd) {
        zend::warning("cannot listen on %s%s%s: %s", host, is_unix ? "" : ":",
                      is_unix ? "" : std::to_string(port).c_str(),
                      strerror(static_cast<int>(fd.error().code())));
        return false;
    }
    pool.listener = os::Fd(*fd);
    pool.socket_path = is_unix ? path : "";
    return true;
}

bool check_start(Pool& pool) {
    if (pool.ipc == PoolIpc::kNone && !pool.has(PoolEvent::kWorkerStart)) {
        refuse(
            "require onWorkerStart callback: set the event WorkerStart with on() before start()");
        return false;
    }
    if (!pool.has(PoolEvent::kWorkerStart) && !pool.has(PoolEvent::kMessage)) {
        refuse(
            "require onWorkerStart or onMessage callback: set one of them with on() before "
            "start()");
        return false;
    }
    if (pool.ipc == PoolIpc::kSocket && !pool.listener) {
        refuse("a pool with SWOOLE_IPC_SOCKET needs an address: call listen() before start()");
        return false;
    }
    Runtime* runtime = Runtime::peek();
    if (runtime != nullptr && runtime->current() != nullptr) {
        zend::throw_error(zend::error_classes.error, EOPNOTSUPP,
                          "must be forked outside the coroutine");
        return false;
    }
    return true;
}

// What getProcess() gives; null after a warning.
bool make_process(Pool& pool, uint32_t id, bool own, zval* out) {
    object_init_ex(out, process_class);
    auto& process = zend::from_object<ProcessObject>(Z_OBJ_P(out));
    process.started = true;
    process.is_child = own;
    process.side = own ? 1 : 0;
    process.queue = pool.queue;
    process.inbox_of = own ? pool.worker : nullptr;
    if (!pool.pipes.empty()) {
        os::Fd& end = own ? pool.pipes[id].worker : pool.pipes[id].master;
        Result<int> fd = os::duplicate(end.get());
        if (!fd) {
            zend::warning("the pipe of worker %u cannot be used: %s", id,
                          strerror(static_cast<int>(fd.error().code())));
            zval_ptr_dtor(out);
            return false;
        }
        process.pipes[process.side] = *fd;
        ZVAL_LONG(OBJ_PROP_NUM(&process.std, kPipeSlot), *fd);
    }
    ZVAL_LONG(OBJ_PROP_NUM(&process.std, kPidSlot), pool.pid_of(id).load());
    ZVAL_LONG(OBJ_PROP_NUM(&process.std, kIdSlot), id);
    if (pool.queue >= 0) {
        ZVAL_LONG(OBJ_PROP_NUM(&process.std, kQueueIdSlot), pool.queue);
    }
    return true;
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Process_Pool, __construct) {
    zend_long workers, ipc = 0, key = 0;
    bool in_coroutines = false;
    ZEND_PARSE_PARAMETERS_START(1, 4)
        Z_PARAM_LONG(workers)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(ipc)
        Z_PARAM_LONG(key)
        Z_PARAM_BOOL(in_coroutines)
    ZEND_PARSE_PARAMETERS_END();
    Pool& pool = *zend::from_this<PoolObject>(ZEND_THIS).pool;
    if (pool.owner != 0) {
        zend::throw_error(zend::error_classes.error, 0,
                          "the constructor of a pool can be called once only");
        RETURN_THROWS();
    }
    if (workers <= 0 || workers > 100000) {
        refuse(workers <= 0 ? "the parameter $worker_num must be greater than 0"
                            : "the parameter $worker_num must be at most 100000");
        RETURN_THROWS();
    }
    if (ipc < 0 || ipc > static_cast<zend_long>(PoolIpc::kSocket)) {
        refuse("the parameter $ipc_type must be one of the SWOOLE_IPC_ constants");
        RETURN_THROWS();
    }
    if (in_coroutines && !goes_with_coroutines(static_cast<PoolIpc>(ipc))) {
        RETURN_THROWS();
    }
    pool.owner = os::own_pid();
    pool.workers = static_cast<uint32_t>(workers);
    pool.ipc = static_cast<PoolIpc>(ipc);
    pool.in_coroutines = in_coroutines;
    if (Error error = open_means(pool, key)) {
        pool.workers = 0;
        zend::throw_error(zend::error_classes.exception, error.code(),
                          "failed to create process pool: %s",
                          strerror(static_cast<int>(error.code())));
    }
}

ZEND_METHOD(Swoole_Process_Pool, __destruct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Swoole_Process_Pool, set) {
    HashTable* settings;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY_HT(settings)
    ZEND_PARSE_PARAMETERS_END();
    Pool* pool = pool_of(ZEND_THIS);
    if (pool == nullptr) {
        RETURN_THROWS();
    }
    if (pool->started) {
        zend::warning("process pool is started. unable to change its settings");
        return;
    }
    if (zval* value = zend_hash_str_find(settings, ZEND_STRL("enable_coroutine"))) {
        if (zend_is_true(value) && !goes_with_coroutines(pool->ipc)) {
            RETURN_THROWS();
        }
        pool->in_coroutines = zend_is_true(value);
    }
    if (zval* value = zend_hash_str_find(settings, ZEND_STRL("enable_message_bus"))) {
        pool->message_bus = zend_is_true(value);
    }
    if (zval* value = zend_hash_str_find(settings, ZEND_STRL("max_package_size"))) {
        int64_t size = 0;
        if (io::parse_size(value, size)) {
            pool->max_package = std::clamp<int64_t>(size, 0, INT32_MAX);
        } else {
            zend::warning("max_package_size must be a size such as 2097152, \"64K\" or \"8M\"");
        }
    }
    if (zval* value = zend_hash_str_find(settings, ZEND_STRL("max_wait_time"))) {
        double seconds = std::clamp(zval_get_double(value), 0.0, 1e9);
        pool->max_wait = static_cast<Nanos>(seconds * static_cast<double>(kSecond));
    }
}

ZEND_METHOD(Swoole_Process_Pool, on) {
    zend_string* name;
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(name)
        Z_PARAM_FUNC(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    Pool* pool = pool_of(ZEND_THIS);
    if (pool == nullptr) {
        zend_release_fcall_info_cache(&fcc);
        RETURN_THROWS();
    }
    size_t event = 0;
    while (event < std::size(kEventNames) && strcasecmp(kEventNames[event], ZSTR_VAL(name)) != 0) {
        event++;
    }
    bool is_message = event == static_cast<size_t>(PoolEvent::kMessage);
    if (pool->started) {
        zend::warning("process pool is started. unable to register event callback function");
    } else if (event == std::size(kEventNames)) {
        zend::warning("unknown event type[%s]", ZSTR_VAL(name));
    } else if (is_message && pool->ipc == PoolIpc::kNone) {
        zend::warning("cannot set onMessage event with ipc_type=0");
    } else {
        zend::Callable before = std::exchange(pool->events[event], zend::Callable::hold(fci, fcc));
        if (before) {
            before.release();
        }
        RETURN_TRUE;
    }
    zend_release_fcall_info_cache(&fcc);
    RETURN_FALSE;
}

ZEND_METHOD(Swoole_Process_Pool, getProcess) {
    zend_long id = -1;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(id)
    ZEND_PARSE_PARAMETERS_END();
    Pool* pool = pool_of(ZEND_THIS);
    if (pool == nullptr) {
        RETURN_THROWS();
    }
    if (!is_started(*pool)) {
        RETURN_FALSE;
    }
    zend_long mine = pool->worker != nullptr ? number_of(*pool->worker) : -1;
    id = id < 0 ? mine : id;
    if (id < 0 || id >= pool->workers) {
        zend::warning("invalid worker_id[" ZEND_LONG_FMT "]", id);
        RETURN_FALSE;
    }
    zval* made = pool->property(kPoolWorkersSlot);
    if (Z_TYPE_P(made) != IS_ARRAY) {
        zval_ptr_dtor(made);
        array_init(made);
    }
    SEPARATE_ARRAY(made);
    zval* known = zend_hash_index_find(Z_ARRVAL_P(made), static_cast<zend_ulong>(id));
    auto number = static_cast<uint32_t>(id);
    if (known != nullptr) {  // the worker may have been replaced since
        if (Z_TYPE_P(known) == IS_OBJECT && Z_OBJCE_P(known) == process_class) {
            ZVAL_LONG(OBJ_PROP_NUM(Z_OBJ_P(known), kPidSlot), pool->pid_of(number).load());
        }
        RETURN_COPY(known);
    }
    if (!make_process(*pool, number, id == mine, return_value)) {
        RETURN_FALSE;
    }
    Z_ADDREF_P(return_value);
    zend_hash_index_update(Z_ARRVAL_P(made), static_cast<zend_ulong>(id), return_value);
}

ZEND_METHOD(Swoole_Process_Pool, listen) {
    char* host;
    size_t length;
    zend_long port = 0, backlog = 2048;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_PATH(host, length)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(port)
        Z_PARAM_LONG(backlog)
    ZEND_PARSE_PARAMETERS_END();
    Pool* pool = pool_of(ZEND_THIS);
    if (pool == nullptr) {
        RETURN_THROWS();
    }
    if (!has_ipc(*pool, PoolIpc::kSocket, "listen() goes with SWOOLE_IPC_SOCKET")) {
        RETURN_FALSE;
    }
    if (pool->started) {
        zend::warning("process pool is started. unable to listen");
        RETURN_FALSE;
    }
    if (port < 0 || port > 65535) {
        zend::warning("invalid port [" ZEND_LONG_FMT "]", port);
        RETURN_FALSE;
    }
    backlog = std::clamp<zend_long>(backlog, 1, 65535);
    RETURN_BOOL(listen_on(*pool, host, static_cast<uint16_t>(port), static_cast<int>(backlog)));
}

ZEND_METHOD(Swoole_Process_Pool, write) {
    zend_string* data;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();
    Pool* pool = pool_of(ZEND_THIS);
    if (pool == nullptr) {
        RETURN_THROWS();
    }
    if (!has_ipc(*pool, PoolIpc::kSocket, "write() goes with SWOOLE_IPC_SOCKET")) {
        RETURN_FALSE;
    }
    if (ZSTR_LEN(data) == 0) {
        RETURN_FALSE;
    }
    if (pool->worker == nullptr ||
        !add_to_response(*pool->worker, {ZSTR_VAL(data), ZSTR_LEN(data)})) {
        zend::warning("there is no message to respond to: call write() in the event Message");
        RETURN_FALSE;
    }
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Process_Pool, sendMessage) {
    zend_string* data;
    zend_long id;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(data)
        Z_PARAM_LONG(id)
    ZEND_PARSE_PARAMETERS_END();
    Pool* pool = pool_of(ZEND_THIS);
    if (pool == nullptr) {
        RETURN_THROWS();
    }
    size_t size = ZSTR_LEN(data);
    if (!is_started(*pool) ||
        !has_ipc(*pool, PoolIpc::kUnixSocket, "sendMessage() goes with SWOOLE_IPC_UNIXSOCK")) {
        RETURN_FALSE;
    }
    if (id < 0 || id >= pool->workers) {
        zend::warning("invalid worker_id[" ZEND_LONG_FMT "]", id);
    } else if (pool->message_bus && size > static_cast<size_t>(pool->max_package)) {
        zend::warning("the message has %zu bytes, max_package_size is " ZEND_LONG_FMT, size,
                      static_cast<zend_long>(pool->max_package));
    } else {
        Error error = send_to_pool_worker(*pool, static_cast<uint32_t>(id), {ZSTR_VAL(data), size});
        if (!error) {
            RETURN_TRUE;
        }
        zend::set_last_error(static_cast<int>(error.code()));
        zend::warning("the message of %zu bytes was not sent: %s%s", size,
                      strerror(static_cast<int>(error.code())),
                      error.is_system(EMSGSIZE) ? "; set enable_message_bus" : "");
    }
    RETURN_FALSE;
}

ZEND_METHOD(Swoole_Process_Pool, detach) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Pool* pool = pool_of(ZEND_THIS);
    if (pool == nullptr) {
        RETURN_THROWS();
    }
    pid_t pid = os::own_pid();
    if (pool->worker == nullptr ||
        !os::send_packet(pool->control[1], {reinterpret_cast<char*>(&pid), sizeof(pid)})) {
        zend::warning(pool->worker == nullptr ? "only a worker can detach itself"
                                              : "the pool cannot be told");
        RETURN_FALSE;
    }
    detach_pool_worker(*pool->worker);
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Process_Pool, start) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Pool* pool = pool_of(ZEND_THIS);
    if (pool == nullptr) {
        RETURN_THROWS();
    }
    if (pool->started) {
        zend::warning("process pool is started");
        RETURN_FALSE;
    }
    if (!check_start(*pool)) {
        RETURN_THROWS();
    }
    pool->started = true;
    ZVAL_LONG(pool->property(kPoolMasterPidSlot), os::own_pid());
    ZVAL_TRUE(pool->property(kPoolRunningSlot));
    uint32_t id = 0;
    if (supervise_pool(*pool, id)) {
        if (!zend::exception_pending()) {
            run_pool_worker(*pool, id);
        }
        RETURN_THROWS();
    }
    pool->started = false;
}

ZEND_METHOD(Swoole_Process_Pool, stop) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Pool* pool = pool_of(ZEND_THIS);
    if (pool == nullptr) {
        RETURN_THROWS();
    }
    if (pool->worker == nullptr) {
        zend::warning("only a worker can stop itself: shutdown() stops the pool");
        return;
    }
    stop_pool_worker(*pool->worker);
}

ZEND_METHOD(Swoole_Process_Pool, shutdown) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Pool* pool = pool_of(ZEND_THIS);
    if (pool == nullptr) {
        RETURN_THROWS();
    }
    if (!is_started(*pool)) {
        RETURN_FALSE;
    }
    zend_long master = zval_get_long(pool->property(kPoolMasterPidSlot));
    RETURN_BOOL(master > 1 && os::send_signal(static_cast<pid_t>(master), SIGTERM));
}

namespace stampede::ext {

zend_result process_pool_minit(int, int) {
    pool_class = register_class_Swoole_Process_Pool();
    pool_class->create_object = create;
    pool_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<PoolObject>(handlers, destroy);
    zend::refuse_unset(handlers);
    handlers.get_gc = list_references;
    return SUCCESS;
}

}  // namespace stampede::ext
