#include "os/known_paths.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>

namespace stampede::os {
namespace {

namespace fs = std::filesystem;
using Kind = KnownPaths::Kind;

class KnownPathsTest : public testing::Test {
protected:
    void SetUp() override {
        char name[] = "/tmp/known_paths_XXXXXX";
        ASSERT_NE(::mkdtemp(name), nullptr);
        root_ = name;
        auto changes = PathChanges::create();
        ASSERT_TRUE(changes);
        changes_.emplace(std::move(*changes));
        if (!changes_->watch(name)) {
            GTEST_SKIP() << name << " cannot be watched";
        }
    }
    void TearDown() override { fs::remove_all(root_); }

    std::string at(const std::string& path) const { return root_ + "/" + path; }
    void write(const std::string& path) const { std::ofstream(at(path)) << "x"; }

    // What the kernel says; nothing where it says that it must not be asked.
    static std::optional<Kind> truth(const std::string& path) {
        struct stat found {};
        if (::stat(path.c_str(), &found) != 0) {
            return errno == ENOENT || errno == ENOTDIR ? std::optional(Kind::kMissing)
                                                       : std::nullopt;
        }
        return S_ISREG(found.st_mode)   ? Kind::kFile
               : S_ISDIR(found.st_mode) ? Kind::kFolder
                                        : Kind::kOther;
    }

