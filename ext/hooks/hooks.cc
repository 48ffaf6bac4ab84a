#include "hooks/hooks.h"

#include <sys/socket.h>

#include <vector>

#include "runtime/runtime.h"

namespace stampede::hooks {

namespace {

int64_t present_flags;
bool chosen;  // by the script
thread_local bool is_php_thread;

std::vector<Redirect> all_redirects() {
    std::vector<Redirect> all(kWaitRedirects, kWaitRedirects + kWaitRedirectCount);
    all.insert(all.end(), kSocketRedirects, kSocketRedirects + kSocketRedirectCount);
    all.insert(all.end(), kOtherRedirects, kOtherRedirects + kOtherRedirectCount);
    return all;
}

uint32_t kind_of_socket(int fd) {
    int domain = 0, type = 0;
    socklen_t size = sizeof(int);
    if (::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 ||
        ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
        return kSockets;
    }
    if (domain == AF_UNIX) {
        return type == SOCK_DGRAM ? kUnixDatagrams : kUnix;
    }
    return type == SOCK_DGRAM ? kUdp : kTcp;
}

}  // namespace

int64_t flags() { return present_flags; }

void redirect_what_is_loaded() {
    std::vector<Redirect> all = all_redirects();
    redirect_imports(all.data(), all.size());
}

void set_flags(int64_t flags) {
    chosen = true;
    is_php_thread = true;
    present_flags = flags;
    if (flags != 0) {
        redirect_what_is_loaded();
    }
}

void use_default_flags() {
    if (!chosen) {
        set_flags(kAll);
        chosen = false;
    }
}

void forget_flags() {
    present_flags = 0;
    chosen = false;
}

bool waits(uint32_t kinds) {
    if ((static_cast<uint64_t>(present_flags) & kinds) == 0 || !is_php_thread) {
        return false;
    }
    runtime::Runtime* runtime = runtime::Runtime::peek();
    return runtime != nullptr && runtime->can_park();
}

bool waits_on(int fd) {
    if (!waits(kSockets)) {
        return false;
    }
    constexpr uint32_t kEachKind = 2 | 4 | 8 | 16;
    auto present = static_cast<uint64_t>(present_flags);
    return (present & kAnySocket) != 0 || (present & kEachKind) == kEachKind ||
           (present & kind_of_socket(fd)) != 0;
}

}  // namespace stampede::hooks
