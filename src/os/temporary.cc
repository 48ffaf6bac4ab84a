#include "os/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

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
            return ::kill(owner.pid, 0) != 0 && errno == ESRCH;
        }
        return is_a_day_old(open, name);
    });
}

}  // namespace stampede::os
