#include "request_loop/lasting_changes.h"

#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "request_loop/sapi.h"
#include "zend/wrapped_function.h"

namespace stampede::request_loop {
namespace {

constexpr std::string_view kLasting[] = {
    "pcntl_rfork",     "pcntl_setcpuaffinity", "pcntl_setns",   "pcntl_setpriority",
    "pcntl_signal",    "pcntl_sigprocmask",    "pcntl_unshare", "posix_initgroups",
    "posix_setegid",   "posix_seteuid",        "posix_setgid",  "posix_setpgid",
    "posix_setrlimit", "posix_setsid",         "posix_setuid",  "proc_nice",
};

void note(zend_execute_data*) { end_after_request(); }

template <size_t... kEach>
void watch_each(std::index_sequence<kEach...>) {
    (zend::WatchedFunction<note, static_cast<int>(kEach)>::watch(kLasting[kEach]), ...);
}

}  // namespace

void watch_lasting_changes() { watch_each(std::make_index_sequence<std::size(kLasting)>()); }

}  // namespace stampede::request_loop
