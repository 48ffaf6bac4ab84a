#include "os/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "os/futex.h"
#include "os/process.h"

namespace stampede::os {

namespace {

constexpr time_t kDay = 24 * 60 * 60;

unsigned long present_space() {
    struct stat status;
    return ::stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

struct Owner {
    unsigned long space = 0;
    int pid = 0;
};

// False when the name is not one of ours.
bool parse_name(const char* name, const char* kind, Owner& owner) {
    size_t size = std::strlen(kind);
    if (std::strncmp(name, kind, size) != 0 || name[size] != '.') {
        return false;
    }
    int end = 0;
    return std::sscanf(name + size, ".%lu.%d.%n", &owner.space, &owner.pid, &end) == 2 && end > 0 &&
           owner.pid > 0 && std::strlen(name + size + end) == 6;
}

bool is_a_day_old(int folder, const char* name) {
    struct stat status;
    return ::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           status.st_mtime < std::time(nullptr) - kDay;
}

// Seconds since the machine's start; -1 when there is no such process.
double start_of_process(int pid) {
    char text[1024];
    if (!read_process_file(pid, "stat", text)) {
        return -1;
    }
    // The name may hold anything; the 20th number after it is the start in ticks.
    const char* at = std::strrchr(text, ')');
    unsigned long long ticks = 0;
    constexpr const char* kToStart =
        ") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu";
    if (at == nullptr || std::sscanf(at, kToStart, &ticks) != 1) {
        return -1;
    }
    return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double now_on(clockid_t clock) {
    timespec now;
    ::clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Whether the process that has the number now began after the file was last written to: the number
// was given out again. A clock that was set meanwhile may say otherwise; then the file stays.
bool is_of_another_process(const Owner& owner, int folder, const char* name) {
    constexpr double kSlack = 2;
    struct stat status;
    double start = start_of_process(owner.pid);
    if (start < 0 || ::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return false;
    }
    double written = static_cast<double>(status.st_mtime);
    double began = now_on(CLOCK_REALTIME) - (now_on(CLOCK_BOOTTIME) - start);
    return began > written + kSlack;
}

template <typename Predicate>
void remove_where(const std::string& folder, const char* kind, Predicate&& unwanted) {
    DIR* open = ::opendir(folder.c_str());
    if (open == nullptr) {
        return;
    }
    while (dirent* entry = ::readdir(open)) {
        Owner owner;
        if (parse_name(entry->d_name, kind, owner) &&
            unwanted(owner, ::dirfd(open), entry->d_name)) {
            (void)::unlinkat(::dirfd(open), entry->d_name, 0);
        }
    }
    ::closedir(open);
}

}  // namespace

int make_owned_temporary(const std::string& folder, const char* kind, std::string& path) {
    static const unsigned long space = present_space();
    path = folder + "/" + kind + "." + std::to_string(space) + "." + std::to_string(::getpid()) +
           ".XXXXXX";
    int fd = ::mkostemp(path.data(), O_CLOEXEC);
    if (fd < 0) {
        path.clear();
    }
    return fd;
}

void remove_temporaries_of(const std::string& folder, const char* kind, int pid) {
    unsigned long space = present_space();
    remove_where(folder, kind, [&](const Owner& owner, int, const char*) {
        return owner.space == space && owner.pid == pid;
    });
}

void remove_orphaned_temporaries(const std::string& folder, const char* kind) {
    unsigned long space = present_space();
    remove_where(folder, kind, [&](const Owner& owner, int open, const char* name) {
        if (owner.space == space) {
            return process_has_ended(owner.pid) || is_of_another_process(owner, open, name);
        }
        return is_a_day_old(open, name);
    });
}

}  // namespace stampede::os
