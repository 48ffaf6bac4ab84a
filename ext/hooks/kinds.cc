#include "hooks/kinds.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stampede::hooks {

namespace {

// One descriptor is enough: drivers make a socket, set its mode, and connect it, one at a time.
int latest_nonblocking = -1;

// A device is a pipe when it is a terminal: poll() works for it, and reads may wait for a person.
Kind kind_by_mode(int fd, mode_t mode) {
    if (S_ISSOCK(mode)) {
        return Kind::kSocket;
    }
    if (S_ISREG(mode) || S_ISDIR(mode)) {
        return Kind::kRegular;
    }
    bool piped = S_ISFIFO(mode) || (S_ISCHR(mode) && ::isatty(fd) == 1);
    return piped ? Kind::kPipe : Kind::kOther;
}

}  // namespace

void note_kind(int fd, Kind kind) {
    if (fd >= 0) {
        state_of(fd).kind = kind;
    }
}

Kind note_facts(int fd, mode_t mode) {
    Kind kind = kind_by_mode(fd, mode);
    // A device may block or not and gives no sign of being another by now: it is asked each time.
    note_kind(fd, kind == Kind::kOther ? Kind::kUnknown : kind);
    return kind;
}

Kind look_again(int fd) {
    struct stat facts;
    if (::fstat(fd, &facts) == 0) {
        return note_facts(fd, facts.st_mode);
    }
    note_kind(fd, Kind::kUnknown);
    return Kind::kOther;
}

void note_mode(int fd, int mode) { latest_nonblocking = (mode & O_NONBLOCK) != 0 ? fd : -1; }

bool is_surely_nonblocking(int fd) { return fd >= 0 && fd == latest_nonblocking; }

Kind kind_of(int fd) {
    const DescriptorState* state = find_state(fd);
    return state != nullptr && state->kind != Kind::kUnknown ? state->kind : look_again(fd);
}

}  // namespace stampede::hooks
