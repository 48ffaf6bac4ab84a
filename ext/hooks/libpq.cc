// libpq as pdo_pgsql and pgsql call it. PQexec() reads and drops whatever response is under way
// before it sends, so the second user of a connection would take the response of the first: it is
// refused here, before libpq touches the connection. The end of a statement or cursor (DEALLOCATE,
// CLOSE) waits until the connection is free, and a connection that is closed is left by its users
// first.
#include <dlfcn.h>

#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "hooks/connection_use.h"
#include "hooks/hooks.h"
#include "hooks/object_end.h"
#include "runtime/runtime.h"
#include "zend/caller.h"

// Of libpq; only addresses are used.
struct pg_conn;
struct pg_result;

namespace stampede::hooks {

namespace {

using Connection = pg_conn;
using Result = pg_result;
using Oid = unsigned;

// PQtransactionStatus()
constexpr int kIdle = 0;
constexpr int kActive = 1;
constexpr int kInTransaction = 2;
constexpr int kInError = 3;
constexpr int kCommandOk = 1;  // PQresultStatus()

struct Library {
    // What others import.
    Result* (*exec)(Connection*, const char*);
    Result* (*exec_params)(Connection*, const char*, int, const Oid*, const char* const*,
                           const int*, const int*, int);
    Result* (*prepare)(Connection*, const char*, const char*, int, const Oid*);
    Result* (*exec_prepared)(Connection*, const char*, int, const char* const*, const int*,
                             const int*, int);
    Result* (*close_prepared)(Connection*, const char*);
    Result* (*get_result)(Connection*);
    int (*transaction_status_entry)(const Connection*);
    int (*send_query)(Connection*, const char*);
    int (*send_query_params)(Connection*, const char*, int, const Oid*, const char* const*,
                             const int*, const int*, int);
    int (*send_prepare)(Connection*, const char*, const char*, int, const Oid*);
    int (*send_query_prepared)(Connection*, const char*, int, const char* const*, const int*,
                               const int*, int);
    int (*put_copy_data)(Connection*, const char*, int);
    int (*get_copy_data)(Connection*, char**, int);
    void (*reset)(Connection*);
    void (*finish)(Connection*);

