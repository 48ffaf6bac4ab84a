// Files as an event loop wants them: what the kernel has in memory is given at once, the rest is
// refused with EAGAIN and left to a ring or a helper thread. Numbers are results or -errno. Any
// thread; only the calls that say so wait for the disk.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

struct statx;

namespace stampede::os {

enum class FileKind : uint8_t { kRegular, kDirectory, kPipe, kOther };

struct FileFacts {
    FileKind kind = FileKind::kOther;
    uint64_t size = 0;
};

// Close-on-exec, O_NONBLOCK. -EAGAIN when the disk would have to be asked.
int open_cached(const char* path, int flags);
// The same with exactly these flags, below a directory. A pipe or a device may make it wait unless
// O_NONBLOCK is among them.
int open_cached_at(int directory, const char* path, int flags);
// May wait for the disk.
int open_file(const char* path, int flags, mode_t mode);
FileFacts facts_of(int fd);
// -EAGAIN when it is not in memory, -EOPNOTSUPP when the file system cannot tell.
long read_cached(int fd, char* out, size_t size, int64_t offset);
// -EAGAIN when it would have to wait for space or the disk, -EOPNOTSUPP as above.
long write_cached(int fd, const char* data, size_t size, int64_t offset);
// May wait for the disk. An offset of -1 is the descriptor's own place.
long read_at(int fd, char* out, size_t size, int64_t offset);
long write_at(int fd, const char* data, size_t size, int64_t offset);
int sync_file(int fd);
int truncate_file(int fd);
// Everything statx() knows; flags are AT_*.
int stat_path(const char* path, int flags, struct statx* out);
int close_file(int fd);

enum class LockKind : uint8_t { kShared, kExclusive };
// 0, or -EWOULDBLOCK when another holds it.
int try_lock(int fd, LockKind kind);

struct VolumeFacts {
    uint64_t block_size, fragment_size, blocks, free_blocks, available_blocks;
    uint64_t files, free_files, available_files, id, flags, longest_name;
};
// May wait for the disk or a network.
int volume_facts(const char* path, VolumeFacts& out);

}  // namespace stampede::os
