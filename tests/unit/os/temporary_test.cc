// What a process that is no more left is removed, whether it was waited for or not, and what living
// ones keep stays.
#include "os/temporary.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace stampede::os {
namespace {

constexpr const char* kKind = "kept";

struct Folder {
    Folder() {
        char name[] = "/tmp/stampede-temporary-XXXXXX";
        path = ::mkdtemp(name);
    }
    ~Folder() { ::rmdir(path.c_str()); }
    std::string path;
};

std::string make(const Folder& folder) {
    std::string path;
    int fd = make_owned_temporary(folder.path, kKind, path);
    ::close(fd);
    return path;
}

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

// The name of a file that a child has made, which has ended since and waits to be waited for.
std::string left_by_child(const Folder& folder, pid_t& child) {
    int ends[2];
    if (::pipe(ends) != 0) {
        return {};
    }
    child = ::fork();
    if (child == 0) {
        std::string path = make(folder);
        (void)!::write(ends[1], path.data(), path.size());
        ::_exit(0);
    }
    ::close(ends[1]);
    char text[256];
    ssize_t size = ::read(ends[0], text, sizeof(text));
    ::close(ends[0]);
    siginfo_t info;
    ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
    return {text, static_cast<size_t>(size > 0 ? size : 0)};
}

TEST(Temporary, FilesOfProcessesThatEndedGo) {
    Folder folder;
    std::string mine = make(folder);
    pid_t child = 0;
    std::string left = left_by_child(folder, child);
    EXPECT_TRUE(exists(left));
    remove_orphaned_temporaries(folder.path, kKind);  // it was not waited for
    EXPECT_FALSE(exists(left));
    EXPECT_TRUE(exists(mine));
    ::waitpid(child, nullptr, 0);
    ::unlink(mine.c_str());
}

TEST(Temporary, FilesOfAnEarlierOwnerOfTheNumberGo) {
    Folder folder;
    std::string mine = make(folder);
    std::string earlier = make(folder);
    timespec times[2] = {{1000, 0}, {1000, 0}};
    ::utimensat(AT_FDCWD, earlier.c_str(), times, 0);
    remove_orphaned_temporaries(folder.path, kKind);
    EXPECT_TRUE(exists(mine));
    EXPECT_FALSE(exists(earlier));
    ::unlink(mine.c_str());
}

}  // namespace
}  // namespace stampede::os
