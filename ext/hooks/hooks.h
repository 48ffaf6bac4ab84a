// Blocking calls of libc that wait in the current coroutine instead: what is on, and the functions
// that stand in. Outside coroutines, on other threads and with its flag off a call goes straight to
// libc. PHP thread; the functions that stand in park.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "hooks/import_table.h"

namespace stampede::hooks {

// SWOOLE_HOOK_*, as far as they select calls of libc.
enum Flag : uint32_t {
    kStreamSelect = 128,
    kFile = 256,
    kSleep = 512,
    kProcess = 1024,
    kStdio = 32768,
    kNames = 2097152,
    // CURL, NATIVE_CURL, SOCKETS and the database drivers: they come down to the same calls, on
    // sockets of any kind.
    kAnySocket = 2048 | 4096 | 16384 | 65536 | 131072 | 262144 | 1048576 | 4194304,
    kTcp = 2 | 32 | 64 | kAnySocket,  // with SSL and TLS
    kUdp = 4 | kAnySocket,
    kUnix = 8 | kAnySocket,
    kUnixDatagrams = 16 | kAnySocket,
    kSockets = kTcp | kUdp | kUnix | kUnixDatagrams,
};

inline constexpr int64_t kAll = 2143287295;  // SWOOLE_HOOK_ALL

int64_t flags();
// Redirects when the first is set; nothing is taken back before the module goes.
void set_flags(int64_t flags);
// All of them, unless the script has said what it wants.
void use_default_flags();
void forget_flags();  // at the end of a script

// Again, for libraries that came since.
void redirect_what_is_loaded();

// Whether a call of this kind waits in the coroutine that makes it.
bool waits(uint32_t kinds);
// The same for a call on this socket, by its kind. What is no socket counts as one of any kind.
bool waits_on(int fd);

// Behind a wait that did not end with readiness: what the call fails with. Never EINTR or EAGAIN,
// which libraries answer by trying again for ever.
inline constexpr int kGivenUp = 125;  // ECANCELED

// The tables of the areas.
extern const Redirect kWaitRedirects[];
extern const size_t kWaitRedirectCount;
extern const Redirect kSocketRedirects[];
extern const size_t kSocketRedirectCount;
extern const Redirect kOtherRedirects[];
extern const size_t kOtherRedirectCount;

}  // namespace stampede::hooks
