// Plain files: what the page cache holds is read in place, the rest waits for the file queue
// or a helper thread. PHP thread; parks where may_wait_for_files() says so.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>

namespace stampede::hooks {

// False, too, while the engine itself reads a file that it includes: the state of its compiler
// belongs to the process.
bool may_wait_for_files();
// After waits() was true in the same call.
bool may_wait_for_files_too();

// read() and write() of a descriptor that is thought to be a plain file; nothing when it is none:
// kind_of() knows better then.
std::optional<ssize_t> read_file(int fd, char* data, size_t size);
std::optional<ssize_t> write_file(int fd, const char* data, size_t size);
// More of the plain file was written than a close() should have to place on the disk in front of
// other coroutines: several file systems do that when the last number of a file is closed.
void note_written(int fd, ssize_t count);
bool is_long_to_close(int fd);
// As close(). The number is free at once; the coroutine waits until the file is closed.
int close_long_written(int fd);

}  // namespace stampede::hooks
