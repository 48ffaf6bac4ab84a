// Redirects the imports of the PHP program, its extensions and the libraries they load: the slots
// through which they call a function of libc, or of a library that is asked through its entry
// points, get another address. An object that cannot be understood is left alone. One table per
// process; PHP thread; never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hooks/policy.h"

namespace stampede::hooks {

enum class Group : uint8_t { kCall, kSleep, kFile, kEntry };

struct Redirect {
    const char* name;  // as it is imported
    void* to;
    // For objects that a flag selects as a whole: it is on, it is off.
    void* when_selected;
    void* when_unselected;
    Group group;
    // Where the function of another library than libc gets its own address when it is first found;
    // the imports of another copy of that library are left alone.
    void** original = nullptr;
};

struct ObjectReport {
    std::string path;  // empty: the program itself
    Policy policy;
    std::vector<const char*> functions;  // redirected now
    bool selected;                       // its flag is on, or it needs none
    const char* problem;                 // why it was left alone, null when it was not
};

struct Wanted {
    uint64_t flags;
    bool unselected;  // redirect objects, too, whose flag is off
};

// Brings what is loaded now to what the flags ask for; again for what was loaded since, and when
// the flags change. An object that a flag selects is as the linker left it while that flag is off.
void redirect_imports(const Redirect* table, size_t count, Wanted wanted);
// Everything that is still loaded as it was.
void restore_imports();
// All that were looked at.
std::vector<ObjectReport> report_objects();

}  // namespace stampede::hooks
