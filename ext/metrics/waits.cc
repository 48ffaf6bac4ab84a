#include "ext/metrics/waits.h"

#include <cstring>

#include "ext/metrics/present.h"
#include "zend/caller.h"

#if __has_include("ext/pdo/php_pdo_driver.h")
#define STAMPEDE_KNOWS_PDO 1
extern "C" {
#include "ext/pdo/php_pdo_driver.h"
}
#endif

namespace stampede::metrics {

namespace {

struct Named {
    std::string_view name;
    WaitKind kind;
};

// Extensions that wait for one thing.
constexpr Named kModules[] = {
    {"mysqli", WaitKind::kMysql},        {"mysqlnd", WaitKind::kMysql},
    {"pgsql", WaitKind::kPostgresql},    {"redis", WaitKind::kRedis},
    {"memcached", WaitKind::kMemcached}, {"mongodb", WaitKind::kMongodb},
    {"sqlite3", WaitKind::kSqlite},      {"curl", WaitKind::kHttp},
    {"soap", WaitKind::kHttp},           {"sockets", WaitKind::kSocket},
    {"pcntl", WaitKind::kProcess},       {"sysvsem", WaitKind::kLock},
};

// Functions of PHP itself, by how their names begin. Others that wait do so for a socket; files
// are read by threads, which is known then (expect_wait).
constexpr Named kFunctions[] = {
    {"sleep", WaitKind::kSleep},        {"usleep", WaitKind::kSleep},
    {"time_", WaitKind::kSleep},        {"flock", WaitKind::kLock},
    {"gethost", WaitKind::kDns},        {"dns_", WaitKind::kDns},
    {"getmxrr", WaitKind::kDns},        {"checkdnsrr", WaitKind::kDns},
    {"proc_", WaitKind::kProcess},      {"exec", WaitKind::kProcess},
    {"shell_exec", WaitKind::kProcess}, {"system", WaitKind::kProcess},
    {"passthru", WaitKind::kProcess},   {"popen", WaitKind::kProcess},
    {"pclose", WaitKind::kProcess},     {"file_get_contents", WaitKind::kHttp},
    {"get_headers", WaitKind::kHttp},
};

// Classes of ours, by how their names begin, the longer ones first.
constexpr Named kClasses[] = {
    {"Swoole\\Coroutine\\Http", WaitKind::kHttp},
    {"Swoole\\Coroutine\\Channel", WaitKind::kChannel},
    {"Swoole\\Coroutine\\WaitGroup", WaitKind::kChannel},
    {"Swoole\\Coroutine\\Barrier", WaitKind::kChannel},
    {"Swoole\\Coroutine\\Lock", WaitKind::kLock},
    {"Swoole\\Coroutine\\System", WaitKind::kOther},
    {"Swoole\\Coroutine\\Socket", WaitKind::kSocket},
    {"Swoole\\Coroutine\\Client", WaitKind::kSocket},
    {"Swoole\\Coroutine", WaitKind::kChannel},
    {"Swoole\\Client", WaitKind::kSocket},
    {"Swoole\\Lock", WaitKind::kLock},
    {"Swoole\\Http\\", WaitKind::kClient},
    {"Stampede\\Http\\", WaitKind::kClient},
    {"Swoole\\WebSocket\\", WaitKind::kClient},
    {"Swoole\\Process", WaitKind::kProcess},
};

// Methods of Swoole\Coroutine and its System.
constexpr Named kMethods[] = {
    {"sleep", WaitKind::kSleep},     {"usleep", WaitKind::kSleep},  {"gethost", WaitKind::kDns},
    {"getaddrinfo", WaitKind::kDns}, {"dnsLookup", WaitKind::kDns}, {"exec", WaitKind::kProcess},
    {"wait", WaitKind::kProcess},    {"read", WaitKind::kFile},     {"write", WaitKind::kFile},
    {"f", WaitKind::kFile},
};

template <size_t N>
const Named* find_start(const Named (&table)[N], std::string_view name) {
    for (const Named& row : table) {
        if (name.starts_with(row.name)) {
            return &row;
        }
    }
    return nullptr;
}

std::string_view name_of_function(const zend_execute_data* frame) {
    const zend_string* name = frame->func->common.function_name;
    return name != nullptr ? std::string_view(ZSTR_VAL(name), ZSTR_LEN(name)) : std::string_view();
}

WaitKind kind_of_driver(std::string_view name) {
    return name.starts_with("mysql")    ? WaitKind::kMysql
           : name.starts_with("pgsql")  ? WaitKind::kPostgresql
           : name.starts_with("sqlite") ? WaitKind::kSqlite
                                        : WaitKind::kOther;
}

#ifdef STAMPEDE_KNOWS_PDO
// A connection that is being made has no driver yet: its constructor was told the name.
WaitKind kind_of_pdo(const zend_execute_data* frame) {
    if (Z_TYPE(frame->This) != IS_OBJECT || frame->func->common.scope == nullptr) {
        return WaitKind::kOther;
    }
    const zend_string* scope = frame->func->common.scope->name;
    auto* object = Z_OBJ(const_cast<zend_execute_data*>(frame)->This);
    const pdo_dbh_t* connection = nullptr;
    if (zend_string_equals_literal(scope, "PDO")) {
        connection = php_pdo_dbh_fetch_inner(object);
    } else if (zend_string_equals_literal(scope, "PDOStatement")) {
        connection = php_pdo_stmt_fetch_object(object)->dbh;
    }
    if (connection != nullptr && connection->driver != nullptr) {
        return kind_of_driver(
            {connection->driver->driver_name, connection->driver->driver_name_len});
    }
    auto* call = const_cast<zend_execute_data*>(frame);
    if (ZEND_CALL_NUM_ARGS(call) > 0 && Z_TYPE_P(ZEND_CALL_ARG(call, 1)) == IS_STRING) {
        return kind_of_driver(
            {Z_STRVAL_P(ZEND_CALL_ARG(call, 1)), Z_STRLEN_P(ZEND_CALL_ARG(call, 1))});
    }
    return WaitKind::kOther;
}
#else
WaitKind kind_of_pdo(const zend_execute_data*) { return WaitKind::kOther; }
#endif

WaitKind kind_of_own(const zend_execute_data* frame) {
    const zend_class_entry* scope = frame->func->common.scope;
    if (scope == nullptr) {
        const Named* found = find_start(kFunctions, name_of_function(frame));
        return found != nullptr ? found->kind : WaitKind::kOther;
    }
    const Named* of_class = find_start(kClasses, {ZSTR_VAL(scope->name), ZSTR_LEN(scope->name)});
    if (of_class == nullptr) {
        return WaitKind::kOther;
    }
    bool has_many = of_class->kind == WaitKind::kOther || of_class->kind == WaitKind::kChannel;
    const Named* method = has_many ? find_start(kMethods, name_of_function(frame)) : nullptr;
    return method != nullptr ? method->kind : of_class->kind;
}

WaitKind expected = WaitKind::kCount;

Cell cells[static_cast<size_t>(WaitKind::kCount)];

}  // namespace

WaitKind kind_of_wait(const zend_execute_data* frame) {
    const zend_module_entry* module = zend::calling_module(frame);
    if (module == nullptr) {
        return WaitKind::kOther;
    }
    std::string_view name(module->name);
    if (name == "swoole" || name == "stampede") {
        return kind_of_own(frame);
    }
    if (name == "standard") {
        const Named* found = find_start(kFunctions, name_of_function(frame));
        return found != nullptr ? found->kind : WaitKind::kSocket;
    }
    if (name == "PDO") {
        return kind_of_pdo(frame);
    }
    const Named* found = find_start(kModules, name);
    return found != nullptr ? found->kind : WaitKind::kOther;
}

void expect_wait(WaitKind kind) { expected = kind; }

WaitKind take_expected_wait() {
    WaitKind kind = expected;
    expected = WaitKind::kCount;
    return kind;
}

void count_wait(WaitKind kind, Nanos duration) {
    Board* board = present_board();
    if (board == nullptr) {
        return;
    }
    Cell& cell = cells[static_cast<size_t>(kind)];
    if (cell == kNoCell) {
        cell = board->series(Id::kWaits, labels_of(family(Id::kWaits), {name_of(kind)}).text());
    }
    present_writer().observe(cell, duration);
}

void forget_wait_cells() { std::memset(cells, 0, sizeof(cells)); }

}  // namespace stampede::metrics
