// Swoole\Coroutine\Http\Server: a service of its own on this process's loop, with a function for
// each prefix of paths. start() is a coroutine that waits for the end.
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "classes/coroutine/coroutine.h"
#include "classes/http/request.h"
#include "ext/server/api_options.h"
#include "ext/server/request_jobs.h"
#include "ext/server/settings.h"
#include "error_numbers.h"
#include "io/options.h"
#include "io/ssl_options.h"
#include "io/stream.h"
#include "net/tls_transport.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/line_writer.h"
#include "os/log.h"
#include "os/socket.h"
#include "ext/server/access_log_settings.h"
#include "server/access_log.h"
#include "server/service.h"
#include "shm/address_counts.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/gc_roots.h"
#include "zend/object.h"
#include "zend/object_guards.h"
#include "zend/throw.h"

#include "stubs/coroutine_http_server_arginfo.h"

namespace stampede::classes {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

zend_class_entry* co_http_server_class;
zend_object_handlers handlers;

// Declaration order of the class.
enum Slot : uint32_t { kFd, kHost, kPort, kSsl, kSettings, kErrCode, kErrMsg };

constexpr Nanos kIdlePatience = 100 * kMillisecond;  // for requests that are on their way

struct Route {
    std::string pattern;
    zend::Callable callback;
};

// The longest pattern that the path begins with; null when there is none.
Route* route_of(std::vector<std::unique_ptr<Route>>& routes, std::string_view path) {
    Route* best = nullptr;
    for (auto& route : routes) {
        bool longer = best == nullptr || route->pattern.size() > best->pattern.size();
        if (longer && path.starts_with(route->pattern)) {
            best = route.get();
        }
    }
    return best;
}

// What serves, from start() to its end, and then as long as somebody holds a request of it.
struct Core final : server::Handler {
    Core(std::vector<std::unique_ptr<Route>>& routes, const RequestOptions& options,
         std::string upload)
        : routes(routes), options(options), upload_dir(std::move(upload)), jobs(this->options) {
        this->options.upload_dir = upload_dir.c_str();
    }

    void body_begins(server::Exchange& exchange) override { plan_body(exchange, options); }
    void handle(server::Exchange& exchange) override;
    void cut_off(server::Exchange& exchange) override {
        RequestJobs::wake_all(exchange, WakeReason::kClosed);
    }
    void body_arrived(server::Exchange& exchange) override {
        RequestJobs::wake_reader(exchange, WakeReason::kReady);
    }
    void drained(server::Exchange& exchange) override {
        RequestJobs::wake(exchange, WakeReason::kReady);
    }
    void closed(net::Connection&) override {
        if (Fiber* woken = std::exchange(waiter, nullptr)) {
            Runtime::get().wake(*woken, WakeReason::kReady);
        }
    }

