#include "hooks/sqlite/use.h"

#include <algorithm>
#include <unordered_map>

#include "hooks/connection_use.h"
#include "hooks/hooks.h"
#include "io/bound.h"
#include "zend/caller.h"

namespace stampede::hooks::sqlite {

using runtime::Fiber;
using runtime::Runtime;

int uses_under_way;

namespace {

// By the library's own address of them; a Connection stays where it is.
std::unordered_map<Database*, std::shared_ptr<Connection>>& connections() {
    static auto* all = new std::unordered_map<Database*, std::shared_ptr<Connection>>();
    return *all;
}

// Most calls are about the same connection as the one before. Cleared whenever an entry comes or
// goes.
Connection* latest = nullptr;  // that was asked for

int64_t current_cid() {
    Runtime* runtime = Runtime::peek();
    return runtime != nullptr ? runtime->current_cid() : kNobody;
}

// Null, too, when a fatal error has ended it inside of its call.
Fiber* holder_of(const Connection& connection) {
    Runtime* runtime = Runtime::peek();
    return runtime != nullptr && connection.user != kNobody ? runtime->find(connection.user)
                                                            : nullptr;
}

void wake_next(const Connection& connection) {
    if (!connection.waiters.empty()) {
        Runtime::get().wake(*connection.waiters.front()->fiber, runtime::WakeReason::kReady);
    }
}

void settle(const Leftover& leftover) {
    switch (leftover.kind) {
        case Leftover::Kind::kReset:
            library.reset(static_cast<Statement*>(leftover.what));
            break;
        case Leftover::Kind::kFinalize:
            library.finalize(static_cast<Statement*>(leftover.what));
            break;
        case Leftover::Kind::kCloseBlob:
            library.blob_close(static_cast<Blob*>(leftover.what));
            break;
    }
}

}  // namespace

Connection* find_connection(Database* database) {
    if (!on_php_thread()) {
        return nullptr;
    }
    if (latest != nullptr && latest->database == database) {
        return latest;
    }
    auto found = connections().find(database);
    if (found == connections().end()) {
        return nullptr;
    }
    latest = found->second.get();
    return latest;
}

Connection* find_connection(Statement* statement) {
    bool any = statement != nullptr && on_php_thread() && !connections().empty();
    return any ? find_connection(library.db_handle(statement)) : nullptr;
}

Connection* take_connection(Database* database) {
    Connection* known = find_connection(database);
    if (known != nullptr || database == nullptr || !waits(kSqlite) || !is_usable()) {
        return known;
    }
    Connection& connection = add_connection(database);
    connection.stays = true;  // what it calls back was not seen
    return &connection;
}

// Replaces an entry that is there: its database was closed in a way that was not seen, and the
// address is another connection's now. Coroutines that hold the old entry keep it (shared_ptr).
Connection& add_connection(Database* database) {
    latest = nullptr;
    auto& place = connections()[database];
    place = std::make_shared<Connection>();
    place->database = database;
    return *place;
}

std::shared_ptr<Connection> share_connection(const Connection& connection) {
    return connections()[connection.database];
}

void forget_connection(const Connection& connection) {
    auto found = connections().find(connection.database);
    if (found != connections().end() && found->second.get() == &connection) {
        latest = nullptr;
        connections().erase(found);
    }
}

bool is_used_by_another(const Connection& connection) {
    return connection.lost ||
           (connection.user != current_cid() && holder_of(connection) != nullptr);
}

bool Connection::is_waited_for(const void* what) const {
    return std::ranges::any_of(waiters, [=](const Waiter* one) { return one->what == what; });
}

bool is_wanted_by_others(const Connection& connection) {
    bool is_own = connection.user != kNobody && connection.user == current_cid();
    return is_used_by_another(connection) || (!is_own && !connection.waiters.empty());
}

namespace {

// No exception where none could be caught, at the end of a script; the status of the call says it,
// too.
bool refuse(const Connection& connection, const char* wanting) {
    const Fiber* other = holder_of(connection);
    if (other == nullptr && !connection.waiters.empty()) {
        other = connection.waiters.front()->fiber;
    }
    if (!connection.lost && other != nullptr && zend::in_any_call()) {
        io::throw_bound({"The connection to SQLite", "connection"}, *other, "waiting for a reply",
                        wanting);
    }
    return false;
}

// True when it is this coroutine's turn. The connection stays: closing it is refused meanwhile.
// Woken too early (a cancelled one before it has left), it looks again: being the first in the row
// and finding nobody at work are two things, and both must hold.
bool wait_for_turn(Connection& connection, const void* what) {
    Runtime& runtime = Runtime::get();
    Waiter waiter{runtime.current(), what};
    connection.waiters.push_back(&waiter);
    runtime::WakeReason reason = runtime::WakeReason::kReady;
    while (is_used_by_another(connection) || connection.waiters.front() != &waiter) {
        reason = runtime.park(kNever);  // as long as the calls before it
        if (reason != runtime::WakeReason::kReady) {
            break;
        }
    }
    std::erase(connection.waiters, &waiter);
    wake_next(connection);  // waits on when this one begins a call
    return reason == runtime::WakeReason::kReady;
}

}  // namespace

bool may_use(Connection& connection, const char* wanting, const void* what) {
    if (EXPECTED(!is_wanted_by_others(connection))) {
        return true;
    }
    Runtime* runtime = Runtime::peek();
    if (connection.lost || runtime == nullptr || !runtime->can_park()) {
        return refuse(connection, wanting);
    }
    std::shared_ptr<Connection> held = share_connection(connection);
    return wait_for_turn(connection, what);
}

bool may_close(const Connection& connection, const char* wanting) {
    return !is_wanted_by_others(connection) || refuse(connection, wanting);
}

void distrust_connections() {
    for (auto& entry : connections()) {
        Connection& connection = *entry.second;
        connection.stays = true;
        if (connection.depth == 0) {
            settle_leftovers(connection, nullptr);
        }
    }
}

// The threads that worked on a call stayed with the parent, and in the child's copy the mutex of
// the connection is locked for ever. Such a connection is never touched again, not even closed.
void lose_connections() {
    int lost = 0;
    for (auto& entry : connections()) {
        Connection& connection = *entry.second;
        connection.lost = connection.depth > 0;
        connection.depth = 0;
        connection.user = kNobody;
        connection.leftovers.clear();
        lost += connection.lost ? 1 : 0;
    }
    uses_under_way = lost;  // so that they are looked at
}

void leave_connections() {
    for (auto& entry : connections()) {
        stop_watching(*entry.second);
    }
    latest = nullptr;
    connections().clear();
}

void stop_watching(Connection& connection) {
    if (connection.lost) {
        return;
    }
    if (connection.is_watched) {
        library.progress_handler(connection.database, 0, nullptr, nullptr);
    }
    if (connection.authorizer != nullptr) {
        library.set_authorizer(connection.database, connection.authorizer,
                               connection.authorizer_argument);
    }
}

void free_connections() {
    for (auto& entry : connections()) {
        Connection& connection = *entry.second;
        connection.depth = 0;
        connection.user = kNobody;
        settle_leftovers(connection, nullptr);
    }
    uses_under_way = 0;
}

// A user that was left behind by a fatal error is taken over from: depth begins anew.
// uses_under_way then counts one too many, which costs others a look each time and is put right at
// the end of the script.
Use::Use(Connection& connection, Statement* statement)
    : connection_(connection), counts_(current_cid() != kNobody) {
    connection.last = statement;
    if (counts_ && connection.user != current_cid()) {
        connection.user = current_cid();
        connection.depth = 0;
        connection.turn_began = 0;
        connection.is_given_up = connection.is_given_up && statement != nullptr;
        uses_under_way++;
    }
    connection.depth += counts_ ? 1 : 0;
}

Use::~Use() {
    // Not its own any more when the script has ended meanwhile.
    bool ends = counts_ && connection_.user == current_cid() && --connection_.depth == 0;
    if (ends) {
        connection_.user = kNobody;
        uses_under_way--;
        if (UNEXPECTED(!connection_.leftovers.empty())) {
            settle_leftovers(connection_, connection_.last);
        }
        if (UNEXPECTED(!connection_.waiters.empty())) {
            wake_next(connection_);
        }
    }
}

// The list is taken out first: what is put off again goes into the new one. `but` is what the
// caller is about to use, or has just used, itself; a statement that a coroutine waits with must
// stay until it had its turn.
void settle_leftovers(Connection& connection, const Statement* but) {
    std::vector<Leftover> all;
    all.swap(connection.leftovers);
    for (const Leftover& leftover : all) {
        if ((but != nullptr && leftover.what == but) || connection.is_waited_for(leftover.what)) {
            connection.leftovers.push_back(leftover);
        } else {
            settle(leftover);
        }
    }
}

}  // namespace stampede::hooks::sqlite
