// libsqlite3 as PHP's drivers call it, the rest: what takes a connection's mutex for a moment
// waits while another coroutine has a call on it; what makes it call back into PHP is noted; blobs
// and copies of databases run on a thread. PHP thread; parks.
#include <type_traits>
#include <unordered_map>

#include "hooks/hooks.h"
#include "hooks/sqlite/offload.h"
#include "hooks/sqlite/library.h"
#include "hooks/sqlite/use.h"

namespace stampede::hooks::sqlite {

namespace {

// Statements, databases: each leads to its connection. Parks until the other coroutine's call has
// ended.
template <typename Owner>
bool may_ask(Owner* owner) {
    Connection* connection = find_connection(owner);
    return connection == nullptr || may_use(*connection, "use", owner);
}

// What returns a number of its own says 0 when it was refused, what returns a status says so.
template <auto Member, int Refused, typename Function>
struct Guarded;
template <auto Member, int Refused, typename Result, typename Owner, typename... Rest>
struct Guarded<Member, Refused, Result (*)(Owner*, Rest...)> {
    static Result call(Owner* owner, Rest... rest) {
        if (UNEXPECTED(uses_under_way > 0) && !may_ask(owner)) {
            if constexpr (std::is_same_v<Result, int>) {
                return Refused;
            } else {
                return Result();
            }
        }
        return (library.*Member)(owner, rest...);
    }
};

template <auto Member, int Refused>
Redirect guard(const char* name) {
    using Function = std::remove_reference_t<decltype(library.*Member)>;
    return redirect_entry<&Guarded<Member, Refused, Function>::call>(name, library.*Member);
}

// ---- errors: asked for after a refusal, which must not be taken for the other one's

bool is_refused(Database* database) {
    const Connection* connection = uses_under_way > 0 ? find_connection(database) : nullptr;
    return connection != nullptr && is_used_by_another(*connection);
}

const char* hooked_errmsg(Database* database) {
    return is_refused(database) ? kInUse : library.errmsg(database);
}

int hooked_errcode(Database* database) {
    return is_refused(database) ? kBusy : library.errcode(database);
}

int hooked_extended_errcode(Database* database) {
    return is_refused(database) ? kBusy : library.extended_errcode(database);
}

// ---- what calls back into PHP

bool note_callback(Database* database, bool calls_back) {
    Connection* connection = find_connection(database);
    if (connection == nullptr) {
        return true;
    }
    if (!may_use(*connection, "changing")) {
        return false;
    }
    connection->stays = connection->stays || calls_back;
    return true;
}

int hooked_create_function(Database* database, const char* name, int count, int encoding,
                           void* argument, FunctionCallback function, FunctionCallback step,
                           EndCallback end) {
    bool calls_back = function != nullptr || step != nullptr || end != nullptr;
    return note_callback(database, calls_back)
               ? library.create_function(database, name, count, encoding, argument, function, step,
                                         end)
               : kBusy;
}

int hooked_create_collation(Database* database, const char* name, int encoding, void* argument,
                            Comparison compare) {
    return note_callback(database, compare != nullptr)
               ? library.create_collation(database, name, encoding, argument, compare)
               : kBusy;
}

// Others than PHP's own: whatever they register.
template <auto Member, typename Function>
struct Noted;
template <auto Member, typename Result, typename... Rest>
struct Noted<Member, Result (*)(Database*, Rest...)> {
    static Result call(Database* database, Rest... rest) {
        return note_callback(database, true) ? (library.*Member)(database, rest...) : Result();
    }
};

template <auto Member>
Redirect note(const char* name) {
    using Function = std::remove_reference_t<decltype(library.*Member)>;
    return redirect_entry<&Noted<Member, Function>::call>(name, library.*Member);
}

// ---- values: PHP lends its own memory, which another coroutine could change while the thread
// reads

// -1 is SQLITE_TRANSIENT: the library makes a copy of its own. Null is SQLITE_STATIC: the caller's
// memory stays as it is until the statement has run, which holds for PHP code that does not wait.
Destructor copied(Statement* statement, Destructor lent) {
    const Connection* connection =
        lent == nullptr && waits(kSqlite) ? find_connection(statement) : nullptr;
    bool is_offloaded = connection != nullptr && !connection->stays;
    return is_offloaded ? reinterpret_cast<Destructor>(intptr_t{-1}) : lent;
}

int hooked_bind_text(Statement* statement, int index, const char* text, int size,
                     Destructor destructor) {
    if (uses_under_way > 0 && !may_ask(statement)) {
        return kBusy;
    }
    return library.bind_text(statement, index, text, size, copied(statement, destructor));
}

int hooked_bind_blob(Statement* statement, int index, const void* bytes, int size,
                     Destructor destructor) {
    if (uses_under_way > 0 && !may_ask(statement)) {
        return kBusy;
    }
    return library.bind_blob(statement, index, bytes, size, copied(statement, destructor));
}

// ---- calls that touch the file

template <typename Work>
int run_or_refuse(Database* database, const char* wanting, Work work) {
    Connection* connection = take_connection(database);
    if (connection == nullptr) {
        return work();
    }
    if (!may_use(*connection, wanting)) {
        return kBusy;
    }
    Use use(*connection);
    if (connection->stays || !waits(kSqlite) || use.is_nested() || !has_room_for_a_call()) {
        return work();
    }
    int status = kOk;
    Ended ended = offload(database, [&] { status = work(); });
    return ended.needs_php && status != kOk ? work() : status;
}

std::unordered_map<Blob*, Database*>& owners_of_blobs() {
    static auto* all = new std::unordered_map<Blob*, Database*>();
    return *all;
}

Database* owner_of(Blob* blob) {
    if (!on_php_thread()) {
        return nullptr;
    }
    auto found = owners_of_blobs().find(blob);
    return found != owners_of_blobs().end() ? found->second : nullptr;
}

int hooked_blob_open(Database* database, const char* schema, const char* table, const char* column,
                     int64_t row, int flags, Blob** out) {
    int status = run_or_refuse(database, "reading a value", [=] {
        return library.blob_open(database, schema, table, column, row, flags, out);
    });
    if (status == kOk && find_connection(database) != nullptr) {
        owners_of_blobs()[*out] = database;
    }
    return status;
}

int hooked_blob_read(Blob* blob, void* out, int size, int offset) {
    return run_or_refuse(owner_of(blob), "reading a value",
                         [=] { return library.blob_read(blob, out, size, offset); });
}

int hooked_blob_write(Blob* blob, const void* data, int size, int offset) {
    return run_or_refuse(owner_of(blob), "writing a value",
                         [=] { return library.blob_write(blob, data, size, offset); });
}

// The end of a stream, which cannot fail: later, if need be.
int hooked_blob_close(Blob* blob) {
    Database* database = owner_of(blob);
    Connection* connection = find_connection(database);
    if (connection == nullptr) {
        return library.blob_close(blob);
    }
    owners_of_blobs().erase(blob);
    if (is_used_by_another(*connection)) {
        if (!connection->lost) {
            connection->leftovers.push_back({Leftover::Kind::kCloseBlob, blob});
        }
        return kOk;
    }
    return run_or_refuse(database, "closing a value", [=] { return library.blob_close(blob); });
}

// ---- copies of databases

struct Ends {
    Database* to;
    Database* from;
};

std::unordered_map<Copying*, Ends>& ends_of_copies() {
    static auto* all = new std::unordered_map<Copying*, Ends>();
    return *all;
}

Ends ends_of(Copying* copying) {
    auto found = ends_of_copies().find(copying);
    return on_php_thread() && found != ends_of_copies().end() ? found->second : Ends{};
}

template <typename Work>
int copy(Ends ends, Work work) {
    return run_or_refuse(ends.to, "a copy", [=] { return work(); });
}

Copying* hooked_backup_init(Database* to, const char* name_to, Database* from,
                            const char* name_from) {
    bool guarded = uses_under_way > 0;
    if (guarded && (!may_ask(to) || !may_ask(from))) {
        return nullptr;
    }
    Copying* copying = library.backup_init(to, name_to, from, name_from);
    if (copying != nullptr && on_php_thread()) {
        ends_of_copies()[copying] = {to, from};
    }
    return copying;
}

// The source is taken first; where the target is in use, its row is joined with the source taken.
// Two copies in opposite directions do not block each other: a coroutine joins the second row in
// the moment in which it takes the first connection, and rows are served in order.
// Both are in use as long as the call lasts.
template <typename Work>
int copy_with_both(Ends ends, Work work) {
    Connection* from = take_connection(ends.from);
    if (from == nullptr) {
        return copy(ends, work);
    }
    if (!may_use(*from, "a copy")) {
        return kBusy;
    }
    Use use(*from);
    return from->stays || use.is_nested() ? work() : copy(ends, work);
}

int hooked_backup_step(Copying* copying, int pages) {
    return copy_with_both(ends_of(copying), [=] { return library.backup_step(copying, pages); });
}

int hooked_backup_finish(Copying* copying) {
    Ends ends = ends_of(copying);
    ends_of_copies().erase(copying);
    return copy_with_both(ends, [=] { return library.backup_finish(copying); });
}

}  // namespace

const Redirect kGuards[] = {
    redirect_entry<hooked_errmsg>("sqlite3_errmsg", library.errmsg),
    redirect_entry<hooked_errcode>("sqlite3_errcode", library.errcode),
    redirect_entry<hooked_extended_errcode>("sqlite3_extended_errcode", library.extended_errcode),
    redirect_entry<hooked_create_function>("sqlite3_create_function", library.create_function),
    redirect_entry<hooked_create_collation>("sqlite3_create_collation", library.create_collation),
    redirect_entry<hooked_bind_text>("sqlite3_bind_text", library.bind_text),
    redirect_entry<hooked_bind_blob>("sqlite3_bind_blob", library.bind_blob),
    redirect_entry<hooked_blob_open>("sqlite3_blob_open", library.blob_open),
    redirect_entry<hooked_blob_read>("sqlite3_blob_read", library.blob_read),
    redirect_entry<hooked_blob_write>("sqlite3_blob_write", library.blob_write),
    redirect_entry<hooked_blob_close>("sqlite3_blob_close", library.blob_close),
    redirect_entry<hooked_backup_init>("sqlite3_backup_init", library.backup_init),
    redirect_entry<hooked_backup_step>("sqlite3_backup_step", library.backup_step),
    redirect_entry<hooked_backup_finish>("sqlite3_backup_finish", library.backup_finish),
    note<&Library::create_function_v2>("sqlite3_create_function_v2"),
    note<&Library::create_window_function>("sqlite3_create_window_function"),
    note<&Library::create_collation_v2>("sqlite3_create_collation_v2"),
    note<&Library::collation_needed>("sqlite3_collation_needed"),
    note<&Library::create_module>("sqlite3_create_module"),
    note<&Library::create_module_v2>("sqlite3_create_module_v2"),
    note<&Library::busy_handler>("sqlite3_busy_handler"),
    note<&Library::trace_v2>("sqlite3_trace_v2"),
    note<&Library::commit_hook>("sqlite3_commit_hook"),
    note<&Library::rollback_hook>("sqlite3_rollback_hook"),
    note<&Library::update_hook>("sqlite3_update_hook"),
    note<&Library::wal_hook>("sqlite3_wal_hook"),
    guard<&Library::bind_double, kBusy>("sqlite3_bind_double"),
    guard<&Library::bind_int64, kBusy>("sqlite3_bind_int64"),
    guard<&Library::bind_null, kBusy>("sqlite3_bind_null"),
    guard<&Library::clear_bindings, kBusy>("sqlite3_clear_bindings"),
    guard<&Library::column_blob, 0>("sqlite3_column_blob"),
    guard<&Library::column_bytes, 0>("sqlite3_column_bytes"),
    guard<&Library::column_count, 0>("sqlite3_column_count"),
    guard<&Library::column_decltype, 0>("sqlite3_column_decltype"),
    guard<&Library::column_double, 0>("sqlite3_column_double"),
    guard<&Library::column_int64, 0>("sqlite3_column_int64"),
    guard<&Library::column_name, 0>("sqlite3_column_name"),
    guard<&Library::column_table_name, 0>("sqlite3_column_table_name"),
    guard<&Library::column_text, 0>("sqlite3_column_text"),
    guard<&Library::column_type, kNull>("sqlite3_column_type"),
    guard<&Library::data_count, 0>("sqlite3_data_count"),
    guard<&Library::expanded_sql, 0>("sqlite3_expanded_sql"),
    guard<&Library::changes, 0>("sqlite3_changes"),
    guard<&Library::last_insert_rowid, 0>("sqlite3_last_insert_rowid"),
    guard<&Library::busy_timeout, kBusy>("sqlite3_busy_timeout"),
    guard<&Library::enable_load_extension, kBusy>("sqlite3_enable_load_extension"),
    guard<&Library::load_extension, kBusy>("sqlite3_load_extension"),
    guard<&Library::extended_result_codes, kBusy>("sqlite3_extended_result_codes"),
};
const size_t kGuardCount = sizeof(kGuards) / sizeof(kGuards[0]);

}  // namespace stampede::hooks::sqlite