    // Found in the library by us.
    int (*socket)(const Connection*);
    int (*transaction_status)(const Connection*);
    int (*result_status)(const Result*);
    void (*clear)(Result*);
};

Library libpq;

template <typename Function>
void find(void* object, const char* name, Function& out) {
    out = reinterpret_cast<Function>(::dlsym(object, name));
}

// The library that the entry points lie in.
bool find_the_rest() {
    Dl_info where{};
    if (::dladdr(reinterpret_cast<void*>(libpq.exec), &where) == 0) {
        return false;
    }
    void* object = ::dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (object == nullptr) {
        return false;
    }
    find(object, "PQsocket", libpq.socket);
    find(object, "PQtransactionStatus", libpq.transaction_status);
    find(object, "PQresultStatus", libpq.result_status);
    find(object, "PQclear", libpq.clear);
    ::dlclose(object);
    return libpq.socket != nullptr && libpq.transaction_status != nullptr &&
           libpq.result_status != nullptr && libpq.clear != nullptr;
}

// Whether anything is to be thought of: on the PHP thread, where coroutines were used.
bool has_users() {
    if (!on_php_thread() || runtime::Runtime::peek() == nullptr || libpq.exec == nullptr) {
        return false;
    }
    static void* asked_for = nullptr;
    static bool found = false;
    if (asked_for != reinterpret_cast<void*>(libpq.exec)) {
        asked_for = reinterpret_cast<void*>(libpq.exec);
        found = find_the_rest();
    }
    return found;
}

// Statements that have ended, as the commands that free them. An entry goes with its connection,
// whose address may be another's later.
std::unordered_map<const Connection*, std::vector<std::string>>& deferred() {
    static auto* all = new std::unordered_map<const Connection*, std::vector<std::string>>();
    return *all;
}

bool is_waited_for(const Connection* connection) {
    int fd = libpq.socket(connection);
    return fd >= 0 && is_used_by_another(fd);
}

bool frees_something(const char* text) {
    return std::strncmp(text, "DEALLOCATE ", 11) == 0 || std::strncmp(text, "CLOSE ", 6) == 0;
}

bool run(Connection* connection, const std::string& text) {
    Result* result = libpq.exec(connection, text.c_str());
    bool done = libpq.result_status(result) == kCommandOk;
    libpq.clear(result);
    return done;
}

// Inside of a transaction a command that fails would end that: after a savepoint it does not.
bool run_alone(Connection* connection, const std::string& text, bool in_transaction) {
    if (!in_transaction) {
        return run(connection, text);
    }
    bool done =
        run(connection, "SAVEPOINT stampede_ends; " + text + "; RELEASE SAVEPOINT stampede_ends");
    if (!done) {
        run(connection, "ROLLBACK TO SAVEPOINT stampede_ends; RELEASE SAVEPOINT stampede_ends");
    }
    return done;
}

// A transaction is left in peace until so many have gathered.
constexpr size_t kMostInTransaction = 64;

// Together, and one by one when the server refuses that: a name that the script has freed itself
// must not stop the others. When another coroutine closes the connection meanwhile, it waits for
// this one to leave: its calls fail then without waiting (leave_first).
void run_deferred(Connection* connection) {
    auto found = deferred().find(connection);
    if (found == deferred().end()) {
        return;
    }
    int status = libpq.transaction_status(connection);
    bool in_transaction = status == kInTransaction && found->second.size() >= kMostInTransaction;
    if (status != kIdle && !in_transaction) {
        return;
    }
    std::vector<std::string> commands = std::move(found->second);
    deferred().erase(found);
    std::string all;
    for (const std::string& command : commands) {
        all += (all.empty() ? "" : "; ") + command;
    }
    bool done = run_alone(connection, all, in_transaction);
    for (size_t i = 0; !done && commands.size() > 1 && i < commands.size(); i++) {
        run_alone(connection, commands[i], in_transaction);
    }
}

// False, with an exception, when another coroutine waits for a response on the connection.
bool may_command(Connection* connection) {
    if (connection == nullptr || !has_users()) {
        return true;
    }
    if (UNEXPECTED(is_waited_for(connection))) {
        int fd = libpq.socket(connection);
        return may_read(fd) && may_write(fd);
    }
    if (UNEXPECTED(!deferred().empty())) {
        run_deferred(connection);
    }
    return true;
}

// One function for each entry of Library: `Member` says which, and the types of its parameters are
// taken from that entry. The connection is the first parameter of all of them.
template <auto Member, typename Function = std::remove_reference_t<decltype(libpq.*Member)>>
struct Guarded;
template <auto Member, typename Returned, typename... Arguments>
struct Guarded<Member, Returned (*)(Connection*, Arguments...)> {
    static Returned call(Connection* connection, Arguments... arguments) {
        if (UNEXPECTED(!may_command(connection))) {
            return Returned();  // null, or 0: it was not sent
        }
        return (libpq.*Member)(connection, arguments...);
    }
};

// False when the command goes with the next one.
bool may_free_now(Connection* connection) {
    if (connection == nullptr || !has_users() || !in_end_of_object()) {
        return true;
    }
    int status = libpq.transaction_status(connection);
    return !is_waited_for(connection) && status != kActive && status != kInError;
}

Result* hooked_exec(Connection* connection, const char* text) {
    if (text != nullptr && frees_something(text) && !may_free_now(connection)) {
        deferred()[connection].emplace_back(text);
        return nullptr;
    }
    if (text != nullptr && connection != nullptr && frees_something(text) && has_users() &&
        in_end_of_object() && libpq.transaction_status(connection) == kInTransaction) {
        run_alone(connection, text, true);  // drivers do not look at what comes back
        return nullptr;
    }
    return Guarded<&Library::exec>::call(connection, text);
}

// A command of an end that is under way is none of the caller's: pdo_pgsql would take it for a
// transaction.
int hooked_transaction_status(const Connection* connection) {
    if (connection != nullptr && has_users() && UNEXPECTED(is_waited_for(connection))) {
        let_end_finish(libpq.socket(connection));
    }
    return libpq.transaction_status_entry(connection);
}

Result* hooked_close_prepared(Connection* connection, const char* name) {
    if (name != nullptr && !may_free_now(connection)) {
        deferred()[connection].push_back("DEALLOCATE \"" + std::string(name) + "\"");
        return nullptr;
    }
    return Guarded<&Library::close_prepared>::call(connection, name);
}

int hooked_get_copy_data(Connection* connection, char** buffer, int mode) {
    constexpr int kFailed = -2;
    bool refused = connection != nullptr && has_users() && is_waited_for(connection) &&
                   !may_command(connection);
    return refused ? kFailed : libpq.get_copy_data(connection, buffer, mode);
}

// Before libpq frees the connection: the coroutine that waits in it runs now, with its socket cut,
// until it has left libpq. What was deferred for the connection goes with it, as the server forgets
// it with the session.
void leave_first(Connection* connection) {
    if (connection != nullptr && has_users()) {
        deferred().erase(connection);
        if (int fd = libpq.socket(connection); fd >= 0) {
            cut_use(fd);
        }
    }
}

// Reading on is no new command: nothing that was deferred is sent before it.
Result* hooked_get_result(Connection* connection) {
    if (EXPECTED(connection == nullptr || !has_users() || !is_waited_for(connection))) {
        return libpq.get_result(connection);
    }
    // pgsql drops the results that are left before it closes the connection.
    if (zend::in_internal_function("pg_close") || in_end_of_object()) {
        leave_first(connection);
    } else if (may_command(connection)) {
        return libpq.get_result(connection);  // outside of coroutines nobody is refused
    }
    return nullptr;
}

int hooked_put_copy_data(Connection* connection, const char* data, int size) {
    constexpr int kFailed = -1;
    bool refused = connection != nullptr && has_users() && is_waited_for(connection) &&
                   !may_command(connection);
    return refused ? kFailed : libpq.put_copy_data(connection, data, size);
}

void hooked_reset(Connection* connection) {
    leave_first(connection);
    libpq.reset(connection);
}

void hooked_finish(Connection* connection) {
    leave_first(connection);
    libpq.finish(connection);
}

template <auto Member>
Redirect guarded(const char* name) {
    return redirect_entry<&Guarded<Member>::call>(name, libpq.*Member);
}

}  // namespace

const Redirect kLibpqRedirects[] = {
    redirect_entry<hooked_exec>("PQexec", libpq.exec),
    guarded<&Library::exec_params>("PQexecParams"),
    guarded<&Library::prepare>("PQprepare"),
    guarded<&Library::exec_prepared>("PQexecPrepared"),
    redirect_entry<hooked_close_prepared>("PQclosePrepared", libpq.close_prepared),
    redirect_entry<hooked_get_result>("PQgetResult", libpq.get_result),
    redirect_entry<hooked_transaction_status>("PQtransactionStatus",
                                              libpq.transaction_status_entry),
    guarded<&Library::send_query>("PQsendQuery"),
    guarded<&Library::send_query_params>("PQsendQueryParams"),
    guarded<&Library::send_prepare>("PQsendPrepare"),
    guarded<&Library::send_query_prepared>("PQsendQueryPrepared"),
    redirect_entry<hooked_put_copy_data>("PQputCopyData", libpq.put_copy_data),
    redirect_entry<hooked_get_copy_data>("PQgetCopyData", libpq.get_copy_data),
    redirect_entry<hooked_reset>("PQreset", libpq.reset),
    redirect_entry<hooked_finish>("PQfinish", libpq.finish),
};
const size_t kLibpqRedirectCount = sizeof(kLibpqRedirects) / sizeof(kLibpqRedirects[0]);

}  // namespace stampede::hooks
