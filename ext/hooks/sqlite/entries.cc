// libsqlite3 as PHP's drivers call it: opening, closing, preparing, running. In a coroutine what
// can last runs on a thread (sqlite/offload.h); what is known to be short stays, and so does a
// connection that calls back into PHP. PHP thread; parks.
#include <strings.h>

#include <cstring>

#include "base/clock.h"
#include "hooks/hooks.h"
#include "hooks/sqlite/offload.h"
#include "hooks/sqlite/gate.h"
#include "hooks/sqlite/library.h"
#include "hooks/sqlite/pace.h"
#include "hooks/sqlite/use.h"
#include "zend/caller.h"
#include "zend/throw.h"

namespace stampede::hooks::sqlite {

using runtime::Runtime;

namespace {

constexpr int kSharedCache = 0x20000;  // SQLITE_OPEN_SHAREDCACHE
constexpr int kStepsPerLook = 250;     // of the library's machine: ten microseconds
constexpr Nanos kTurn = kMillisecond;  // then others go on
constexpr const char* kBlanks = " \t\n\v\f\r";
constexpr size_t kLongText = 64 * 1024;  // whose parsing takes milliseconds

// Not in a nested call: the thread of the outer one has the mutex of the connection, and waits for
// this one.
bool is_offloaded(const Connection& connection, const Use& use) {
    return !connection.stays && waits(kSqlite) && !use.is_nested() && has_room_for_a_call();
}

// Asked by the library every so many steps: lets others go on in a long call on the PHP thread, and
// ends one on a thread that was given up.
// In the middle of a call of SQLite, with the connection's mutex held by this thread. On the PHP
// thread it may switch all the same: other coroutines of the thread could enter the mutex (it is
// recursive), and are kept out by may_use(). Not with a shared cache, whose locks are those of
// several connections.
int on_progress(void* argument) {
    if (const Call* call = call_of_thread()) {
        pass_gate();
        return call->given_up ? 1 : 0;
    }
    auto& connection = *static_cast<Connection*>(argument);
    if (connection.is_given_up) {
        return 1;
    }
    Runtime* runtime = Runtime::peek();
    if (!waits(kSqlite) || connection.user != runtime->current_cid() || connection.shares_cache) {
        return 0;
    }
    Nanos now = monotonic_now();
    if (connection.turn_began == 0) {
        connection.turn_began = now;
    } else if (now - connection.turn_began >= kTurn) {
        runtime->make_room();
        connection.turn_began = monotonic_now();
        return zend::exception_pending() || !runtime->can_park() ? 1 : 0;
    }
    return 0;
}

void watch(Connection& connection) {
    if (!connection.is_watched && waits(kSqlite)) {
        connection.is_watched = true;
        library.progress_handler(connection.database, kStepsPerLook, on_progress, &connection);
    }
}

bool asks_for_shared_cache(const char* path, int flags) {
    return (flags & kSharedCache) != 0 ||
           (path != nullptr && std::strstr(path, "cache=shared") != nullptr);
}

void note_opened(Database* database, const char* path, int flags) {
    if (!on_php_thread() || !is_usable()) {
        return;
    }
    Connection& connection = add_connection(database);
    connection.shares_cache = asks_for_shared_cache(path, flags);
    connection.stays = connection.shares_cache;
}

int hooked_open_v2(const char* path, Database** out, int flags, const char* vfs) {
    int status = kOk;
    auto open = [&] { status = library.open_v2(path, out, flags, vfs); };
    if (waits(kSqlite) && is_usable() && has_room_for_a_call()) {
        offload(nullptr, open);
    } else {
        open();
    }
    if (status == kOk) {
        note_opened(*out, path, flags);
    }
    return status;
}

// ---- closing

// `held` keeps the entry while the library frees the database: on another thread a new one may get
// the same address before this coroutine goes on. forget_connection() then leaves the new entry
// alone.
int close_connection(Connection& connection, int (*close)(Database*)) {
    int status = kOk;
    Database* database = connection.database;
    std::shared_ptr<Connection> held = share_connection(connection);
    settle_leftovers(connection, nullptr);
    if (close == library.close_v2) {  // which keeps it for statements that are left
        stop_watching(connection);
    }
    {
        Use use(connection);
        // It may be the last to close, and then writes what the log holds to the file. Nothing can
        // interrupt it: it is gone when it comes back.
        if (is_offloaded(connection, use)) {
            offload(nullptr, [&] { status = close(database); });
        } else {
            status = close(database);
        }
    }
    if (status == kOk) {
        forget_connection(connection);
    }
    return status;
}

int close_by(int (*close)(Database*), Database* database) {
    Connection* connection = find_connection(database);
    if (connection == nullptr) {
        return close(database);
    }
    if (connection->lost) {
        return kOk;
    }
    return may_close(*connection, "closing") ? close_connection(*connection, close) : kBusy;
}

int hooked_close(Database* database) { return close_by(library.close, database); }

int hooked_close_v2(Database* database) { return close_by(library.close_v2, database); }

// ---- preparing

// Reading it for the first time may mean to recover the file first.
enum class Locks : uint8_t { kRefused, kWaitedFor };  // as long as the connection's busy time-out

// Asking for a column of a table that every database has makes SQLite read the schema, and does
// nothing else.
int read_schema(Connection& connection, Locks locks) {
    connection.knows_schema = true;
    int status = kOk;
    Database* database = connection.database;
    Ended ended = offload(database,
                          [&] {
                              status = library.table_column_metadata(
                                  database, nullptr, "sqlite_master", nullptr, nullptr, nullptr,
                                  nullptr, nullptr, nullptr);
                          },
                          {.is_hurried = locks == Locks::kRefused});
    connection.is_given_up = ended.is_given_up;
    return status;
}

bool is_busy(int status) { return (status & 0xff) == kBusy; }

// Another connection is writing what the statement must know to be prepared. The lock is waited for
// on a thread; meanwhile a third connection may take it.
template <typename Prepare>
void wait_for_schema(Connection& connection, int& status, Prepare call) {
    constexpr int kMostRounds = 100;
    for (int round = 0; is_busy(status) && round < kMostRounds; round++) {
        int known = read_schema(connection, Locks::kWaitedFor);
        if (is_busy(known) || connection.is_given_up || zend::exception_pending()) {
            return;
        }
        call();
    }
}

struct Text {
    const char* bytes;
    int size;  // negative: to its end
};

// What a connection is set up with (a key, a page size, an encoding) comes before the first look.
bool is_pragma(const char* text) {
    return ::strncasecmp(text + std::strspn(text, kBlanks), "PRAGMA", 6) == 0;
}

// On the PHP thread: it takes no longer than its text, and asks PHP what it allows.
int prepare(Connection& connection, const Use& use, Text text, Statement** out, const char** rest) {
    int status = kOk;
    auto call = [&] {
        status = library.prepare_v2(connection.database, text.bytes, text.size, out, rest);
    };
    bool may_go = is_offloaded(connection, use);
    if (may_go && !connection.knows_schema && !is_pragma(text.bytes)) {
        // Not every statement needs the locks.
        status = read_schema(connection, Locks::kRefused);
        if (connection.is_given_up && status != kOk) {  // and waits for no lock any more
            connection.is_given_up = connection.knows_schema = false;
            *out = nullptr;
            return status;
        }
    }
    bool is_long = text.size > static_cast<int>(kLongText) ||
                   (text.size < 0 && ::strnlen(text.bytes, kLongText) == kLongText);
    if (may_go && is_long && connection.authorizer == nullptr) {
        offload(connection.database, call);
    } else {
        call();
        if (may_go) {
            wait_for_schema(connection, status, call);
        }
    }
    connection.is_given_up = connection.is_given_up && status == kOk;
    return status;
}

int hooked_prepare_v2(Database* database, const char* text, int size, Statement** out,
                      const char** rest) {
    Connection* connection = is_outside() ? nullptr : take_connection(database);
    if (connection == nullptr || text == nullptr) {
        return library.prepare_v2(database, text, size, out, rest);
    }
    if (!may_use(*connection, "a query")) {
        *out = nullptr;
        return kBusy;
    }
    Use use(*connection);
    watch(*connection);
    return prepare(*connection, use, {text, size}, out, rest);
}

// ---- running

bool has_failed(int status) { return status != kRow && status != kDone; }

// A call before the one that was meant (reading the schema) was interrupted: the one that follows
// it must end at once, too, and only that one.
How take_giving_up(Connection& connection) {
    bool is_given_up = connection.is_given_up;
    connection.is_given_up = false;
    return {.is_given_up = is_given_up};
}

// make_room() after the step and not in it: the statement is between two rows, and the connection
// still in use.
int run_here(Connection& connection, const Step& step) {
    Nanos start = monotonic_now();
    int status = library.step(step.statement);
    Nanos time = monotonic_now() - start;
    note_time(connection, step, time);
    connection.spent_here += time;
    if (connection.spent_here >= kTurn) {  // many rows, one after another
        connection.spent_here = 0;
        Runtime::get().make_room();
    }
    return status;
}

// An authorizer of PHP is asked while a statement runs when it has to be prepared anew: on a thread
// it refuses (on_authorize()), the step fails before it has changed anything, and is made again
// here.
int run_statement(Connection& connection, const Use& use, Statement* statement) {
    if (!is_offloaded(connection, use)) {
        return library.step(statement);
    }
    Step step = step_of(connection, statement);
    if (!connection.is_given_up && is_short(connection, step)) {
        return run_here(connection, step);
    }
    connection.spent_here = 0;
    int status = kOk;
    Nanos time = 0;
    auto run = [&] {
        Nanos start = monotonic_now();
        status = library.step(statement);
        time = monotonic_now() - start;
    };
    Ended ended = offload(connection.database, run, take_giving_up(connection));
    if (ended.needs_php && has_failed(status)) {
        // The schema has changed, or a virtual table prepares: what was done is undone.
        library.reset(statement);
        return library.step(statement);
    }
    note_time(connection, step, time);
    return status;
}

// The coroutine is being destroyed, and so is the method that makes this call after another one.
bool is_ending() {
    Runtime* runtime = Runtime::peek();
    return zend::exception_pending() && runtime != nullptr && runtime->current() != nullptr &&
           runtime->current()->destroying;
}

int hooked_step(Statement* statement) {
    if (is_outside()) {
        return library.step(statement);
    }
    Connection* connection = statement != nullptr && on_php_thread() && is_usable()
                                 ? take_connection(library.db_handle(statement))
                                 : nullptr;
    if (connection == nullptr) {
        return library.step(statement);
    }
    if (!may_use(*connection, "a query", statement)) {
        return kBusy;
    }
    if (UNEXPECTED(is_ending())) {
        return kInterrupted;
    }
    Use use(*connection, statement);
    watch(*connection);
    int status = run_statement(*connection, use, statement);
    connection->is_given_up = false;
    return status;
}

// Something is written only when a statement that writes is stopped between its rows.
// Never interrupted (a null database): a statement that is reset has to come to its end.
int end_statement(Connection& connection, Statement* statement, int (*end)(Statement*)) {
    Use use(connection, statement);
    int status = kOk;
    bool writes = library.stmt_busy(statement) != 0 && library.stmt_readonly(statement) == 0;
    if (writes && is_offloaded(connection, use)) {
        bool is_cancelled = Runtime::get().current()->canceled;  // what it ends was
        offload(nullptr, [&] { status = end(statement); });
        if (is_cancelled) {
            Runtime::get().count_as_cancelled();
        }
    } else {
        status = end(statement);
    }
    connection.last = end == library.finalize ? nullptr : statement;
    return status;
}

// A method was called that does it, not the end of an object.
bool is_asked_for() {
    const zend_module_entry* module = zend::calling_module();
    return module != nullptr &&
           (std::strcmp(module->name, "sqlite3") == 0 || std::strcmp(module->name, "PDO") == 0);
}

int hooked_reset(Statement* statement) {
    Connection* connection = is_outside() ? nullptr : find_connection(statement);
    if (connection == nullptr) {
        return library.reset(statement);
    }
    if (!is_used_by_another(*connection)) {
        return end_statement(*connection, statement, library.reset);
    }
    if (is_asked_for()) {
        return may_use(*connection, "resetting a statement", statement)
                   ? end_statement(*connection, statement, library.reset)
                   : kBusy;
    }
    if (!connection->lost && connection->last != statement) {
        connection->leftovers.push_back({Leftover::Kind::kReset, statement});
    }
    return kOk;
}

// After this the driver has forgotten the statement, whatever is returned; so it is put off at
// most.
int hooked_finalize(Statement* statement) {
    Connection* connection = find_connection(statement);
    if (connection == nullptr) {
        return library.finalize(statement);
    }
    std::erase_if(connection->leftovers,
                  [=](const Leftover& leftover) { return leftover.what == statement; });
    if (is_used_by_another(*connection) || connection->is_waited_for(statement)) {
        if (!connection->lost) {
            connection->leftovers.push_back({Leftover::Kind::kFinalize, statement});
        }
        return kOk;
    }
    return end_statement(*connection, statement, library.finalize);
}

// ---- texts of several statements

int run_to_end(Connection& connection, const Use& use, Statement* statement) {
    int status = kRow;
    auto run = [&] {
        while (status == kRow) {
            status = library.step(statement);
        }
    };
    if (is_ending()) {
        status = kInterrupted;
    } else if (!is_offloaded(connection, use)) {
        run();
    } else if (offload(connection.database, run, take_giving_up(connection)).needs_php &&
               has_failed(status)) {
        library.reset(statement);
        status = kRow;
        run();
    }
    connection.is_given_up = false;
    int end = library.finalize(statement);
    return status == kInterrupted ? status : end;
}

// sqlite3_exec() for a connection that asks PHP what is allowed: its statements are prepared here
// and run on the thread.
int run_all(Connection& connection, const Use& use, const char* text, char** error) {
    int status = kOk;
    while (status == kOk && *text != 0) {
        Statement* statement = nullptr;
        const char* rest = text;
        status = prepare(connection, use, {text, -1}, &statement, &rest);
        if (status == kOk && statement != nullptr) {
            status = run_to_end(connection, use, statement);
        }
        text = rest + std::strspn(rest, kBlanks);
    }
    if (error != nullptr) {
        const char* said =
            status == kInterrupted ? "interrupted" : library.errmsg(connection.database);
        *error = status != kOk ? library.mprintf("%s", said) : nullptr;
    }
    return status;
}

// What PDO says to begin a transaction: it takes no lock.
bool is_begin(const char* text) { return std::strcmp(text, "BEGIN") == 0; }

int hooked_exec(Database* database, const char* text, RowCallback on_row, void* argument,
                char** error) {
    Connection* connection = is_outside() ? nullptr : take_connection(database);
    if (connection == nullptr || text == nullptr) {
        return library.exec(database, text, on_row, argument, error);
    }
    if (!may_use(*connection, "a query")) {
        if (error != nullptr) {
            *error = library.mprintf("%s", kInUse);
        }
        return kBusy;
    }
    Use use(*connection);
    watch(*connection);
    int status = kOk;
    auto call = [&] { status = library.exec(database, text, on_row, argument, error); };
    if (on_row != nullptr || *text == 0 || is_begin(text) || !is_offloaded(*connection, use)) {
        call();
    } else if (connection->authorizer != nullptr && library.errmsg != nullptr) {
        status = run_all(*connection, use, text, error);
    } else {
        offload(database, call);
    }
    return status;
}

// ---- what it calls back

// On either thread. `argument` is the entry, which lives as long as the connection is open.
int on_authorize(void* argument, int action, const char* one, const char* two, const char* three,
                 const char* four) {
    if (Call* call = call_of_thread()) {
        call->needs_php = true;
        return kDenied;
    }
    auto& connection = *static_cast<Connection*>(argument);
    return connection.authorizer(connection.authorizer_argument, action, one, two, three, four);
}

int hooked_set_authorizer(Database* database, Authorizer authorizer, void* argument) {
    Connection* connection = find_connection(database);
    if (connection == nullptr || authorizer == nullptr) {
        if (connection != nullptr) {
            connection->authorizer = nullptr;
        }
        return library.set_authorizer(database, authorizer, argument);
    }
    if (!may_use(*connection, "changing")) {
        return kBusy;
    }
    connection->authorizer = authorizer;
    connection->authorizer_argument = argument;
    return library.set_authorizer(database, on_authorize, connection);
}

}  // namespace

const Redirect kRedirects[] = {
    redirect_entry<hooked_open_v2>("sqlite3_open_v2", library.open_v2),
    redirect_entry<hooked_close>("sqlite3_close", library.close),
    redirect_entry<hooked_close_v2>("sqlite3_close_v2", library.close_v2),
    redirect_entry<hooked_prepare_v2>("sqlite3_prepare_v2", library.prepare_v2),
    redirect_entry<hooked_step>("sqlite3_step", library.step),
    redirect_entry<hooked_reset>("sqlite3_reset", library.reset),
    redirect_entry<hooked_finalize>("sqlite3_finalize", library.finalize),
    redirect_entry<hooked_exec>("sqlite3_exec", library.exec),
    redirect_entry<hooked_set_authorizer>("sqlite3_set_authorizer", library.set_authorizer),
};
const size_t kRedirectCount = sizeof(kRedirects) / sizeof(kRedirects[0]);

}  // namespace stampede::hooks::sqlite
