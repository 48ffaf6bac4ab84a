// Blocking calls of libc that wait in the current coroutine instead: what is on, and the functions
// that stand in. Outside coroutines, on other threads and with its flag off a call goes straight to
// libc. PHP thread; the functions that stand in park.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "hooks/import_table.h"
#include "runtime/fiber.h"

// The way of a call, of a library that a flag selects as a whole (curl, a database's driver):
//
//   recv()          slot -> Through<SelectedCall>::call     notes for its time: waits in any case
//                             -> hooked_recv()
//   hooked_recv     another thread, no coroutine, flag off?    ::recv(), which may block
//                   another coroutine's descriptor?            an error that names both
//                   ::recv() without waiting                   done, nearly always
//                   EAGAIN: wait_for_any()                     registers the descriptor, parks
//                      (other coroutines run; the loop is told of the descriptor)
//                   ::recv() without waiting, again            what is true now counts
//
// After each wait everything outside of the function's own frame may have changed: the descriptor
// may be closed and its number another's, the object that called may be gone (its end waits for us,
// see end_use()), flags may be off. errno is the caller's result: it is set last.
namespace stampede::hooks {

// SWOOLE_HOOK_*, as far as they select calls of libc.
enum Flag : uint32_t {
    kStreamSelect = 128,
    kFile = 256,
    kSleep = 512,
    kProcess = 1024,
    kStdio = 32768,
    kSqlite = 524288,
    kNames = 2097152,
    kPlainTcp = 2,
    kSsl = 32,
    kTls = 64,
    kTcp = kPlainTcp | kSsl | kTls,
    kUdp = 4,
    kUnix = 8,
    kUnixDatagrams = 16,
    kSockets = kTcp | kUdp | kUnix | kUnixDatagrams,
    kEverything = 0xffffffff,
    // CURL, NATIVE_CURL, SOCKETS and the database drivers select objects: see policy.h.
};

inline constexpr int64_t kAll = 2143287295;  // SWOOLE_HOOK_ALL

int64_t flags();
// Redirects when the first is set; nothing is taken back before the module goes.
void set_flags(int64_t flags);
// All of them, unless the script has said what it wants.
void use_default_flags();
// Before processes are forked that will set these flags: they find their imports redirected, in
// pages that they share. In this one no call waits because of it.
void redirect_for_children(int64_t flags);
void forget_flags();  // at the end of a script

// The functions of ext-curl refuse a handle in which another coroutine waits, those of
// ext-memcached an object. When the module starts and when it goes.
void guard_curl_handles();
void guard_memcached();
// PDO's persistent connections, persistent streams and pg_connect() give each coroutine a
// connection of its own.
void guard_shared_connections();
// The calls of one client of the extension mongodb take turns.
void guard_mongodb();
void forget_signal_waits();     // those of the parent
void forget_mongodb_clients();  // those of another process, or of a script that has ended

// Again, for libraries that came since.
void redirect_what_is_loaded();
// The same, on any thread: what another one has loaded is redirected when the PHP thread makes its
// next call that could wait.
void library_was_loaded();

// What is redirected; what would be with all flags while nothing is.
std::vector<ObjectReport> report();

// For what waits in coroutines whatever the flags are (Fiber::waits_in_calls): redirects before its
// first call.
void prepare_to_wait();

// Whether a call of this kind waits in the coroutine that makes it. To be asked where the call
// begins, before it waits.
bool waits(uint32_t kinds);
// After waits() was true in the same call for other kinds.
bool waits_too(uint32_t kinds);
// Where no coroutine is asked for: other threads of the process do not come into these tables.
bool on_php_thread();
// What is noted of descriptors belongs to the PHP thread, for calls of any object: libraries with
// threads of their own open and close there, too.
bool has_tables_of_descriptors();
// The same for a call on this socket, by its kind. What is no socket counts as one of any kind.
bool waits_on(int fd);

// Calls from an object that a flag selects as a whole. With the flag on they wait, whatever the
// other flags are; with it off only in coroutines that wait in all calls. Both put something aside
// that they give back at the end of the call: the first in the coroutine, since others run
// meanwhile, the second for the thread, where no other coroutine can run until it ends.
class SelectedCall {
public:
    SelectedCall();
    ~SelectedCall();
    SelectedCall(const SelectedCall&) = delete;
    SelectedCall& operator=(const SelectedCall&) = delete;

private:
    runtime::Fiber* fiber_;
    bool before_ = false;
};

class UnselectedCall {
public:
    UnselectedCall();
    ~UnselectedCall();
    UnselectedCall(const UnselectedCall&) = delete;
    UnselectedCall& operator=(const UnselectedCall&) = delete;

private:
    bool before_;
};

template <typename How, auto Function>
struct Through;
template <typename How, typename Result, typename... Arguments, Result (*Function)(Arguments...)>
struct Through<How, Function> {
    static Result call(Arguments... arguments) {
        How how;
        return Function(arguments...);
    }
};

// For the entry points of a library, which look at the flag themselves. Where the library's own is
// kept for them.
template <auto Function>
Redirect redirect_entry(const char* name, decltype(Function)& original) {
    auto* function = reinterpret_cast<void*>(Function);
    return {name, function, function, function, Group::kEntry, reinterpret_cast<void**>(&original)};
}

// A line of the tables.
template <auto Function>
Redirect redirect(const char* name, Group group = Group::kCall) {
    return {name, reinterpret_cast<void*>(Function),
            reinterpret_cast<void*>(&Through<SelectedCall, Function>::call),
            reinterpret_cast<void*>(&Through<UnselectedCall, Function>::call), group};
}

// The same for a function with "..." in its signature, which cannot be passed on. It may be called
// with more arguments than it names: by the calling conventions of both processors that is
// harmless.
inline Redirect as_it_is(const char* name, void* function, Group group) {
    return {name, function, function, function, group};
}

// After a wait that did not end with readiness: what the call fails with. Never EINTR or EAGAIN,
// to which libraries react by trying again for ever.
inline constexpr int kGivenUp = 125;  // ECANCELED

// The tables of the areas.
extern const Redirect kWaitRedirects[];
extern const size_t kWaitRedirectCount;
extern const Redirect kSocketRedirects[];
extern const size_t kSocketRedirectCount;
extern const Redirect kDescriptorRedirects[];
extern const size_t kDescriptorRedirectCount;
extern const Redirect kChildRedirects[];
extern const size_t kChildRedirectCount;
extern const Redirect kExitRedirects[];
extern const size_t kExitRedirectCount;
extern const Redirect kFileRedirects[];
extern const size_t kFileRedirectCount;
extern const Redirect kNameRedirects[];
extern const size_t kNameRedirectCount;
extern const Redirect kLockRedirects[];
extern const size_t kLockRedirectCount;
extern const Redirect kSignalRedirects[];
extern const size_t kSignalRedirectCount;
extern const Redirect kPathRedirects[];
extern const size_t kPathRedirectCount;
extern const Redirect kLibpqRedirects[];
extern const size_t kLibpqRedirectCount;
extern const Redirect kTlsRedirects[];
extern const size_t kTlsRedirectCount;
extern const Redirect kCurlRedirects[];
extern const size_t kCurlRedirectCount;
extern const Redirect kCurlFieldRedirects[];
extern const size_t kCurlFieldRedirectCount;
extern const Redirect kMultiRedirects[];
extern const size_t kMultiRedirectCount;
extern const Redirect kCompressedRedirects[];
extern const size_t kCompressedRedirectCount;
extern const Redirect kMemoryRedirects[];
extern const size_t kMemoryRedirectCount;
namespace sqlite {
extern const Redirect kRedirects[];
extern const size_t kRedirectCount;
extern const Redirect kGuards[];
extern const size_t kGuardCount;
}  // namespace sqlite

}  // namespace stampede::hooks
