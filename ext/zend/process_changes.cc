#include "zend/process_changes.h"

#include <cstring>
#include <iterator>
#include <utility>

#include "zend/php.h"
#include "zend/wrapped_function.h"

namespace stampede::zend {

namespace {

struct Changer {
    const char* owner;  // a class in lower case, or null
    const char* name;
};

constexpr Changer kChangers[] = {
    {nullptr, "posix_setuid"},
    {nullptr, "posix_seteuid"},
    {nullptr, "posix_setgid"},
    {nullptr, "posix_setegid"},
    {nullptr, "posix_setsid"},
    {nullptr, "posix_setpgid"},
    {nullptr, "posix_initgroups"},
    {nullptr, "posix_setrlimit"},
    {nullptr, "chroot"},
    {nullptr, "proc_nice"},
    {nullptr, "pcntl_setpriority"},
    {nullptr, "pcntl_setcpuaffinity"},
    {nullptr, "pcntl_unshare"},
    {nullptr, "pcntl_setns"},
    {nullptr, "pcntl_signal"},
    {nullptr, "pcntl_rfork"},
    {"swoole\\process", "signal"},
    {"swoole\\coroutine", "waitsignal"},
    {"swoole\\coroutine\\system", "waitsignal"},
    {"swoole\\process", "daemon"},
    {"swoole\\process", "setpriority"},
    {"swoole\\process", "setaffinity"},
};
constexpr int kChangerCount = static_cast<int>(std::size(kChangers));

constexpr const char* kForeign[] = {"cdef", "load", "scope"};

bool changed = false;
bool uses_foreign_code = false;

template <int N>
void note_change(zend_execute_data* /*call*/) {
    changed = true;
}

template <int N>
void note_foreign_code(zend_execute_data* /*call*/) {
    uses_foreign_code = true;
}

HashTable* functions_of(const char* owner) {
    return owner == nullptr ? CG(function_table) : methods_of(owner);
}

template <int... N>
void watch_changers(std::integer_sequence<int, N...> /*numbers*/) {
    (WatchedFunction<note_change<N>>::watch(functions_of(kChangers[N].owner), kChangers[N].name),
     ...);
}

template <int... N>
void watch_foreign(std::integer_sequence<int, N...> /*numbers*/) {
    (WatchedFunction<note_foreign_code<N>>::watch(functions_of("ffi"), kForeign[N]), ...);
}

}  // namespace

void watch_changes_of_process() {
    watch_changers(std::make_integer_sequence<int, kChangerCount>());
    watch_foreign(std::make_integer_sequence<int, static_cast<int>(std::size(kForeign))>());
}

void forget_changes_of_process() { changed = false; }

bool may_have_changed_process() { return changed || uses_foreign_code; }

}  // namespace stampede::zend
