// The connections to SQLite that we have seen made, and which coroutine has a call on each. Another
// coroutine waits until that call has ended, in the order in which they came, and never in the
// library's mutex; where it cannot wait, and for closing, it gets an error that names both. What
// the end of an object asks of a connection that is in use is done as soon as it is free. One table
// per process, PHP thread; may_use() parks.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "hooks/sqlite/library.h"
#include "runtime/runtime.h"

//   library's mutex of a connection     one call at a time; a second one blocks its whole thread
//   Connection::user, depth             so the PHP thread lets no second call get that far
//
//   coroutine A   step()  -> user = A, runs on a thread          A is parked
//   coroutine B   prepare() on the same: waiters = [B]            B is parked
//   B's object ends: finalize()                                   leftovers, done when A has ended
//   A's call has ended: user = nobody, leftovers, then B is woken
//
// Calls nest: a function of PHP that SQLite calls makes a query on the same connection. Then the
// mutex is held by the PHP thread itself, which may take it again, and the inner call stays on that
// thread.
namespace stampede::hooks::sqlite {

struct Leftover {
    enum class Kind : uint8_t { kReset, kFinalize, kCloseBlob } kind;
    void* what;
};

inline constexpr int64_t kNobody = -1;
// What the driver is told where it was refused.
inline constexpr const char* kInUse = "another coroutine has a call on this connection";

// A coroutine that waits for its call, on its own stack.
// The list has pointers into the stacks of those that wait: each takes its own out before it goes
// on. A fatal error cannot come in between, since the coroutine does nothing but wait.
struct Waiter {
    runtime::Fiber* fiber;
    const void* what;  // the statement or database of its call, which must stay until then
};

struct Connection {
    Database* database = nullptr;
    int64_t user = kNobody;     // the coroutine whose call it runs; it may have ended in it
    int depth = 0;              // calls of the user inside of each other
    Statement* last = nullptr;  // of the latest call
    bool stays = false;         // on the PHP thread: it calls back into PHP, or may
    bool shares_cache = false;  // with other connections, and locks with it
    bool lost = false;          // a thread of the parent process has it
    bool is_watched = false;    // for long calls on the PHP thread
    bool knows_schema = false;
    bool is_given_up = false;         // before the call that was meant
    Authorizer authorizer = nullptr;  // PHP's; what the library asks is ours
    void* authorizer_argument = nullptr;
    Nanos turn_began = 0;  // of a call on the PHP thread, once it has lasted
    Nanos spent_here = 0;  // by short ones since others went on
    int8_t long_rows = 0;  // steps between rows that must prove to be short again
    std::unordered_map<size_t, int8_t> short_runs;  // by the texts of statements
    std::vector<Leftover> leftovers;
    std::deque<Waiter*> waiters;

    bool is_waited_for(const void* what) const;
};

extern int uses_under_way;

// No coroutine runs and none has a call on any of them: nothing is to be thought of.
inline bool is_outside() {
    const runtime::Runtime* runtime = runtime::Runtime::peek();
    return uses_under_way == 0 && (runtime == nullptr || runtime->current() == nullptr);
}

// Null: made while the hooks were off, or asked on another thread.
Connection* find_connection(Database* database);
Connection* find_connection(Statement* statement);
// The same, but in a coroutine whose calls wait it is watched from now on, where it is.
Connection* take_connection(Database* database);
Connection& add_connection(Database* database);
// While it is being closed its address may become another's.
std::shared_ptr<Connection> share_connection(const Connection& connection);
void forget_connection(const Connection& connection);

// Another coroutine has a call on it.
bool is_used_by_another(const Connection& connection);
// The same, or others wait to have one.
bool is_wanted_by_others(const Connection& connection);
// Waits for the calls of others. False, with an exception, where that cannot be; false when the
// waiting was cancelled.
bool may_use(Connection& connection, const char* wanting, const void* what = nullptr);
// The same without waiting.
bool may_close(const Connection& connection, const char* wanting);
// Registrations are not seen any more: what is known now stays on the PHP thread.
void distrust_connections();
void lose_connections();  // in a forked child
void free_connections();  // at the end of a script: no coroutine goes on
// What the library calls back is PHP's own again.
void stop_watching(Connection& connection);
void leave_connections();  // before the module goes

// As long as it lives, the current coroutine uses the connection.
class Use {
public:
    explicit Use(Connection& connection, Statement* statement = nullptr);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    // Inside a call of the same connection, which holds the library's mutex on this thread.
    bool is_nested() const { return connection_.depth > 1; }

private:
    Connection& connection_;
    bool counts_;
};

// What was put off on a connection that no coroutine uses now, but for this statement.
void settle_leftovers(Connection& connection, const Statement* but);

}  // namespace stampede::hooks::sqlite
