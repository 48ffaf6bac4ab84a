#include "hooks/hooks.h"

#include <sys/socket.h>

#include <atomic>
#include <vector>

#include "hooks/connection_use.h"
#include "hooks/sqlite/use.h"
#include "hooks/transports.h"
#include "ini.h"
#include "os/thread.h"
#include "runtime/runtime.h"

namespace stampede::hooks {

namespace {

int64_t present_flags;
bool chosen;            // by the script
bool redirected;        // something was, once
bool waits_unselected;  // some coroutines wait whatever the flags are: Fiber::waits_in_calls
// True on the PHP thread alone, once hooks are on. Libraries call our functions on threads of
// theirs, too, where nothing of PHP or the loop may be touched. UnselectedCall sets it to false for
// the length of a call.
STAMPEDE_THREAD_LOCAL bool is_php_thread;  // and the call may wait
STAMPEDE_THREAD_LOCAL bool has_tables;
std::atomic<bool> loaded_elsewhere;  // by another thread, since the last look

// Built once and never changed: slots of known objects point to its lines.
const std::vector<Redirect>& all_redirects() {
    static const std::vector<Redirect> all = [] {
        std::vector<Redirect> lines;
        auto add = [&](const Redirect* table, size_t count) {
            lines.insert(lines.end(), table, table + count);
        };
        add(kWaitRedirects, kWaitRedirectCount);
        add(kSocketRedirects, kSocketRedirectCount);
        add(kDescriptorRedirects, kDescriptorRedirectCount);
        add(kChildRedirects, kChildRedirectCount);
        add(kExitRedirects, kExitRedirectCount);
        add(kNameRedirects, kNameRedirectCount);
        add(kLockRedirects, kLockRedirectCount);
        add(kFileRedirects, kFileRedirectCount);
        add(kCompressedRedirects, kCompressedRedirectCount);
        add(kMemoryRedirects, kMemoryRedirectCount);
        add(kPathRedirects, kPathRedirectCount);
        add(kSignalRedirects, kSignalRedirectCount);
        add(sqlite::kRedirects, sqlite::kRedirectCount);
        add(sqlite::kGuards, sqlite::kGuardCount);
        add(kLibpqRedirects, kLibpqRedirectCount);
        add(kTlsRedirects, kTlsRedirectCount);
        add(kCurlRedirects, kCurlRedirectCount);
        add(kCurlFieldRedirects, kCurlFieldRedirectCount);
        add(kMultiRedirects, kMultiRedirectCount);
        return lines;
    }();
    return all;
}

// A descriptor that is no socket (a library's own set of epoll, an eventfd) counts as any kind of
// socket.
uint32_t kind_of_socket(int fd) {
    int domain = 0, type = 0;
    socklen_t size = sizeof(int);
    if (::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 ||
        ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
        return kSockets;
    }
    uint32_t transport = transport_of(fd);
    if (domain == AF_UNIX) {
        return type == SOCK_DGRAM ? kUnixDatagrams : kUnix | transport;
    }
    if (type == SOCK_DGRAM) {
        return kUdp;
    }
    return transport != 0 ? transport : static_cast<uint32_t>(kPlainTcp);
}

void redirect_for(Wanted wanted) {
    if (!ext::settings().redirect_calls) {
        return;  // what the API's own classes do waits all the same
    }
    const std::vector<Redirect>& all = all_redirects();
    redirected = true;
    // Before the look: a library that comes during it is looked at next time.
    loaded_elsewhere.store(false, std::memory_order_relaxed);
    redirect_imports(all.data(), all.size(), wanted);
    watch_transports();
}

}  // namespace

int64_t flags() { return present_flags; }

void redirect_what_is_loaded() {
    redirect_for({static_cast<uint64_t>(present_flags), waits_unselected});
}

void redirect_for_children(int64_t flags) {
    if (present_flags == 0 && flags != 0) {
        redirect_for({static_cast<uint64_t>(flags), waits_unselected});
    }
}

// From the stand-in of dlopen(), after libc's has returned: no lock of the linker is held by this
// thread.
void library_was_loaded() {
    if (!has_tables) {
        loaded_elsewhere.store(true, std::memory_order_relaxed);
    } else if (present_flags != 0) {
        redirect_what_is_loaded();
    }
}

// While nothing is redirected it is done for a moment, without a coroutine that could make a call,
// and undone.
std::vector<ObjectReport> report() {
    std::vector<ObjectReport> objects = report_objects();
    if (objects.empty()) {
        const std::vector<Redirect>& all = all_redirects();
        redirect_imports(all.data(), all.size(), {static_cast<uint64_t>(kAll), false});
        objects = report_objects();
        restore_imports();
    }
    return objects;
}

SelectedCall::SelectedCall() {
    runtime::Runtime* runtime = is_php_thread ? runtime::Runtime::peek() : nullptr;
    fiber_ = runtime != nullptr ? runtime->current() : nullptr;
    if (fiber_ != nullptr) {
        before_ = fiber_->waits_in_calls;
        fiber_->waits_in_calls = true;
    }
}

// `fiber_` is the coroutine that made the call, and is still there: it is what returns from it.
SelectedCall::~SelectedCall() {
    if (fiber_ != nullptr) {
        fiber_->waits_in_calls = before_;
    }
}

// What does not wait does not let another coroutine in between. But a library may call PHP code
// back (curl does), and a fatal error in that jumps over the destructor: calls of this process
// block from then on.
UnselectedCall::UnselectedCall() : before_(is_php_thread) {
    runtime::Runtime* runtime = runtime::Runtime::peek();
    bool anyway = before_ && runtime != nullptr && runtime->current() != nullptr &&
                  runtime->current()->waits_in_calls;
    is_php_thread = anyway;
}

UnselectedCall::~UnselectedCall() { is_php_thread = before_; }

void set_flags(int64_t flags) {
    chosen = true;
    is_php_thread = has_tables = true;
    present_flags = flags;
    if ((flags & kSqlite) == 0) {
        sqlite::distrust_connections();
    }
    if (flags != 0 || redirected) {
        redirect_what_is_loaded();
    }
}

void use_default_flags() {
    if (!chosen) {
        set_flags(kAll);
        chosen = false;
    }
}

// The slots stay as they are: each function finds its flag off, and goes to libc.
void forget_flags() {
    present_flags = 0;
    chosen = false;
    forget_uses();
}

void prepare_to_wait() {
    is_php_thread = has_tables = true;
    if (!waits_unselected) {
        waits_unselected = true;
        redirect_what_is_loaded();
    }
}

bool on_php_thread() { return is_php_thread; }

bool has_tables_of_descriptors() { return has_tables; }

// The order is that of the cost: nearly all calls of other threads and of code outside coroutines
// end at the first two questions. It may redirect, so it is asked before the call takes anything to
// itself.
bool waits(uint32_t kinds) {
    if (!is_php_thread) {
        return false;
    }
    runtime::Runtime* runtime = runtime::Runtime::peek();
    if (runtime == nullptr || !runtime->can_park()) {
        return false;
    }
    if (UNEXPECTED(loaded_elsewhere.load(std::memory_order_relaxed)) && present_flags != 0) {
        redirect_what_is_loaded();
    }
    return waits_too(kinds);
}

bool waits_too(uint32_t kinds) {
    return (static_cast<uint64_t>(present_flags) & kinds) != 0 ||
           runtime::Runtime::peek()->current()->waits_in_calls;
}

// getsockopt() only when the flags tell kinds of sockets apart, which the usual SWOOLE_HOOK_ALL
// does not.
bool waits_on(int fd) {
    if (!waits(kSockets | kStreamSelect)) {
        return false;
    }
    auto present = static_cast<uint64_t>(present_flags);
    return (present & kSockets) == kSockets ||
           runtime::Runtime::peek()->current()->waits_in_calls ||
           (present & kind_of_socket(fd)) != 0;
}

}  // namespace stampede::hooks
