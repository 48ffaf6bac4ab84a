// What a descriptor of the application is, remembered so that reading a small file does not cost an
// fstat() more. The memory may be outdated (numbers are used again): a caller that meets a result
// that does not fit looks again. Part of the descriptor's state; PHP thread, never parks.
#pragma once

#include <sys/types.h>

#include "io/descriptor_state.h"

namespace stampede::hooks {

using io::DescriptorState;
using io::find_state;
using Kind = io::DescriptorKind;
using io::state_of;

Kind kind_of(int fd);
Kind look_again(int fd);
void note_kind(int fd, Kind kind);
// From an fstat() that the application or PHP has made anyway.
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
