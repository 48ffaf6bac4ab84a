// What the kernel keeps for this process besides its memory, as it was at one moment: descriptors,
// signals, timers, the working directory, limits, identity. put_back() restores what can be
// restored, and names what cannot. Nothing here allocates after note(); the thread that calls must
// be the only one.
#pragma once

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <array>

#include "base/error.h"

namespace stampede::os {

enum class LookAt : uint8_t {
    kEverything,
    // Not at limits, identity, root, priority and signals, and at descriptors only whether they are
    // open: the rest costs as much as many a request, and the caller knows that nothing has changed
    // it.
    kUsualChanges,
};

class ProcessBaseline {
public:
    Error note();
    // Null when all is as it was at note(); else a phrase, as "a program that it has started still
    // runs", and the process should end.
    const char* put_back(LookAt looked_at);

private:
    static constexpr size_t kMostDescriptors = 256;
    static constexpr size_t kSignals = 65;
    static constexpr size_t kLimits = 16;

    struct File {
        int number = -1;
        dev_t device;
        ino_t inode;
        bool operator==(const File&) const = default;
    };
    struct Identity {
        uid_t user[3];
        gid_t group[3];
        pid_t process_group;
        pid_t session;
        int priority;
        bool operator==(const Identity&) const = default;
    };

    Error note_descriptors();
    bool has_same_descriptors(LookAt looked_at);
    const char* put_descriptors_back(LookAt looked_at);
    static File file(int number);
    void put_signals_back();
    static void stop_timers();
    bool has_same_rights() const;
    bool has_same_limits() const;
    static Identity identity();

    size_t descriptor_count_ = 0;
    std::array<File, kMostDescriptors> descriptors_;
    std::array<pollfd, kMostDescriptors> polled_;
    std::array<struct sigaction, kSignals> signals_;
    std::array<rlimit, kLimits> limits_;
    Identity identity_;
    File root_;
    int directory_ = -1;
    int threads_ = -1;     // /proc/self/task
    int open_files_ = -1;  // /proc/self/fd
    mode_t mask_ = 0;
};

}  // namespace stampede::os
