#include "classes/client/kept_connections.h"

#include <sys/socket.h>

#include <cerrno>
#include <string>
#include <vector>

#include "os/fd.h"
#include "os/socket_io.h"

namespace stampede::classes {

namespace {

struct Kept {
    std::string name;
    KeptConnection connection;
};

constexpr size_t kMostKept = 64;

std::vector<Kept>& kept() {
    static auto& all = *new std::vector<Kept>();  // the process ends with it
    return all;
}

// Nothing is to be read: what is there would be the response to another request.
bool is_quiet(int fd) {
    char byte;
    return os::receive_with(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

}  // namespace

KeptConnection take_kept_connection(std::string_view name) {
    auto& all = kept();
    for (size_t i = 0; i < all.size();) {
        if (all[i].name != name) {
            i++;
            continue;
        }
        KeptConnection found = all[i].connection;
        all.erase(all.begin() + static_cast<ptrdiff_t>(i));
        if (is_quiet(found.fd)) {
            return found;
        }
        os::close_fd(found.fd);
    }
    return {};
}

void keep_connection(std::string_view name, KeptConnection connection) {
    if (kept().size() == kMostKept || !is_quiet(connection.fd)) {
        os::close_fd(connection.fd);
        return;
    }
    kept().push_back({std::string(name), connection});
}

void close_kept_connections() {
    for (const Kept& each : kept()) {
        os::close_fd(each.connection.fd);
    }
    kept().clear();
}

}  // namespace stampede::classes
