#include "os/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "os/fd.h"

namespace stampede::os {

namespace {

constexpr int kFirst = 3;
constexpr int kMost = 1024;

struct Inherited {
    std::string name;
    int fd;
};

bool read_number(const char* name, long& out) {
    const char* text = std::getenv(name);
    if (text == nullptr) {
        return false;
    }
    const char* end = text + std::strlen(text);
    auto result = std::from_chars(text, end, out);
    return result.ec == std::errc() && result.ptr == end;
}

// Read once, and taken out of the environment: children are not meant.
std::vector<Inherited> read_environment() {
    std::vector<Inherited> found;
    long pid = 0;
    long count = 0;
    bool meant = read_number("LISTEN_PID", pid) && pid == ::getpid() &&
                 read_number("LISTEN_FDS", count) && count > 0 && count <= kMost;
    const char* given = std::getenv("LISTEN_FDNAMES");
    std::string names = given != nullptr ? given : "";
    for (long i = 0; meant && i < count; i++) {
        size_t end = std::min(names.find(':'), names.size());
        int fd = kFirst + static_cast<int>(i);
        (void)set_cloexec(fd);
        found.push_back({names.substr(0, end), fd});
        names.erase(0, std::min(end + 1, names.size()));
    }
    for (const char* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) {
        ::unsetenv(name);
    }
    return found;
}

int socket_option(int fd, int option) {
    int value = 0;
    socklen_t size = sizeof(value);
    return ::getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

}  // namespace

Result<int> take_inherited_listener(std::string_view name) {
    static std::vector<Inherited> inherited = read_environment();
    for (Inherited& entry : inherited) {
        if (entry.fd < 0 || (!name.empty() && entry.name != name)) {
            continue;
        }
        int fd = std::exchange(entry.fd, -1);
        if (socket_option(fd, SO_ACCEPTCONN) != 1 || socket_option(fd, SO_TYPE) != SOCK_STREAM) {
            return Error::system(ENOTSOCK);
        }
        if (Error error = set_nonblocking(fd)) {
            return error;
        }
        return fd;
    }
    return Error::system(ENOENT);
}

void notify_manager(const std::string& state) {
    const char* path = std::getenv("NOTIFY_SOCKET");
    sockaddr_un address{};
    size_t size = path != nullptr ? std::strlen(path) : 0;
    if (size < 2 || size >= sizeof(address.sun_path) || (path[0] != '/' && path[0] != '@')) {
        return;
    }
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path, size);
    if (path[0] == '@') {
        address.sun_path[0] = '\0';  // an abstract name
    }
    Fd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size);
    if (fd) {
        (void)::sendto(fd.get(), state.data(), state.size(), MSG_NOSIGNAL,
                       reinterpret_cast<const sockaddr*>(&address), length);
    }
}

Nanos manager_patience() {
    const char* pid = std::getenv("WATCHDOG_PID");
    const char* text = std::getenv("WATCHDOG_USEC");
    std::string_view digits = text != nullptr ? text : "";
    int64_t microseconds = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), microseconds);
    bool is_number = error == std::errc() && end == digits.data() + digits.size();
    bool is_ours = pid == nullptr || pid == std::to_string(::getpid());
    constexpr int64_t kMost = int64_t{365} * 86400 * 1'000'000;
    return is_number && is_ours && microseconds > 0 && microseconds <= kMost
               ? microseconds * kMicrosecond
               : 0;
}

}  // namespace stampede::os
