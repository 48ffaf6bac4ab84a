// Memory that lies in a temporary file without a name: the kernel may write it to the disk instead
// of keeping it. Thin calls, errno -> Error. Any thread; may block on the disk.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"

namespace stampede::os {

// All of it has room on the disk: writing to it never fails. A forked child has none of it.
Result<char*> map_temporary(const std::string& folder, size_t bytes);
// What has been written counts no longer as resident memory of the process; it stays as it is.
void part_with_temporary(char* memory, size_t bytes);
void unmap_temporary(char* memory, size_t bytes);

}  // namespace stampede::os
