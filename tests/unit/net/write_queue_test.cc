#include "net/write_queue.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <random>
#include <string>

#include "contract/server/memory_server.h"
#include "os/file.h"

namespace stampede::net {
namespace {

using testing::MemoryTransport;

int file_with(std::string_view content) {
    char path[] = "/tmp/write-queue-test.XXXXXX";
    int fd = os::make_temporary(path);
    EXPECT_TRUE(os::write_all(fd, content));
    os::remove_path(path);
    return fd;
}

TEST(WriteQueue, PiecesOfAllKindsLeaveInOrderHoweverTheyAreCut) {
    std::mt19937 random(1);
    for (int round = 0; round < 300; round++) {
        auto peer = std::make_shared<MemoryTransport::Peer>();
        MemoryTransport transport(peer);
        WriteQueue queue;
        std::string expected;
        std::vector<std::string> kept(40);
        int released = 0;
        int referenced = 0;
        for (std::string& piece : kept) {
            piece.assign(random() % 50, static_cast<char>('a' + random() % 26));
            switch (random() % 3) {
                case 0:
                    queue.cork().append(piece);
                    break;
                case 1:
                    referenced++;
                    queue.add(BytesRef{piece, &released,
                                       [](void* count) { ++*static_cast<int*>(count); }});
                    break;
                default:
                    if (piece.empty()) {
                        break;
                    }
                    queue.add(FileRange{file_with(piece), 0, piece.size()});
            }
            expected += piece;
        }
        EXPECT_EQ(queue.pending(), expected.size());
        uint64_t sent = 0;
        FlushResult result;
        do {
            peer->write_room = 1 + random() % 60;
            result = queue.flush(transport, sent);
            ASSERT_NE(result, FlushResult::kFailed);
        } while (result != FlushResult::kDrained);
        EXPECT_EQ(peer->from_server, expected);
        EXPECT_EQ(sent, expected.size());
        EXPECT_EQ(released, referenced);
        EXPECT_TRUE(queue.empty());
        EXPECT_EQ(queue.pending(), 0u);
    }
}

TEST(WriteQueue, AFileThatShrankIsAFailure) {
    auto peer = std::make_shared<MemoryTransport::Peer>();
    MemoryTransport transport(peer);
    WriteQueue queue;
    queue.add(FileRange{file_with("abc"), 0, 10});
    uint64_t sent = 0;
    EXPECT_EQ(queue.flush(transport, sent), FlushResult::kFailed);
}

TEST(WriteQueue, AnEmptyFileIsNothingToSend) {
    WriteQueue queue;
    queue.add(FileRange{file_with("abc"), 0, 0});
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.pending_files(), 0u);
}

TEST(WriteQueue, DroppingReleasesWhatIsReferenced) {
    int released = 0;
    {
        WriteQueue queue;
        queue.add(BytesRef{"abc", &released, [](void* count) { ++*static_cast<int*>(count); }});
        queue.add(FileRange{file_with("abc"), 0, 3});
    }
    EXPECT_EQ(released, 1);
}

}  // namespace
}  // namespace stampede::net
