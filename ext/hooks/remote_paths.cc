#include "hooks/remote_paths.h"

#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace stampede::hooks {

namespace {

constexpr Nanos kLookAgainAfter = 5 * kSecond;
constexpr std::string_view kRemoteTypes[] = {
    "nfs",  "nfs4",  "cifs", "smb3",   "smbfs",     "ceph",   "9p",   "afs",  "lustre",
    "gfs2", "ocfs2", "fuse", "autofs", "glusterfs", "beegfs", "coda", "ncpfs"};

std::vector<std::string> remote_mounts;
Nanos read_at = 0;

bool is_remote_type(std::string_view type) {
    for (std::string_view remote : kRemoteTypes) {
        if (type == remote) {
            return true;
        }
    }
    return type.starts_with("fuse.");
}

// The kernel writes blanks and the like in octal.
std::string unescape(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] == '\\' && i + 3 < text.size()) {
            out += static_cast<char>(
                std::strtol(std::string(text.substr(i + 1, 3)).c_str(), nullptr, 8));
            i += 3;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string_view next_word(std::string_view& line) {
    size_t end = line.find(' ');
    std::string_view word = line.substr(0, end);
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    return word;
}

// "36 35 98:0 /root /mount/point options [fields] - type source options"
void read_mount(std::string_view line) {
    std::string_view rest = line;
    for (int i = 0; i < 4; i++) {
        next_word(rest);
    }
    std::string_view point = next_word(rest);
    size_t separator = rest.find(" - ");
    if (separator == std::string_view::npos) {
        return;
    }
    rest.remove_prefix(separator + 3);
    if (is_remote_type(next_word(rest))) {
        remote_mounts.push_back(unescape(point));
    }
}

void read_mounts() {
    remote_mounts.clear();
    FILE* file = std::fopen("/proc/self/mountinfo", "re");
    if (file == nullptr) {
        return;
    }
    char* line = nullptr;
    size_t capacity = 0;
    while (::getline(&line, &capacity, file) > 0) {
        read_mount(line);
    }
    std::free(line);
    std::fclose(file);
}

bool lies_below(std::string_view path, std::string_view point) {
    if (point == "/") {
        return true;
    }
    return path.starts_with(point) && (path.size() == point.size() || path[point.size()] == '/');
}

}  // namespace

// By the text of the path, without a call that could wait for the remote machine: a symbolic link
// into a remote mount is not recognized, and its look-up then holds the loop. /proc is read at most
// every five seconds, in place: it never waits.
bool is_remote(const char* path) {
    Nanos now = monotonic_now();
    if (read_at == 0 || now - read_at > kLookAgainAfter) {
        read_at = now;
        read_mounts();
    }
    if (remote_mounts.empty() || path == nullptr) {
        return false;
    }
    std::string full = path;
    if (*path != '/') {
        char folder[PATH_MAX];
        full = ::getcwd(folder, sizeof(folder)) != nullptr ? std::string(folder) + "/" + path : "/";
    }
    for (const std::string& point : remote_mounts) {
        if (lies_below(full, point)) {
            return true;
        }
    }
    return false;
}

}  // namespace stampede::hooks
