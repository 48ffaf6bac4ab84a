#include "os/main_stack.h"

#include <sys/resource.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>

namespace stampede::os {
namespace {

constexpr rlim_t kInsteadOfNone = 64UL << 20;

// As the kernel counts it, with arguments and environment. Threads' libraries leave those out.
const char* end_of_stack() {
    std::unique_ptr<FILE, int (*)(FILE*)> maps(fopen("/proc/self/maps", "re"), fclose);
    char line[512];
    while (maps != nullptr && fgets(line, sizeof(line), maps.get()) != nullptr) {
        uintptr_t begin = 0;
        uintptr_t end = 0;
        if (strstr(line, "[stack]") != nullptr &&
            sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) == 2) {
            return reinterpret_cast<const char*>(end);
        }
    }
    return nullptr;
}

}  // namespace

MainStack bound_main_stack(size_t room) {
    rlimit limit = {};
    if (::getrlimit(RLIMIT_STACK, &limit) != 0) {
        return {};
    }
    limit.rlim_cur = std::min(limit.rlim_cur, kInsteadOfNone);
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < limit.rlim_cur + room) {
        limit.rlim_cur = limit.rlim_max > 2 * room ? limit.rlim_max - room : limit.rlim_cur;
    }
    if (::setrlimit(RLIMIT_STACK, &limit) != 0) {
        return {};
    }
    return {end_of_stack(), limit.rlim_cur};
}

bool raise_main_stack(MainStack& stack, size_t more) {
    rlimit limit = {};
    if (::getrlimit(RLIMIT_STACK, &limit) != 0) {
        return false;
    }
    limit.rlim_cur = stack.limit + more;
    if (::setrlimit(RLIMIT_STACK, &limit) != 0) {
        return false;
    }
    stack.limit += more;
    return true;
}

}  // namespace stampede::os
