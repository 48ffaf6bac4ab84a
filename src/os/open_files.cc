#include "os/open_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "os/fd.h"
#include "os/socket.h"

namespace stampede::os {

namespace {

std::string link_of(int fd) {
    char target[1024];
    std::string path = "/proc/self/fd/" + std::to_string(fd);
    ssize_t size = ::readlink(path.c_str(), target, sizeof(target));
    return size > 0 ? std::string(target, static_cast<size_t>(size)) : std::string();
}

bool has_lock(int fd) {
    Fd file(::open(("/proc/self/fdinfo/" + std::to_string(fd)).c_str(), O_RDONLY | O_CLOEXEC));
    char text[2048];
    long size = file ? read_some(file.get(), text, sizeof(text)) : 0;
    return size > 0 && std::string_view(text, static_cast<size_t>(size)).find("lock:") !=
                           std::string_view::npos;
}

std::string name_of(const sockaddr_storage& address, socklen_t size) {
    if (address.ss_family == AF_UNIX) {
        const auto& local = reinterpret_cast<const sockaddr_un&>(address);
        size_t length = size - offsetof(sockaddr_un, sun_path);
        return size > offsetof(sockaddr_un, sun_path) && local.sun_path[0] != 0
                   ? std::string(local.sun_path, strnlen(local.sun_path, length))
                   : "another process";
    }
    Address known;
    known.storage = address;
    known.length = size;
    return known.host() + ":" + std::to_string(known.port());
}

std::string describe_socket(int fd) {
    sockaddr_storage address{};
    socklen_t size = sizeof(address);
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
        return "a connection to " + name_of(address, size);
    }
    size = sizeof(address);
    int listens = 0;
    socklen_t wanted = sizeof(listens);
    bool listening =
        ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &wanted) == 0 && listens != 0;
    if (listening && ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
        return "a socket that listens on " + name_of(address, size);
    }
    return "a socket";
}

// Empty: it can be shared.
std::string describe(int fd) {
    struct stat facts {};
    if (::fstat(fd, &facts) != 0) {
        return {};
    }
    for (int standard = 0; standard < 3; standard++) {
        struct stat own {};
        if (::fstat(standard, &own) == 0 && own.st_dev == facts.st_dev &&
            own.st_ino == facts.st_ino) {
            return {};
        }
    }
    if (S_ISSOCK(facts.st_mode)) {
        return describe_socket(fd);
    }
    if (S_ISFIFO(facts.st_mode)) {
        return "a pipe";
    }
    std::string target = link_of(fd);
    if (!S_ISREG(facts.st_mode) || target.starts_with("/memfd:") || target.ends_with(".php")) {
        return {};
    }
    if (has_lock(fd)) {
        return "the file " + target + " with a lock";
    }
    int flags = ::fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_APPEND) != 0 ? std::string() : "the file " + target;
}

}  // namespace

std::vector<OpenFile> shareless_files() {
    std::vector<OpenFile> found;
    DIR* folder = ::opendir("/proc/self/fd");
    if (folder == nullptr) {
        return found;
    }
    while (const dirent* entry = ::readdir(folder)) {
        int fd = std::atoi(entry->d_name);
        if (entry->d_name[0] == '.' || fd < 3 || fd == ::dirfd(folder)) {
            continue;
        }
        std::string what = describe(fd);
        if (!what.empty()) {
            found.push_back({fd, std::move(what)});
        }
    }
    ::closedir(folder);
    std::ranges::sort(found, {}, &OpenFile::fd);
    return found;
}

}  // namespace stampede::os
