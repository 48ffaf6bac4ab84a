// Tasks of a server in a System V message queue, where they outlive it: what lies there when it
// ends is done by the next one with the same key. A queue holds little (16 KiB by default), so a
// large task is a file whose name is in the queue. Never waits: who finds the queue full tries
// again. Made by the supervisor, inherited by fork; loop thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace stampede::proc {

class TaskQueue {
public:
    struct Settings {
        int key = 0;
        std::string user;    // whose processes read it; empty: this process's
        std::string folder;  // of the files, as this process sees it
    };
    // One sentence on failure.
    static std::string open(const Settings& settings, std::unique_ptr<TaskQueue>& out);
    // The user of the settings may have another root directory.
    void set_folder(const std::string& folder) { folder_ = folder; }

    // Before anything reads: what is for none of these types, which are one for each task worker,
    // is given to them in turn. How many tasks wait.
    size_t adopt(long first, long last);

    // A task on its way into the queue, with its file.
    struct Packed {
        std::string bytes;
        std::string file;
    };
    Result<Packed> pack(std::string_view head, std::string_view body) const;
    // EAGAIN: there is no room now.
    Error put(long type, const Packed& task) const;
    // One that was not put will not be.
    void discard(const Packed& task) const;

    struct Taken {
        std::string bytes;    // head and body
        bool is_old = false;  // given by a server of before
    };
    // The first of this type, 0: of all. ENOMSG: there is none. EBADMSG: it was no task of ours, or
    // its file is gone; it is thrown away.
    Result<Taken> take(long type) const;

    // The beginning of the one that take() would give, kMostFront bytes at most; of an old one,
    // too. An error as from take(), or that this cannot be told.
    Result<Taken> look(long type) const;
    // The same of all there are, in no order, some perhaps twice.
    std::vector<std::string> fronts() const;
    static constexpr size_t kMostFront = 128;

    struct State {
        size_t tasks = 0;
        size_t bytes = 0;
    };
    State state() const;

    static constexpr size_t kMostTask = 65u << 20;

private:
    struct Envelope;

    TaskQueue(int queue, const Settings& settings);
    static Result<std::string_view> read_envelope(std::string_view message, Envelope& envelope);
    Result<Taken> unpack(std::string_view message) const;
    Result<Taken> front_of(std::string_view message) const;

    int queue_;
    uid_t owner_ = 0;
    std::string folder_;
    std::string prefix_;
    uint64_t run_;  // of the server: no process waits for the result of a task of an earlier run
};

}  // namespace stampede::proc
