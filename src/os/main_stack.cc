#include "os/main_stack.h"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>

namespace stampede::os {
namespace {

constexpr rlim_t kInsteadOfNone = 64UL << 20;

const char* end_of_stack() {
    pthread_attr_t attributes;
    void* base = nullptr;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return nullptr;
    }
    pthread_attr_getstack(&attributes, &base, &size);
    pthread_attr_destroy(&attributes);
    return static_cast<const char*>(base) + size;
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
