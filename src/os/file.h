// Files: temporary ones, whole writes, opening for sending. Thin calls, errno left set. Any thread;
// may block on the disk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stampede::os {

// Replaces the trailing XXXXXX of path; -1 with errno on failure. Mode 0600, close-on-exec.
int make_temporary(char* path);
bool write_all(int fd, std::string_view data);

struct FileInfo {
    int fd = -1;  // -1 with errno: not a regular file that can be read
    uint64_t size = 0;
    int64_t modified = 0;  // Unix time
};
FileInfo open_regular(const char* path);
// Made when it is not there, 0644; emptied with offset 0, else positioned there. -1 with errno.
int open_for_writing(const char* path, uint64_t offset);
bool is_directory(const char* path);
bool is_writable_directory(const char* path);
// With those above it, 0755. What is new belongs to the user of this name, when there is one and
// the process may give it away. False with errno.
bool make_directories(const std::string& path, const std::string& owner);
void remove_path(const char* path);
bool set_mode(const char* path, unsigned mode);
// Another number when the file was changed or replaced; 0 when there is none.
uint64_t file_mark(const char* path);

}  // namespace stampede::os