    std::vector<std::unique_ptr<Route>>& routes;
    RequestOptions options;
    std::string upload_dir;
    RequestJobs jobs;
    std::unique_ptr<shm::Scoreboard> board;
    std::unique_ptr<shm::AddressCounts> addresses;  // with max_connections_per_address
    std::unique_ptr<os::LineWriter> access_lines;   // with access_log
    std::unique_ptr<server::AccessLog> access_log;
    std::unique_ptr<server::Host> host;
    std::unique_ptr<server::Service> service;
    Fiber* waiter = nullptr;  // start(), for a connection to go
    uint32_t generation = Runtime::loop_generation();
};

void Core::handle(server::Exchange& exchange) {
    std::string_view path = exchange.text(exchange.head.path);
    Route* route = route_of(routes, path.empty() ? "/" : path);
    if (route != nullptr) {
        jobs.run_in_coroutine(exchange, route->callback);
        return;
    }
    static constexpr std::string_view kText = "404 Not Found\n";
    server::ResponseHead head;
    head.status = 404;
    head.default_type = "text/plain";
    exchange.send_head(head, kText.size());
    exchange.send_body(kText);
    exchange.finish();
}

// Cores whose requests outlived them. They go when they can, some of them with the process.
std::vector<Core*> retired;

bool may_go(const Core& core) {
    Runtime* runtime = Runtime::peek();
    return runtime != nullptr && runtime->script_is_open() &&
           core.generation == Runtime::loop_generation() &&
           (core.service == nullptr || core.service->exchanges().in_use() == 0);
}

void retire(Core* fresh) {
    if (fresh != nullptr) {
        retired.push_back(fresh);
    }
    std::erase_if(retired, [](Core* core) {
        if (!may_go(*core)) {
            return false;
        }
        delete core;
        return true;
    });
}

struct CoHttpServer {
    int fd = -1;
    bool tls = false;
    std::string host;
    uint16_t port = 0;
    bool reuse_port = false;
    std::string unix_path;
    ServerSettings settings;
    io::SslSettings ssl;
    std::string failure;
    std::vector<std::unique_ptr<Route>> routes;
    Core* core = nullptr;
    Fiber* starter = nullptr;  // waits in start() for shutdown()
    bool stopping = false;
    zend_object std;
};

zval* slot_of(CoHttpServer& server, Slot slot) {
    zval* value = OBJ_PROP_NUM(&server.std, slot);
    ZVAL_DEREF(value);
    return value;
}

void put(CoHttpServer& server, Slot slot, zval value) {
    zval* at = slot_of(server, slot);
    zval_ptr_dtor(at);
    ZVAL_COPY_VALUE(at, &value);
}

void put_long(CoHttpServer& server, Slot slot, zend_long number) {
    zval value;
    ZVAL_LONG(&value, number);
    put(server, slot, value);
}

void put_text(CoHttpServer& server, Slot slot, std::string_view text) {
    zval value;
    ZVAL_STRINGL(&value, text.data(), text.size());
    put(server, slot, value);
}

bool fail(CoHttpServer& server, int code, std::string_view text) {
    put_long(server, kErrCode, code);
    put_text(server, kErrMsg, text.empty() ? io::error_text(code) : text);
    zend::set_last_error(code);
    return false;
}

void close_listener(CoHttpServer& server) {
    if (server.fd >= 0) {
        os::close_fd(server.fd);
        server.fd = -1;
        put_long(server, kFd, -1);
        if (!server.unix_path.empty()) {
            os::remove_path(server.unix_path.c_str());
        }
    }
}

zend_object* create(zend_class_entry* ce) {
    return zend::create_object<CoHttpServer>(ce, &handlers);
}

void destroy(zend_object* object) {
    auto& server = zend::from_object<CoHttpServer>(object);
    os::close_fd(server.fd);
    for (auto& route : server.routes) {
        route->callback.release();
    }
    zend_object_std_dtor(object);
    server.~CoHttpServer();
}

HashTable* list_references(zend_object* object, zval** table, int* count) {
    auto& server = zend::from_object<CoHttpServer>(object);
    zend::GcRoots roots;
    for (auto& route : server.routes) {
        roots.add(route->callback);
    }
    return roots.with_properties(object, table, count);
}

Result<os::Address> address_of(std::string_view host, uint16_t port) {
    std::string text(host);
    if (host.starts_with("unix:")) {
        size_t path = text.find_first_not_of('/', 5);
        return os::parse_unix(path == std::string::npos ? "" : text.c_str() + path - 1);
    }
    if (host.find(':') != std::string_view::npos) {
        return os::parse_ipv6(text.c_str(), port);
    }
    return os::parse_ipv4(host == "localhost" ? "127.0.0.1" : text.c_str(), port);
}

Error open_listener(CoHttpServer& server) {
    auto address = address_of(server.host, server.port);
    os::ListenOptions options;
    options.reuse_port = server.reuse_port;
    Result<int> fd = address ? os::listen_stream(*address, options) : address.error();
    if (!fd) {
        return fd.error();
    }
    server.fd = *fd;
    if (address->family() == AF_UNIX) {
        server.unix_path = address->host();
    } else {
        server.port = os::local_address(*fd).port();
    }
    put_long(server, kFd, *fd);
    return Error();
}

bool listen_on(CoHttpServer& server, std::string_view host, zend_long port, bool reuse_port) {
    if (port < 0 || port > 65535) {
        zend::throw_error(zend::error_classes.exception, EINVAL,
                          "the port must be a number from 0 to 65535");
        return false;
    }
    server.host.assign(host);
    server.port = static_cast<uint16_t>(port);
    server.reuse_port = reuse_port;
    if (Error error = open_listener(server)) {
        int code = error.domain() == Domain::kSystem ? static_cast<int>(error.code()) : EINVAL;
        zend::throw_error(zend::error_classes.exception, code,
                          "bind(%.*s:" ZEND_LONG_FMT ") failed, Error: %s[%d]",
                          static_cast<int>(host.size()), host.data(), port, strerror(code), code);
        return false;
    }
    put_long(server, kPort, server.port);
    put_text(server, kHost, host);
    return true;
}

// ---- serving -----------------------------------------------------------------------------------

// What the service asks of the server object.
class OwnHost final : public server::Host {
public:
    explicit OwnHost(CoHttpServer& server) : server_(server) {}
    bool give_transport(net::Connection& connection) override;

private:
    CoHttpServer& server_;
};

bool OwnHost::give_transport(net::Connection& connection) {
    if (!server_.tls) {
        return true;
    }
    auto session = io::make_tls_session(server_.ssl, connection.fd(), nullptr, server_.failure);
    if (session == nullptr) {
        os::Log::get().write(os::LogLevel::kWarning, "cannot begin TLS: %s",
                             server_.failure.c_str());
        return false;
    }
    connection.set_transport(
        std::make_unique<net::TlsTransport>(connection.fd(), std::move(session)));
    return true;
}

bool check_tls(CoHttpServer& server) {
    if (!server.tls) {
        return true;
    }
    server.ssl.options.role = tls::Role::kServer;
    if (server.ssl.options.alpn.empty()) {
        server.ssl.options.alpn = {"http/1.1"};
        if (server.settings.open_http2_protocol) {
            server.ssl.options.alpn.insert(server.ssl.options.alpn.begin(), "h2");
        }
    }
    if (server.ssl.options.certificate_file.empty()) {
        return fail(server, api_error::kSslCreateContextFailed,
                    "TLS needs a certificate: set ssl_cert_file and ssl_key_file");
    }
    auto trial = io::make_tls_session(server.ssl, server.fd, nullptr, server.failure);
    return trial != nullptr || fail(server, api_error::kSslCreateContextFailed, server.failure);
}

RequestOptions request_options(const CoHttpServer& server) {
    RequestOptions options;
    options.request_id = server.settings.request_id;
    options.parse_cookie = server.settings.http_parse_cookie;
    options.parse_body = server.settings.http_parse_post;
    options.files_as_in_php = server.settings.http_parse_files;
    options.body_limit = static_cast<uint64_t>(server.settings.package_max_length);
    options.stream_body = server.settings.http_stream_request_body;
    options.upload_limit = static_cast<uint64_t>(server.settings.upload_max_filesize);
    options.port = server.unix_path.empty() ? os::local_address(server.fd).port() : 0;
    return options;
}

bool open_access_log(CoHttpServer& server, Core& core) {
    const ServerSettings& settings = server.settings;
    auto lines = open_access_lines(settings);
    if (!lines) {
        auto code = static_cast<int>(lines.error().code());
        return fail(
            server, code,
            "cannot open the access_log \"" + settings.access_log + "\": " + strerror(code));
    }
    core.access_lines = std::move(*lines);
    if (core.access_lines != nullptr) {
        core.access_log = std::make_unique<server::AccessLog>(
            Runtime::get().loop(), *core.access_lines, access_log_settings(settings));
    }
    return true;
}

void close_access_log(Core& core) {
    core.service->stop_logging();
    core.access_log.reset();
    core.access_lines.reset();
}

constexpr uint32_t kMostCountedAddresses = 1 << 13;

bool open_address_counts(CoHttpServer& server, Core& core) {
    if (server.settings.max_connections_per_address == 0) {
        return true;
    }
    auto counts = shm::AddressCounts::create(core.board->size(), kMostCountedAddresses);
    if (!counts) {
        return fail(server, static_cast<int>(counts.error().code()), {});
    }
    core.addresses = std::move(*counts);
    core.board->line(0).state = shm::WorkerState::kRunning;  // lines without a process do not count
    return true;
}

// By prior knowledge a client may speak it unless the option open_http2_protocol says no; over TLS
// it is offered only when the option says yes.
bool may_speak_http2(CoHttpServer& server) {
    zval* given = slot_of(server, kSettings);
    bool may = true;
    if (Z_TYPE_P(given) == IS_ARRAY) {
        io::read_flag(Z_ARRVAL_P(given), "open_http2_protocol", may);
    }
    return may;
}

bool open_core(CoHttpServer& server) {
    auto board = shm::Scoreboard::create(1);
    if (!board) {
        return fail(server, static_cast<int>(board.error().code()), {});
    }
    server.core = new Core(server.routes, request_options(server), server.settings.upload_tmp_dir);
    server.core->jobs.set_limit(server.settings.worker_max_concurrency);
    Core& core = *server.core;
    core.board = std::move(*board);
    server::ServiceSettings settings = service_settings(server.settings);
    settings.http2.ports = {may_speak_http2(server)};
    settings.proxies.header_ports = {server.settings.proxy_protocol};
    if (!open_access_log(server, core) || !open_address_counts(server, core)) {
        return false;
    }
    core.host = std::make_unique<OwnHost>(server);
    const server::ServiceParts parts{
        .loop = Runtime::get().loop(),
        .handler = core,
        .host = *core.host,
        .board = *core.board,
        .addresses = core.addresses.get(),
        .access_log = core.access_log.get(),
    };
    core.service = std::make_unique<server::Service>(parts, settings);
    if (Error error = core.service->add_listener(server.fd, 0)) {
        return fail(server, static_cast<int>(error.code()), {});
    }
    return true;
}

// Waits until no connection is left or the time has come.
void wait_for_connections(Core& core, Nanos deadline) {
    Runtime& runtime = Runtime::get();
    while (core.service->connections().size() > 0 && runtime.can_park()) {
        core.waiter = runtime.current();
        WakeReason reason = runtime.park(deadline);
        core.waiter = nullptr;
        if (reason != WakeReason::kReady) {
            return;
        }
    }
}

void close_core(CoHttpServer& server) {
    Core* core = server.core;
    server.core = nullptr;
    bool same_loop = core->generation == Runtime::loop_generation();
    if (same_loop) {
        core->service->drain();
        wait_for_connections(*core, monotonic_now() + kIdlePatience);
        core->service->connections().close_idle(server::ConnectionTable::Idle::kAll);
        wait_for_connections(*core, monotonic_now() + server.settings.max_wait_time * kSecond);
        core->service->connections().close_all(net::CloseCause::kServer);
        close_access_log(*core);
    }
    close_listener(server);
    retire(core);
}

bool start(CoHttpServer& server) {
    if (server.core != nullptr) {
        return fail(server, EBADF, "the server is running already");
    }
    if (server.fd < 0) {  // after shutdown(): the same address again
        if (Error error = open_listener(server)) {
            return fail(server, static_cast<int>(error.code()), {});
        }
    }
    if (std::string wrong = check_settings(server.settings); !wrong.empty()) {
        return fail(server, EINVAL, wrong);
    }
    if (!check_tls(server)) {
        return false;
    }
    if (zval* given = slot_of(server, kSettings); Z_TYPE_P(given) == IS_ARRAY) {
        note_options_of_workers(Z_ARRVAL_P(given));
    }
    server.stopping = false;
    if (!open_core(server)) {
        retire(server.core);
        server.core = nullptr;
        return false;
    }
    Runtime& runtime = Runtime::get();
    while (!server.stopping) {
        server.starter = runtime.current();
        WakeReason reason = runtime.park(kNever);
        server.starter = nullptr;
        if (reason == WakeReason::kCancelled || reason == WakeReason::kDestroyed) {
            fail(server, ECANCELED, {});
            break;
        }
    }
    close_core(server);
    return server.stopping;
}

bool set_settings(CoHttpServer& server, zval* given) {
    bool good = read_settings(server.settings, Z_ARRVAL_P(given));
    io::read_ssl_options(Z_ARRVAL_P(given), server.ssl);
    zval* kept = slot_of(server, kSettings);
    if (Z_TYPE_P(kept) != IS_ARRAY) {
        zval fresh;
        array_init(&fresh);
        put(server, kSettings, fresh);
        kept = slot_of(server, kSettings);
    }
    SEPARATE_ARRAY(kept);
    zend_hash_merge(Z_ARRVAL_P(kept), Z_ARRVAL_P(given), zval_add_ref, true);
    return good;
}

void set_route(CoHttpServer& server, std::string_view pattern, const zend::Callable& callback) {
    for (auto& route : server.routes) {
        if (route->pattern == pattern) {
            zend::Callable old = route->callback;
            route->callback = callback;
            old.release();
            return;
        }
    }
    server.routes.push_back(std::make_unique<Route>(Route{std::string(pattern), callback}));
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

#define THIS_SERVER (zend::from_this<CoHttpServer>(ZEND_THIS))

ZEND_METHOD(Swoole_Coroutine_Http_Server, __construct) {
    zend_string* host;
    zend_long port = 0;
    bool tls = false;
    bool reuse_port = false;
    ZEND_PARSE_PARAMETERS_START(1, 4)
        Z_PARAM_STR(host)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(port)
        Z_PARAM_BOOL(tls)
        Z_PARAM_BOOL(reuse_port)
    ZEND_PARSE_PARAMETERS_END();
    CoHttpServer& server = THIS_SERVER;
    if (!listen_on(server, {ZSTR_VAL(host), ZSTR_LEN(host)}, port, reuse_port)) {
        RETURN_THROWS();
    }
    server.tls = tls;
    zval value;
    ZVAL_BOOL(&value, tls);
    put(server, kSsl, value);
}

ZEND_METHOD(Swoole_Coroutine_Http_Server, set) {
    zval* settings;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ARRAY(settings)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_BOOL(set_settings(THIS_SERVER, settings));
}

ZEND_METHOD(Swoole_Coroutine_Http_Server, handle) {
    zend_string* pattern;
    zend_fcall_info fci;
    zend_fcall_info_cache fcc;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(pattern)
        Z_PARAM_FUNC(fci, fcc)
    ZEND_PARSE_PARAMETERS_END();
    set_route(THIS_SERVER, {ZSTR_VAL(pattern), ZSTR_LEN(pattern)}, zend::Callable::hold(fci, fcc));
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Coroutine_Http_Server, onAccept) {
    zval* connection;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ZVAL(connection)
    ZEND_PARSE_PARAMETERS_END();
}

ZEND_METHOD(Swoole_Coroutine_Http_Server, start) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (require_coroutine() == nullptr) {
        RETURN_THROWS();
    }
    RETURN_BOOL(start(THIS_SERVER));
}

ZEND_METHOD(Swoole_Coroutine_Http_Server, shutdown) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    CoHttpServer& server = THIS_SERVER;
    server.stopping = true;
    if (server.starter != nullptr) {
        Runtime::get().wake(*server.starter, WakeReason::kReady);
    } else if (server.core == nullptr) {
        close_listener(server);
    }
}

namespace stampede::classes {

zend_result co_http_server_minit(int, int) {
    co_http_server_class = register_class_Swoole_Coroutine_Http_Server();
    co_http_server_class->create_object = create;
    co_http_server_class->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<CoHttpServer>(handlers, destroy);
    zend::refuse_unset(handlers);
    handlers.get_gc = list_references;
    zend::alias_short_name(co_http_server_class, "Co\\Http\\Server");
    return SUCCESS;
}

}  // namespace stampede::classes
