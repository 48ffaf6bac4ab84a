#include "os/line_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace stampede::os {
namespace {

class LineWriterTest : public ::testing::Test {
protected:
    LineWriterTest() : path("/tmp/stampede-lines-" + std::to_string(::getpid())) {
        std::remove(path.c_str());
    }
    ~LineWriterTest() override {
        std::remove(path.c_str());
        std::remove((path + ".1").c_str());
    }
    static void add(LineWriter& writer, const std::string& line) {
        writer.lines().append(line);
        writer.lines().append('\n');
        writer.count_line();
    }
    static std::string content(const std::string& file) {
        std::ostringstream out;
        out << std::ifstream(file).rdbuf();
        return out.str();
    }
    template <typename Condition>
    static bool wait_for(Condition&& condition) {
        Nanos end = monotonic_now() + 5 * kSecond;
        while (!condition()) {
            if (monotonic_now() > end) {
                return false;
            }
            ::usleep(1000);
        }
        return true;
    }

    std::string path;
};

TEST_F(LineWriterTest, WritesWhatIsFlushedAndTheRestAtItsEnd) {
    {
        auto writer = std::move(*LineWriter::open(path));
        add(*writer, "one");
        writer->flush();
        EXPECT_TRUE(writer->empty());
        EXPECT_TRUE(wait_for([&] { return content(path) == "one\n"; }));
        add(*writer, "two");
        EXPECT_EQ(writer->take_lost(), 0u);
    }
    EXPECT_EQ(content(path), "one\ntwo\n");
    auto again = std::move(*LineWriter::open(path));
    add(*again, "three");
    again.reset();  // also when nothing was flushed before
    EXPECT_EQ(content(path), "one\ntwo\nthree\n");
}

TEST_F(LineWriterTest, OpensTheSameNameAgain) {
    auto writer = std::move(*LineWriter::open(path));
    add(*writer, "old");
    writer->flush();
    ASSERT_TRUE(wait_for([&] { return content(path) == "old\n"; }));
    ASSERT_EQ(std::rename(path.c_str(), (path + ".1").c_str()), 0);
    writer->reopen();
    ASSERT_TRUE(wait_for([&] { return ::access(path.c_str(), F_OK) == 0; }));
    add(*writer, "new");
    writer.reset();
    EXPECT_EQ(content(path + ".1"), "old\n");
    EXPECT_EQ(content(path), "new\n");
}

TEST_F(LineWriterTest, CountsWhatADiskDoesNotTake) {
    auto writer = std::move(*LineWriter::open("/dev/full"));
    for (int i = 0; i < 5; i++) {
        add(*writer, "lost");
    }
    writer->flush();
    uint64_t lost = 0;
    EXPECT_TRUE(wait_for([&] { return (lost += writer->take_lost()) == 5; })) << lost;
}

TEST_F(LineWriterTest, APipeThatNobodyReadsHoldsNobodyUp) {
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    auto writer = std::move(*LineWriter::open(path));
    std::string line(1000, 'x');
    Nanos began = monotonic_now();
    for (int i = 0; i < 10'000; i++) {
        add(*writer, line);
        if (writer->wants_flush()) {
            writer->flush();
        }
    }
    writer->flush();
    EXPECT_LT(monotonic_now() - began, 3 * kSecond);
    EXPECT_GT(writer->take_lost(), 1000u);
    char first[4];
    ASSERT_TRUE(wait_for([&] { return ::read(reader, first, sizeof(first)) == 4; }));
    EXPECT_EQ(std::string(first, 4), "xxxx");
    began = monotonic_now();
    writer.reset();
    EXPECT_LT(monotonic_now() - began, 4 * kSecond);
    ::close(reader);
}

TEST_F(LineWriterTest, AForkedChildLeavesTheThreadAlone) {
    auto writer = std::move(*LineWriter::open(path));
    add(*writer, "parent");
    writer->flush();
    ASSERT_TRUE(wait_for([&] { return content(path) == "parent\n"; }));
    pid_t child = ::fork();
    if (child == 0) {
        uint64_t lost = writer->take_lost();
        writer.reset();
        ::_exit(lost == 0 ? 0 : 1);
    }
    int status = 1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    add(*writer, "still");
    writer.reset();
    EXPECT_EQ(content(path), "parent\nstill\n");
}

TEST_F(LineWriterTest, APathThatIsNoGoodIsAnError) {
    EXPECT_FALSE(LineWriter::open("/no/such/folder/file"));
}

}  // namespace
}  // namespace stampede::os
