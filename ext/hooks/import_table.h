// Redirects the imports of the PHP program, its extensions and the libraries they load: the slots
// through which they call a function of libc get another address. An object that cannot be
// understood is left alone. One table per process; PHP thread; never parks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stampede::hooks {

struct Redirect {
    const char* name;  // as it is imported
    void* to;
};

struct RedirectedObject {
    std::string path;  // empty: the program itself
    size_t slots;
};

// Redirects what is loaded now and takes part by the policy; again for what was loaded since.
void redirect_imports(const Redirect* table, size_t count);
// Everything that is still loaded as it was.
void restore_imports();
std::vector<RedirectedObject> redirected_objects();

// Objects that never take part: a library that would wait inside a lock of its own, or whose calls
// must not be seen (libc itself, allocators, debuggers, our own libraries). By the start of the
// file's name.
bool takes_part(const char* path);

}  // namespace stampede::hooks
