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

// How a call gets from a library to us:
//
//   pdo_pgsql.so -> libpq.so:  call poll@plt
//       PLT of libpq           jmp *slot
//       slot (GOT of libpq)    [ address of poll in libc ]   as the linker leaves it
//                              [ address of hooked_poll  ]   with the redirection
//   hooked_poll, in stampede.so    calls poll through its own slot, which is never touched: libc
//
// Each object has slots of its own, so it is chosen object by object which of them take part. Calls
// inside of libc, and by addresses that a program got from dlsym(), go through no slot and are not
// seen.
//
// Others read a slot at any time, without a lock: threads of libraries above all. A slot is an
// aligned word and is written by one store, so a call finds the old address or the new one, and
// both are good. Only the PHP thread writes slots, the dynamic linker excepted, which does so while
// it relocates an object, and at the first call through a slot that is bound lazily. A thread that
// makes such a first call while the slot is being redirected may write the function's own address
// over ours: that slot then leads to libc, and its calls block as they would without us.
namespace stampede::hooks {

enum class Group : uint8_t { kCall, kSleep, kFile, kMemory, kEntry };

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
    uint64_t flags = 0;
    bool unselected = false;  // redirect objects, too, whose flag is off
    bool operator==(const Wanted&) const = default;
};

// Brings what is loaded now to what the flags ask for; again for what was loaded since, and when
// the flags change. An object that a flag selects is as the linker left it while that flag is off.
void redirect_imports(const Redirect* table, size_t count, Wanted wanted);
// Everything that is still loaded as it was.
void restore_imports();
// For a process that goes back to memory that was kept. Slots behind RELRO are in pages that cannot
// be written, which are no part of that memory: they would lead to our functions, and these would
// know nothing of it. keep_imports() comes before the memory is kept, the other one before the
// process goes back.
void keep_imports();
void return_to_kept_imports();
// All that were looked at.
std::vector<ObjectReport> report_objects();

}  // namespace stampede::hooks