    std::string root_;
    std::optional<PathChanges> changes_;
};

TEST_F(KnownPathsTest, KnowsFilesFoldersAndWhatIsMissing) {
    fs::create_directories(at("a/b"));
    write("a/file");
    KnownPaths paths(*changes_);
    for (int time = 0; time < 2; time++) {
        EXPECT_EQ(paths.kind_of(at("a/file")), Kind::kFile);
        EXPECT_EQ(paths.kind_of(at("a/b")), Kind::kFolder);
        EXPECT_EQ(paths.kind_of(at("a/b/")), Kind::kFolder);
        EXPECT_EQ(paths.kind_of(at("a/b/.././file")), Kind::kFile);
        EXPECT_EQ(paths.kind_of(at("a/none")), Kind::kMissing);
        EXPECT_EQ(paths.kind_of(at("a/file/")), Kind::kMissing);
        EXPECT_EQ(paths.kind_of(at("a/file/none")), Kind::kMissing);
        EXPECT_EQ(paths.kind_of("/dev/null/none"), Kind::kMissing);
    }
}

TEST_F(KnownPathsTest, LeavesToTheKernelWhatItDoesNotTellOf) {
    KnownPaths paths(*changes_);
    EXPECT_EQ(paths.kind_of("/proc/self/stat"), std::nullopt);
    EXPECT_EQ(paths.kind_of("relative"), std::nullopt);
    EXPECT_EQ(paths.kind_of(""), std::nullopt);
    EXPECT_EQ(paths.kind_of(std::string_view("/tmp\0x", 6)), std::nullopt);
    fs::create_symlink("loop", at("loop"));
    EXPECT_EQ(paths.kind_of(at("loop")), std::nullopt);
}

TEST_F(KnownPathsTest, SeesWhatAnotherProcessHasDone) {
    fs::create_directories(at("releases/1"));
    fs::create_directories(at("releases/2"));
    write("releases/1/old");
    write("releases/2/new");
    fs::create_symlink("releases/1", at("current"));
    KnownPaths paths(*changes_);
    EXPECT_EQ(paths.kind_of(at("current/old")), Kind::kFile);
    EXPECT_EQ(paths.kind_of(at("current/new")), Kind::kMissing);
    pid_t child = ::fork();
    if (child == 0) {
        fs::create_symlink("releases/2", at("next"));
        fs::rename(at("next"), at("current"));
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(paths.kind_of(at("current/old")), Kind::kMissing);
    EXPECT_EQ(paths.kind_of(at("current/new")), Kind::kFile);
}

TEST_F(KnownPathsTest, SeesWhatAnotherOneHasReadAlready) {
    KnownPaths first(*changes_);
    KnownPaths second(*changes_);
    EXPECT_EQ(first.kind_of(at("file")), Kind::kMissing);
    EXPECT_EQ(second.kind_of(at("file")), Kind::kMissing);
    write("file");
    EXPECT_EQ(first.kind_of(at("file")), Kind::kFile);
    EXPECT_EQ(second.kind_of(at("file")), Kind::kFile);
}

TEST_F(KnownPathsTest, SeesRightsThatWereTakenAway) {
    if (::geteuid() == 0 && ::seteuid(65534) != 0) {
        GTEST_SKIP() << "root may look everywhere";
    }
    char name[] = "/tmp/known_paths_XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    std::string folder = name;
    std::ofstream(folder + "/file") << "x";
    KnownPaths paths(*changes_);
    EXPECT_EQ(paths.kind_of(folder + "/file"), Kind::kFile);
    ::chmod(name, 0);
    EXPECT_EQ(paths.kind_of(folder + "/file"), std::nullopt);
    ::chmod(name, 0700);
    EXPECT_EQ(paths.kind_of(folder + "/file"), Kind::kFile);
    fs::remove_all(folder);
    (void)::seteuid(::getuid());
}

// Whoever reads is killed with what it has read: others must not go on with what they knew.
TEST_F(KnownPathsTest, SurvivesTheEndOfAnyReader) {
    KnownPaths paths(*changes_);
    for (int round = 0; round < 200; round++) {
        std::string path = at("file" + std::to_string(round));
        EXPECT_EQ(paths.kind_of(path), Kind::kMissing);
        pid_t child = ::fork();
        if (child == 0) {
            KnownPaths own(*changes_);
            for (int i = 0;; i++) {
                std::ofstream(path + "-" + std::to_string(i % 50)) << "x";
                (void)own.kind_of(path);
            }
        }
        ::usleep(static_cast<useconds_t>(round * 7));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        std::ofstream{path} << "x";
        auto kind = paths.kind_of(path);
        EXPECT_TRUE(!kind || *kind == Kind::kFile);
        EXPECT_EQ(paths.kind_of(path), Kind::kFile);
    }
}

TEST_F(KnownPathsTest, SurvivesMoreChangesThanTheKernelNotes) {
    KnownPaths paths(*changes_);
    EXPECT_EQ(paths.kind_of(at("file")), Kind::kMissing);
    for (int i = 0; i < 20'000; i++) {
        std::string path = at("x" + std::to_string(i % 2));
        ::close(::open(path.c_str(), O_CREAT | O_WRONLY, 0600));
        ::unlink(path.c_str());
    }
    write("file");
    EXPECT_EQ(paths.kind_of(at("file")), Kind::kFile);
}

TEST_F(KnownPathsTest, AgreesWithTheKernelWhateverChanges) {
    std::mt19937 random(20);
    const std::string names[] = {"a", "b", "c"};
    auto path = [&] {
        std::string made = names[random() % 3];
        for (uint32_t more = random() % 4; more > 0; more--) {
            made += "/" + (random() % 12 == 0 ? std::string("..") : names[random() % 3]);
        }
        return made + (random() % 10 == 0 ? "/" : "");
    };
    KnownPaths one(*changes_);
    KnownPaths other(*changes_);
    std::error_code ignored;
    for (int step = 0; step < 30'000; step++) {
        std::string from = at(path());
        std::string to = random() % 2 == 0 ? at(path()) : path();
        switch (random() % 8) {
            case 0:
                fs::create_directory(from, ignored);
                break;
            case 1:
                std::ofstream{from} << "x";
                break;
            case 2:
                fs::create_symlink(to, from, ignored);
                break;
            case 3:
                fs::rename(from, at(path()), ignored);
                break;
            case 4:
                fs::remove(from, ignored);
                break;
            case 5:
                if (random() % 20 == 0 && from.find("..") == std::string::npos) {
                    fs::remove_all(from, ignored);
                }
                break;
            default:
                break;
        }
        for (int i = 0; i < 4; i++) {
            std::string asked = at(path());
            std::optional<Kind> known = (random() % 3 == 0 ? other : one).kind_of(asked);
            if (known) {
                ASSERT_EQ(known, truth(asked)) << asked << " in step " << step;
            }
        }
    }
}

}  // namespace
}  // namespace stampede::os
