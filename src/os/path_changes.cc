#include "os/path_changes.h"

#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace stampede::os {

namespace {

// All that can make a path lead to something else, or to nothing. What a watched folder is called,
// and whether it is there, is a change of an entry of its parent, which is watched, too.
constexpr uint32_t kWanted =
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR;

// Where all changes come through this kernel, as statfs() names them: ext, xfs, btrfs, tmpfs,
// overlay, f2fs, bcachefs, zfs, squashfs, erofs.
constexpr uint32_t kLocal[] = {0xef53,     0x58465342, 0x9123683e, 0x01021994, 0x794c7630,
                               0xf2f52010, 0xca451a4e, 0x2fc12fc1, 0x73717368, 0xe0f5e1e2};

bool is_local(const char* folder) {
    struct statfs facts {};
    return ::statfs(folder, &facts) == 0 &&
           std::ranges::find(kLocal, static_cast<uint32_t>(facts.f_type)) != std::end(kLocal);
}

// Folders may be such that make no difference between capitals and small letters.
unsigned char lowered(char c) {
    return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

}  // namespace

Result<PathChanges> PathChanges::create() {
    auto memory = SharedMemory::create(sizeof(Shared), SharedMemory::Pages::kWhenTouched);
    if (!memory) {
        return memory.error();
    }
    int fd = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0) {
        return Error::last_errno();
    }
    return PathChanges(fd, std::move(*memory));
}

Result<int> PathChanges::watch(const char* folder) {
    if (!is_local(folder)) {
        return Error::system(ENOTSUP);
    }
    int watch = ::inotify_add_watch(fd_.get(), folder, kWanted);
    if (watch < 0) {
        return Error::last_errno();
    }
    return watch;
}

uint32_t PathChanges::slot_of(int watch, std::string_view entry) {
    uint32_t hash = 2166136261U ^ static_cast<uint32_t>(watch) * 0x9e3779b1U;
    for (char c : entry) {
        hash = (hash ^ lowered(c)) * 16777619U;
    }
    return (hash ^ hash >> 16) % kSlots;
}

bool PathChanges::settle() {
    int queued = 0;
    if (::ioctl(fd_.get(), FIONREAD, &queued) != 0) {
        return false;
    }
    // A process that empties the queue has entered itself as the reader before, and counts what it
    // has read before it leaves: with neither a notice nor a reader everything is counted.
    if (queued == 0 && shared().reader.load(std::memory_order_acquire) == 0) {
        return true;
    }
    if (!begin_reading()) {
        return false;
    }
    alignas(inotify_event) char events[4096];
    for (long size = 0; (size = read_some(fd_.get(), events, sizeof events)) > 0;) {
        count_all(events, static_cast<size_t>(size));
    }
    shared().version.fetch_add(1, std::memory_order_release);
    shared().reader.store(0, std::memory_order_release);
    return true;
}

bool PathChanges::begin_reading() {
    std::atomic<pid_t>& reader = shared().reader;
    pid_t self = ::getpid();
    pid_t other = 0;
    if (reader.compare_exchange_strong(other, self)) {
        return true;
    }
    if (::kill(other, 0) == 0 || errno != ESRCH || !reader.compare_exchange_strong(other, self)) {
        return false;
    }
    shared().losses.fetch_add(1, std::memory_order_relaxed);  // it was killed with what it had read
    return true;
}

void PathChanges::count_all(const char* events, size_t size) {
    for (size_t at = 0; at + sizeof(inotify_event) <= size;) {
        inotify_event event;
        std::memcpy(&event, events + at, sizeof event);
        const char* name = events + at + sizeof event;
        if ((event.mask & (IN_Q_OVERFLOW | IN_UNMOUNT)) != 0) {
            shared().losses.fetch_add(1, std::memory_order_relaxed);
        } else if (event.len > 0) {
            uint32_t slot = slot_of(event.wd, {name, ::strnlen(name, event.len)});
            shared().counts[slot].fetch_add(1, std::memory_order_relaxed);
        }
        at += sizeof event + event.len;
    }
}

}  // namespace stampede::os
