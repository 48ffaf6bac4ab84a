// Which loaded objects take part in the redirection, with what, selected by which flags, and why
// others never do. PHP thread, never parks.
#pragma once

#include <cstdint>

namespace stampede::hooks {

// How much of an object is redirected.
enum class Share : uint8_t {
    kNone,
    kSleeps,   // it holds locks while it reads and writes files, none while it sleeps
    kEntries,  // that, and what it calls of a library that is asked through its entry points
    kCalls,    // what waits but files: libraries open them inside locks of their own
    kAll,      // the PHP program and its extensions
};

struct Policy {
    Share share;
    uint32_t flags;  // any of these selects it; 0: the kind of each socket and call does
    const char* reason;
};

// By the start of the file's name; the settings stampede.hook_include and stampede.hook_exclude
// come first.
Policy policy_of(const char* path);

}  // namespace stampede::hooks
