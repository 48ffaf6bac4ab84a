#include "os/process_baseline.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "os/fd.h"

namespace stampede::os {

namespace {

// sigset_t is larger: what follows is whatever the C library had on its stack.
constexpr size_t kMaskOfKernel = (64 + 7) / 8;

// fstat() of the C library asks by a path that is empty, which costs more.
bool look(int file, struct stat* status) {
#ifdef SYS_fstat
    return syscall(SYS_fstat, file, status) == 0;
#else
    return fstat(file, status) == 0;
#endif
}

// The folder has a link from its parent and itself, and one for each thread.
bool has_one_thread(int task_folder) {
    struct stat status = {};
    return look(task_folder, &status) && status.st_nlink == 3;
}

bool has_children() {
    siginfo_t info = {};
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

// The size of the folder of descriptors, since Linux 6.2; 0 before that.
size_t open_descriptors(int folder) {
    struct stat status = {};
    return look(folder, &status) ? static_cast<size_t>(status.st_size) : 0;
}

}  // namespace

ProcessBaseline::File ProcessBaseline::file(int number) {
    struct stat status = {};
    return look(number, &status) ? File{number, status.st_dev, status.st_ino} : File{};
}

Error ProcessBaseline::note_descriptors() {
    DIR* folder = opendir("/proc/self/fd");
    if (folder == nullptr) {
        return Error::last_errno();
    }
    descriptor_count_ = 0;
    while (const dirent* entry = readdir(folder)) {
        int number = atoi(entry->d_name);
        if (entry->d_name[0] == '.' || number == dirfd(folder)) {
            continue;
        }
        if (descriptor_count_ == descriptors_.size()) {
            closedir(folder);
            return Error::system(EMFILE);
        }
        descriptors_[descriptor_count_++] = file(number);
    }
    closedir(folder);
    auto end = descriptors_.begin() + static_cast<ptrdiff_t>(descriptor_count_);
    std::sort(descriptors_.begin(), end,
              [](const File& a, const File& b) { return a.number < b.number; });
    std::transform(descriptors_.begin(), end, polled_.begin(), [](const File& file) {
        return pollfd{file.number, 0, 0};
    });
    if (::poll(polled_.data(), descriptor_count_, 0) < 0) {
        return Error::last_errno();
    }
    for (size_t i = 0; i < descriptor_count_; i++) {
        if ((polled_[i].revents & POLLNVAL) != 0) {
            polled_[i].fd = -1;  // opened as a path: the kernel does not poll it
        }
    }
    return Error();
}

Error ProcessBaseline::note() {
    directory_ = ::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    threads_ = ::open("/proc/self/task", O_PATH | O_DIRECTORY | O_CLOEXEC);
    open_files_ = ::open("/proc/self/fd", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (directory_ < 0 || threads_ < 0 || open_files_ < 0) {
        return Error::last_errno();
    }
    mask_ = umask(0);
    umask(mask_);
    for (size_t number = 1; number < kSignals; number++) {
        sigaction(static_cast<int>(number), nullptr, &signals_[number]);
    }
    for (size_t limit = 0; limit < kLimits; limit++) {
        getrlimit(static_cast<__rlimit_resource>(limit), &limits_[limit]);
    }
    identity_ = identity();
    struct stat root = {};
    stat("/", &root);
    root_ = {0, root.st_dev, root.st_ino};
    return note_descriptors();
}

ProcessBaseline::Identity ProcessBaseline::identity() {
    Identity now = {};
    getresuid(&now.user[0], &now.user[1], &now.user[2]);
    getresgid(&now.group[0], &now.group[1], &now.group[2]);
    now.process_group = getpgrp();
    now.session = getsid(0);
    now.priority = getpriority(PRIO_PROCESS, 0);
    return now;
}

// One call tells which are open. A closed number that a new file has got, and still has here, would
// be missed: files of the request have been closed before.
bool ProcessBaseline::has_same_descriptors(LookAt looked_at) {
    auto count = static_cast<ptrdiff_t>(descriptor_count_);
    if (looked_at == LookAt::kEverything) {
        return std::all_of(descriptors_.begin(), descriptors_.begin() + count,
                           [](const File& before) { return before == file(before.number); });
    }
    if (::poll(polled_.data(), descriptor_count_, 0) < 0) {
        return false;
    }
    return std::all_of(polled_.begin(), polled_.begin() + count,
                       [](const pollfd& polled) { return (polled.revents & POLLNVAL) == 0; });
}

// As many as before, and each as it was: then there is none to close.
const char* ProcessBaseline::put_descriptors_back(LookAt looked_at) {
    if (!has_same_descriptors(looked_at)) {
        return "it has closed a file that was open before";
    }
    if (open_descriptors(open_files_) == descriptor_count_) {
        return nullptr;
    }
    unsigned next = 0;
    for (size_t i = 0; i < descriptor_count_; i++) {
        auto number = static_cast<unsigned>(descriptors_[i].number);
        if (next < number && !close_between(next, number - 1)) {
            return "its files cannot be closed";
        }
        next = number + 1;
    }
    return close_between(next, ~0U) ? nullptr : "its files cannot be closed";
}

void ProcessBaseline::put_signals_back() {
    for (size_t number = 1; number < kSignals; number++) {
        struct sigaction now = {};
        const struct sigaction& before = signals_[number];
        if (sigaction(static_cast<int>(number), nullptr, &now) == 0 &&
            (now.sa_handler != before.sa_handler || now.sa_flags != before.sa_flags ||
             memcmp(&now.sa_mask, &before.sa_mask, kMaskOfKernel) != 0)) {
            sigaction(static_cast<int>(number), &before, nullptr);
        }
    }
}

void ProcessBaseline::stop_timers() {
    itimerval none = {};
    setitimer(ITIMER_REAL, &none, nullptr);
    setitimer(ITIMER_VIRTUAL, &none, nullptr);
    setitimer(ITIMER_PROF, &none, nullptr);
}

bool ProcessBaseline::has_same_limits() const {
    for (size_t limit = 0; limit < kLimits; limit++) {
        rlimit now = {};
        getrlimit(static_cast<__rlimit_resource>(limit), &now);
        if (now.rlim_cur != limits_[limit].rlim_cur || now.rlim_max != limits_[limit].rlim_max) {
            return false;
        }
    }
    return true;
}

bool ProcessBaseline::has_same_rights() const {
    struct stat root = {};
    return identity() == identity_ && stat("/", &root) == 0 &&
           File{0, root.st_dev, root.st_ino} == root_ && has_same_limits();
}

const char* ProcessBaseline::put_back(LookAt looked_at) {
    if (has_children()) {
        return "a program that it has started still runs";
    }
    if (!has_one_thread(threads_)) {
        return "a thread that it has started still runs";
    }
    if (looked_at == LookAt::kEverything) {
        if (!has_same_rights()) {
            return "it has changed the process's user, group, session, root, priority or limits";
        }
        put_signals_back();
    }
    stop_timers();
    if (fchdir(directory_) != 0) {
        return "its working directory cannot be entered again";
    }
    umask(mask_);
    return put_descriptors_back(looked_at);
}

}  // namespace stampede::os
