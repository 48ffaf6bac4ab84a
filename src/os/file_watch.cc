#include "os/file_watch.h"

#include <sys/inotify.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cstring>

namespace stampede::os {

namespace {

constexpr uint32_t kWanted = IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_MOVED_TO | IN_DELETE |
                             IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

// As statfs() names them: nfs, smb, cifs, smb2, 9p, fuse, ceph, afs, vboxsf.
constexpr uint32_t kRemote[] = {0x6969,     0x517b,     0xff534d42, 0xfe534d42, 0x01021997,
                                0x65735546, 0x00c36400, 0x5346414f, 0x786f4256};

struct Meaning {
    uint32_t mask;
    uint32_t what;
};
constexpr Meaning kMeanings[] = {
    {IN_CLOSE_WRITE | IN_ATTRIB, FileChange::kWritten},
    {IN_CREATE | IN_MOVED_TO, FileChange::kCreated},
    {IN_DELETE | IN_MOVED_FROM, FileChange::kRemoved},
    {IN_ISDIR, FileChange::kFolder},
    {IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED, FileChange::kGone},
    {IN_Q_OVERFLOW, FileChange::kLost},
};

uint32_t meaning_of(uint32_t mask) {
    uint32_t what = 0;
    for (const Meaning& meaning : kMeanings) {
        what |= (mask & meaning.mask) != 0 ? meaning.what : 0u;
    }
    return what;
}

}  // namespace

Result<FileWatch> FileWatch::open() {
    int fd = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0) {
        return Error::last_errno();
    }
    return FileWatch(fd);
}

Result<int> FileWatch::add(const char* folder) {
    int watch = ::inotify_add_watch(fd_.get(), folder, kWanted);
    if (watch < 0) {
        return Error::last_errno();
    }
    return watch;
}

void FileWatch::remove(int watch) { (void)::inotify_rm_watch(fd_.get(), watch); }

bool FileWatch::read(std::vector<FileChange>& changes) {
    alignas(inotify_event) char bytes[32 * 1024];
    long size = read_some(fd_.get(), bytes, sizeof(bytes));
    for (long at = 0; at + static_cast<long>(sizeof(inotify_event)) <= size;) {
        inotify_event event;
        std::memcpy(&event, bytes + at, sizeof(event));
        const char* name = bytes + at + sizeof(event);
        changes.push_back({event.wd, meaning_of(event.mask),
                           event.len > 0 ? std::string(name, ::strnlen(name, event.len)) : ""});
        at += static_cast<long>(sizeof(event) + event.len);
    }
    return size > 0;
}

bool tells_changes(const char* folder) {
    struct statfs facts {};
    if (::statfs(folder, &facts) != 0) {
        return false;
    }
    return std::ranges::find(kRemote, static_cast<uint32_t>(facts.f_type)) == std::end(kRemote);
}

}  // namespace stampede::os
