#include "os/checkpoint.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"

namespace stampede::os {
namespace {

// What a life changes, or finds changed.
struct World {
    int lives = 0;        // in memory that processes share
    int descriptor = -1;  // the first that a life has opened
    char failure[200] = {};
};

World* world = nullptr;
void* shared_page = nullptr;
int number = 1;
std::span<const AddressRange> unused;
std::vector<std::string>* words = nullptr;
const Checkpoint* kept = nullptr;
LookAt looked_at = LookAt::kEverything;

void fail(const std::string& what) {
    if (world->failure[0] == 0) {
        std::string text = "life " + std::to_string(world->lives) + ": " + what;
        strncpy(world->failure, text.c_str(), sizeof(world->failure) - 1);
    }
}

void expect(bool condition, const char* what) {
    if (!condition) {
        fail(what);
    }
}

void check_as_at_the_beginning() {
    expect(number == 1, "a variable");
    expect(words->size() == 2000 && words->front() == "word 0" && words->back() == "word 1999",
           "the heap");
    int opened = dup(0);
    expect(world->descriptor < 0 || opened == world->descriptor, "a descriptor");
    world->descriptor = opened;
    char folder[200] = {};
    expect(getcwd(folder, sizeof(folder)) != nullptr && strcmp(folder, "/usr") == 0, "the folder");
    struct sigaction action = {};
    sigaction(SIGUSR1, nullptr, &action);
    expect(action.sa_handler == SIG_DFL, "a signal");
    expect((umask(022) & 0777) == 022, "the mask of modes");
    expect(getenv("CHECKPOINT_TEST") == nullptr, "the environment");
}

void change_everything() {
    number = 2;
    words->resize(10);
    words->shrink_to_fit();
    for (int i = 0; i < 5000; i++) {
        words->push_back(std::string(static_cast<size_t>(100 + i % 3000), 'x'));
    }
    ::mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1,
           0);
    for (int i = 0; i < 10; i++) {
        expect(dup(0) >= 0, "dup");
    }
    expect(chdir("/tmp") == 0, "chdir");
    signal(SIGUSR1, SIG_IGN);
    umask(077);
    setenv("CHECKPOINT_TEST", "1", 1);
}

// From now on the kernel ends this process when it sets what a signal does; it may still ask.
void forbid_setting_signals() {
    constexpr auto kAction = static_cast<unsigned>(offsetof(seccomp_data, args) + 8);
    sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigaction, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kAction),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kAction + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog program = {static_cast<unsigned short>(std::size(steps)), steps};
    expect(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no new privileges");
    expect(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0, "a filter of system calls");
}

// And not of this process's own.
bool is_page_of_file(const char* page) {
    constexpr uint64_t kOfFile = uint64_t{1} << 61;
    uint64_t entry = page[0] != 0;
    int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    auto at = static_cast<off_t>(reinterpret_cast<uintptr_t>(page) / 4096 * sizeof(entry));
    expect(pread(file, &entry, sizeof(entry), at) == sizeof(entry), "the page map");
    close(file);
    return (entry & kOfFile) != 0;
}

// Runs `each_life` in a forked child of a process that has kept its memory, and returns the exit
// code of that child. 127: it could not be restored. `before_fork` runs in the process that forks.
int live(
    int lives, void (*each_life)(), void (*before_fork)() = [] {}) {
    *world = World();
    pid_t keeper = fork();
    if (keeper == 0) {
        words = new std::vector<std::string>;
        for (int i = 0; i < 2000; i++) {
            words->push_back("word " + std::to_string(i));
        }
        expect(chdir("/usr") == 0, "chdir");
        umask(022);
        Checkpoint* checkpoint = Checkpoint::create();
        kept = checkpoint;
        Result<Arrival> arrival = checkpoint->keep(unused);
        if (!arrival) {
            _exit(126);
        }
        if (*arrival == Arrival::kReturned) {
            expect(checkpoint->note().connection == 4711, "the note");
            if (world->lives == lives) {
                _exit(0);
            }
            world->lives++;
            each_life();
            const char* obstacle = checkpoint->go_back(looked_at);
            fail(obstacle);
            _exit(127);
        }
        before_fork();
        pid_t child = fork();
        if (child == 0) {
            if (checkpoint->begin_child({4711})) {
                _exit(125);
            }
            checkpoint->go_back(LookAt::kEverything);
            _exit(127);
        }
        int status = 0;
        waitpid(child, &status, 0);
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
    int status = 0;
    waitpid(keeper, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class CheckpointTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (Checkpoint::obstacle() != nullptr) {
            GTEST_SKIP() << Checkpoint::obstacle();
        }
        void* shared =
            ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        world = new (shared) World;
        looked_at = LookAt::kEverything;
        shared_page = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    }
};

TEST_F(CheckpointTest, EveryLifeBeginsTheSame) {
    int code = live(200, [] {
        check_as_at_the_beginning();
        change_everything();
    });
    EXPECT_EQ(code, 0);
    EXPECT_STREQ(world->failure, "");
    EXPECT_EQ(world->lives, 200);
}

TEST_F(CheckpointTest, MoreMemoryThanIsCopiedIsDropped) {
    int code = live(20, [] {
        check_as_at_the_beginning();
        if (world->lives % 3 == 0) {
            for (std::string& word : *words) {
                word = std::string(20000, 'y');
            }
        }
        change_everything();
    });
    EXPECT_EQ(code, 0);
    EXPECT_STREQ(world->failure, "");
}

TEST_F(CheckpointTest, PagesThatHoldNothingAreNotPutBack) {
    constexpr size_t kPage = 4096;
    alignas(kPage) static char pages[3 * kPage];
    auto begin = reinterpret_cast<uintptr_t>(pages);
    std::array<AddressRange, 1> middle = {AddressRange{begin + kPage, begin + 2 * kPage}};
    unused = middle;
    int code = live(20, [] {
        expect(pages[0] == 0 && pages[2 * kPage] == 0, "a page beside");
        // The first life has the page from the image, which has nothing of it.
        expect(pages[kPage] == (world->lives == 1 ? 0 : world->lives - 1), "the page itself");
        for (size_t page = 0; page < 3; page++) {
            pages[page * kPage] = static_cast<char>(world->lives);
        }
    });
    unused = {};
    EXPECT_EQ(code, 0) << world->failure;
    EXPECT_STREQ(world->failure, "");
}

TEST_F(CheckpointTest, WhatTheParentHasWrittenCostsItsChildrenNothing) {
    alignas(4096) static char page[4096];
    int code = live(
        3,
        [] {
            expect(page[0] == 0, "a page that the parent has written");
            expect(world->lives == 1 || is_page_of_file(page), "a page of the image");
        },
        [] { page[0] = 1; });
    EXPECT_EQ(code, 0);
    EXPECT_STREQ(world->failure, "");
    EXPECT_EQ(world->lives, 3);
}

TEST_F(CheckpointTest, ALifeFindsRoomInTheHeap) {
    int code = live(3, [] {
        void* before = sbrk(0);
        size_t mapped = mallinfo2().hblks;
        for (int i = 0; i < 4; i++) {
            memset(malloc(300 * 1024), 1, 300 * 1024);
        }
        expect(sbrk(0) == before, "the end of the heap");
        expect(mallinfo2().hblks == mapped, "a block with a mapping of its own");
    });
    EXPECT_EQ(code, 0);
    EXPECT_STREQ(world->failure, "");
}

TEST_F(CheckpointTest, AHeapThatHasGrownBeforeTheForkIsNotMissed) {
    int code = live(
        3,
        [] {
            check_as_at_the_beginning();
            change_everything();
        },
        [] { expect(sbrk(1 << 20) != reinterpret_cast<void*>(-1), "the heap before the fork"); });
    EXPECT_EQ(code, 0);
    EXPECT_STREQ(world->failure, "");
    EXPECT_EQ(world->lives, 3);
}

TEST_F(CheckpointTest, SignalsThatNobodyChangedAreNotSetAgain) {
    EXPECT_EQ(live(3, [] { forbid_setting_signals(); }), 0);
    EXPECT_STREQ(world->failure, "");
    EXPECT_EQ(world->lives, 3);
}

TEST_F(CheckpointTest, AProcessKeepsItsNumber) {
    int code = live(3, [] {
        raise(SIGCONT);  // to the thread, by the number that the C library has
        kill(getpid(), SIGCONT);
        expect(getppid() != 0, "the parent");
    });
    EXPECT_EQ(code, 0);
}

TEST_F(CheckpointTest, AProgramThatStillRunsCannotBePutBack) {
    EXPECT_EQ(live(3,
                   [] {
                       pid_t parent = getpid();
                       if (fork() == 0) {
                           prctl(PR_SET_PDEATHSIG, SIGKILL);
                           while (getppid() == parent) {  // it may have ended before that
                               pause();
                           }
                       }
                   }),
              127);
    EXPECT_STREQ(world->failure, "life 1: a program that it has started still runs");
}

TEST_F(CheckpointTest, APageOfTheImageThatIsGoneComesBack) {
    EXPECT_EQ(live(5,
                   [] {
                       check_as_at_the_beginning();
                       auto page = reinterpret_cast<uintptr_t>(words->data()) / 4096 * 4096;
                       auto* begin = reinterpret_cast<void*>(page);
                       if (world->lives % 2 == 0) {
                           ::munmap(begin, 4096);
                       } else {
                           ::mmap(begin, 4096, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_POPULATE, -1, 0);
                       }
                   }),
              0);
    EXPECT_STREQ(world->failure, "");
}

TEST_F(CheckpointTest, SharedMemoryThatIsGoneCannotBePutBack) {
    EXPECT_EQ(live(3, [] { ::munmap(shared_page, 4096); }), 127);
    EXPECT_STREQ(world->failure,
                 "life 1: it has changed mappings of memory that were there before");
}

TEST_F(CheckpointTest, AClosedDescriptorCannotBePutBack) {
    EXPECT_EQ(live(3, [] { close(2); }), 127);
    EXPECT_STREQ(world->failure, "life 1: it has closed a file that was open before");
}

TEST_F(CheckpointTest, ADescriptorInThePlaceOfAnotherCannotBePutBack) {
    EXPECT_EQ(live(3, [] { expect(dup2(open("/dev/zero", O_RDONLY), 2) == 2, "dup2"); }), 127);
    EXPECT_STREQ(world->failure, "life 1: it has closed a file that was open before");
}

TEST_F(CheckpointTest, WhatLivesUsuallyChangeIsPutBackByAShorterLook) {
    looked_at = LookAt::kUsualChanges;
    int code = live(200, [] {
        check_as_at_the_beginning();
        change_everything();
        signal(SIGUSR1, SIG_DFL);
        expect(alarm(1) == 0, "a timer");
    });
    EXPECT_EQ(code, 0);
    EXPECT_STREQ(world->failure, "");
    EXPECT_EQ(world->lives, 200);
}

TEST_F(CheckpointTest, AShorterLookSeesAClosedDescriptor) {
    looked_at = LookAt::kUsualChanges;
    EXPECT_EQ(live(3, [] { close(2); }), 127);
    EXPECT_STREQ(world->failure, "life 1: it has closed a file that was open before");
}

TEST_F(CheckpointTest, AShorterLookDoesNotAskForSignals) {
    looked_at = LookAt::kUsualChanges;
    EXPECT_EQ(live(2,
                   [] {
                       if (world->lives == 2) {
                           struct sigaction action = {};
                           sigaction(SIGUSR1, nullptr, &action);
                           expect(action.sa_handler == SIG_IGN, "the signal of the life before");
                       }
                       signal(SIGUSR1, SIG_IGN);
                   }),
              0);
    EXPECT_STREQ(world->failure, "");
}

TEST_F(CheckpointTest, DescriptorsAfterAGapAreClosed) {
    int code = live(5, [] {
        int opened = open("/dev/zero", O_RDONLY);
        expect(world->descriptor < 0 || opened == world->descriptor, "the first free number");
        world->descriptor = opened;
        expect(dup2(opened, opened + 100) == opened + 100, "a number after a gap");
        if (world->lives % 2 == 0) {
            close(opened);
        }
    });
    EXPECT_EQ(code, 0);
    EXPECT_STREQ(world->failure, "");
    EXPECT_EQ(world->lives, 5);
}

TEST_F(CheckpointTest, AChangedPriorityCannotBePutBack) {
    EXPECT_EQ(live(3, [] { expect(nice(1) != -1, "nice"); }), 127);
    EXPECT_STREQ(world->failure,
                 "life 1: it has changed the process's user, group, session, root, priority or "
                 "limits");
}

TEST_F(CheckpointTest, ChangedLimitsCannotBePutBack) {
    EXPECT_EQ(live(3,
                   [] {
                       rlimit limit = {};
                       getrlimit(RLIMIT_CORE, &limit);
                       limit.rlim_max = limit.rlim_max == 0 ? 0 : limit.rlim_max - 1;
                       limit.rlim_cur = 0;
                       if (setrlimit(RLIMIT_CORE, &limit) != 0) {
                           _exit(3);
                       }
                   }),
              127);
}

}  // namespace
}  // namespace stampede::os
