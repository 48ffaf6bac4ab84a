#include "os/message_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "os/process.h"

namespace stampede::os {
namespace {

ino_t inode_of(const Fd& file) {
    struct stat facts = {};
    EXPECT_EQ(fstat(file.get(), &facts), 0);
    return facts.st_ino;
}

std::string text_of(size_t size, char salt) {
    std::string text(size, salt);
    for (size_t i = 0; i < size; i += 977) {
        text[i] = static_cast<char>('a' + i % 26);
    }
    return text;
}

class MessageFilesTest : public testing::Test {
public:
    std::string read(const Fd& file, size_t size) {
        auto message = ReceivedMessage::read(file.get(), size, room);
        return message ? std::string(message->bytes()) : "unreadable";
    }

    MessageFiles files;
    std::unique_ptr<char[]> room;
};

TEST_F(MessageFilesTest, AFileIsUsedAgainWhenItsReaderIsDone) {
    ino_t first = 0;
    for (size_t size : {size_t{100'000}, size_t{3'000'000}, size_t{70'000}}) {
        std::string text = text_of(size, 'x');
        Fd file = std::move(*files.write("head:", text));
        EXPECT_EQ(read(file, size + 5), "head:" + text);
        first = first == 0 ? inode_of(file) : first;
        EXPECT_EQ(inode_of(file), first);
    }
    EXPECT_EQ(files.count(), 1u);
}

TEST_F(MessageFilesTest, WhatIsNotReadYetStaysAsItIs) {
    std::vector<Fd> unread;
    for (int i = 0; i < 10; i++) {
        unread.push_back(std::move(*files.write("", text_of(100'000, static_cast<char>('0' + i)))));
    }
    EXPECT_EQ(files.count(), MessageFiles::kMostFiles);
    for (int i = 0; i < 10; i++) {
        EXPECT_EQ(read(unread[static_cast<size_t>(i)], 100'000),
                  text_of(100'000, static_cast<char>('0' + i)));
    }
}

TEST_F(MessageFilesTest, LargeOnesAreNotKept) {
    std::string text = text_of(MessageFiles::kMostKept, 'x');
    Fd file = std::move(*files.write("head", text));
    EXPECT_EQ(files.count(), 0u);
    EXPECT_EQ(read(file, text.size() + 4), "head" + text);
}

TEST_F(MessageFilesTest, AFileThatIsTooShortIsRefused) {
    Fd file = std::move(*files.write("", text_of(1000, 'x')));
    EXPECT_EQ(read(file, 1001), "unreadable");
    EXPECT_EQ(read(file, MessageFiles::kMostKept + 1), "unreadable");
}

TEST_F(MessageFilesTest, WhatIsNotUsedGoes) {
    Fd unread = std::move(*files.write("", text_of(1000, 'x')));
    EXPECT_TRUE(files.drop_unused());
    EXPECT_FALSE(files.drop_unused());
    EXPECT_EQ(files.count(), 0u);
    EXPECT_EQ(read(unread, 1000), text_of(1000, 'x'));
}

TEST_F(MessageFilesTest, AFileWhoseReaderIsKilledIsNotUsedAgain) {
    Fd file = std::move(*files.write("", text_of(1000, 'x')));
    Result<pid_t> child = fork_process();
    if (*child == 0) {
        die_by_signal(SIGKILL);
    }
    (void)block_until_ended(*child);
    Fd next = std::move(*files.write("", text_of(1000, 'y')));
    EXPECT_NE(inode_of(next), inode_of(file));
}

TEST_F(MessageFilesTest, AForkedChildHasFilesOfItsOwn) {
    ino_t parents = 0;
    {
        Fd file = std::move(*files.write("", text_of(1000, 'x')));
        parents = inode_of(file);
        (void)read(file, 1000);
    }
    Result<pid_t> child = fork_process();
    if (*child == 0) {
        Fd file = std::move(*files.write("", text_of(1000, 'y')));
        exit_now(inode_of(file) == parents ? 1 : 0);
    }
    EXPECT_EQ(block_until_ended(*child).code, 0);
    EXPECT_EQ(inode_of(*files.write("", text_of(1000, 'z'))), parents);
}

}  // namespace
}  // namespace stampede::os
