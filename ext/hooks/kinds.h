// What a descriptor of the application is, remembered so that reading a small file does not cost an
// fstat() more. The memory may be outdated (numbers are used again): a caller that meets a result
// that does not fit looks again. One table per process, PHP thread, never parks.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace stampede::hooks {

enum class Kind : uint8_t {
    kUnknown,
    kSocket,
    kPipe,                   // terminals, too
    kRegular,                // and directories: what lies on a disk
    kRegularWrittenBlindly,  // its file system cannot tell whether a write would wait
    kOther,
};

Kind kind_of(int fd);
Kind look_again(int fd);
void note_kind(int fd, Kind kind);
// Somebody has asked fstat() anyway.
Kind note_facts(int fd, mode_t mode);

// What O_NONBLOCK is for this one now. Only the latest is remembered: a caller that connects
// without waiting sets the mode right before.
void note_mode(int fd, int mode);
// False when it is not known.
bool is_surely_nonblocking(int fd);

inline bool is_regular(Kind kind) {
    return kind == Kind::kRegular || kind == Kind::kRegularWrittenBlindly;
}

}  // namespace stampede::hooks
