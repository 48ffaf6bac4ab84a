// A child process that is led through its work one instruction at a time and killed right after one
// of its changes to shared memory: each state that a killed process can leave is met once.
#pragma once

#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "os/process.h"

namespace stampede::shm {

// The shared mappings of this process, to find the one that something has just made.
class SharedMappings {
public:
    SharedMappings() : before_(read()) {}

    // The one that was not there when this object was made.
    std::string_view made_since() const {
        for (const auto& mapping : read()) {
            if (before_.count(mapping) == 0) {
                return {reinterpret_cast<const char*>(mapping.first),
                        mapping.second - mapping.first};
            }
        }
        return {};
    }

private:
    using Range = std::pair<unsigned long, unsigned long>;

    static std::set<Range> read() {
        std::set<Range> found;
        FILE* file = std::fopen("/proc/self/maps", "re");
        char line[512];
        while (file != nullptr && std::fgets(line, sizeof(line), file) != nullptr) {
            Range range;
            char rights[8];
            if (std::sscanf(line, "%lx-%lx %7s", &range.first, &range.second, rights) == 3 &&
                std::strcmp(rights, "rw-s") == 0) {
                found.insert(range);
            }
        }
        if (file != nullptr) {
            std::fclose(file);
        }
        return found;
    }

    std::set<Range> before_;
};

// Runs work() in a child and kills it right after its change number `changes` of the memory. False
// when it has ended before.
template <typename Work>
bool kill_after_changes(std::string_view memory, int changes, Work work) {
    Result<pid_t> child = os::fork_process();
    if (!child) {
        ADD_FAILURE() << "no process can be made";
        return false;
    }
    if (*child == 0) {
        ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
        std::raise(SIGSTOP);
        work();
        os::exit_now(0);
    }
    int status = 0;
    std::vector<char> seen(memory.begin(), memory.end());
    for (::waitpid(*child, &status, 0); WIFSTOPPED(status) && changes > 0;) {
        ::ptrace(PTRACE_SINGLESTEP, *child, nullptr, nullptr);
        ::waitpid(*child, &status, 0);
        if (std::memcmp(seen.data(), memory.data(), seen.size()) != 0) {
            seen.assign(memory.begin(), memory.end());
            changes--;
        }
    }
    if (!WIFSTOPPED(status)) {
        EXPECT_TRUE(WIFEXITED(status));
        return false;
    }
    os::send_signal(*child, SIGKILL);
    ::waitpid(*child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    return true;
}

}  // namespace stampede::shm
