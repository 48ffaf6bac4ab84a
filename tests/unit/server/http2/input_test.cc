#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/http2/closed_streams.h"
#include "server/http2/frame_watch.h"
#include "server/http2/stream_numbers.h"

namespace stampede::server {
namespace {

using Kind = FrameWatch::Kind;
using End = ClosedStreams::End;

std::string frame(uint8_t type, uint32_t stream, const std::string& payload) {
    auto size = static_cast<uint32_t>(payload.size());
    std::string head;
    for (uint32_t byte : {size >> 16, size >> 8, size, uint32_t{type}, uint32_t{0}, stream >> 24,
                          stream >> 16, stream >> 8, stream}) {
        head += static_cast<char>(byte & 255);
    }
    return head + payload;
}

std::string priority(uint32_t stream, uint32_t on) {
    return frame(2, stream, frame(0, on, {}).substr(5) + '\x01');
}

struct Seen {
    Kind kind;
    int32_t stream;
    size_t begins;  // in all bytes, at the latest where its piece begins
    bool operator==(const Seen&) const = default;
};

std::vector<Seen> watch(std::string_view bytes, size_t piece) {
    FrameWatch watch;
    std::vector<Seen> seen;
    for (size_t begin = 0; begin < bytes.size(); begin += piece) {
        std::string_view part = bytes.substr(begin, piece);
        for (size_t at = 0; at < part.size();) {
            FrameWatch::Stop stop = watch.next(part.data() + at, part.size() - at);
            if (stop.kind != Kind::kNone) {
                seen.push_back({stop.kind, stop.stream, begin + at + stop.before});
            }
            EXPECT_GT(stop.used, 0u);
            at += stop.used;
        }
    }
    return seen;
}

TEST(FrameWatch, StopsWhereTheProtocolWouldTellNothing) {
    std::string bytes(24, 'p');
    std::vector<Seen> wanted;
    auto add = [&](const std::string& more, Kind kind, int32_t stream) {
        if (kind != Kind::kNone) {
            wanted.push_back({kind, stream, bytes.size()});
        }
        bytes += more;
    };
    add(frame(4, 0, {}), Kind::kNone, 0);
    add(frame(1, 1, std::string(100, 'h')), Kind::kNone, 0);
    add(frame(0, 1, "data"), Kind::kData, 1);
    add(frame(0, 3, {}), Kind::kData, 3);
    add(priority(5, 3), Kind::kNone, 0);
    add(priority(5, 5), Kind::kSelfDependent, 5);
    add(priority(7, 7 | 0x80000000), Kind::kSelfDependent, 7);
    add(frame(2, 9, "abc"), Kind::kNone, 0);  // too short, which is not for here
    add(frame(0, 0x7fffffff, std::string(70000, '\0')), Kind::kData, 0x7fffffff);
    add(frame(3, 11, "code"), Kind::kReset, 11);
    add(frame(77, 1, std::string(20, '\0')), Kind::kUnknown, 1);
    add(frame(16, 0, std::string(20, '\0')), Kind::kNone, 0);
    add(priority(9, 9), Kind::kSelfDependent, 9);
    EXPECT_EQ(watch(bytes, bytes.size()), wanted);
    for (size_t piece : {1u, 2u, 7u, 13u, 1000u}) {
        std::vector<Seen> seen = watch(bytes, piece);
        ASSERT_EQ(seen.size(), wanted.size()) << piece;
        for (size_t i = 0; i < seen.size(); i++) {
            EXPECT_EQ(seen[i].kind, wanted[i].kind) << piece;
            EXPECT_EQ(seen[i].stream, wanted[i].stream) << piece;
            // What is before the stop is never of the frame, unless it came earlier.
            EXPECT_GE(seen[i].begins, wanted[i].begins) << piece;
            EXPECT_LE(seen[i].begins, wanted[i].begins + 13) << piece;
        }
    }
}

TEST(ClosedStreams, KnowsTheNewestResetsAndIsMildAboutForgottenOnes) {
    ClosedStreams closed;
    EXPECT_EQ(closed.end_of(1), End::kInOrder);
    closed.reset(3);
    closed.reset_by_peer(5);
    EXPECT_EQ(closed.end_of(1), End::kInOrder);
    EXPECT_EQ(closed.end_of(3), End::kReset);
    EXPECT_EQ(closed.end_of(5), End::kResetByPeer);
    EXPECT_EQ(closed.end_of(7), End::kInOrder);
    for (int32_t id = 101; id < 101 + 2 * 512; id += 2) {
        closed.reset_by_peer(id);
    }
    for (int32_t id : {1, 3, 5}) {
        EXPECT_EQ(closed.end_of(id), End::kReset) << id;
    }
    EXPECT_EQ(closed.end_of(99), End::kInOrder);
    EXPECT_EQ(closed.end_of(101), End::kResetByPeer);
    EXPECT_EQ(closed.end_of(1123), End::kResetByPeer);
}

TEST(ClosedStreams, ForgetsTheOldestFirst) {
    ClosedStreams closed;
    for (int32_t id = 1; id < 1 + 2 * 512; id += 2) {
        closed.reset_by_peer(id);
    }
    EXPECT_EQ(closed.end_of(1), End::kResetByPeer);
    closed.reset_by_peer(1025);
    EXPECT_EQ(closed.end_of(1), End::kReset);  // as mild as if it had been reset here
    EXPECT_EQ(closed.end_of(3), End::kResetByPeer);
    EXPECT_EQ(closed.end_of(1025), End::kResetByPeer);
    EXPECT_EQ(closed.end_of(1027), End::kInOrder);
}

TEST(StreamNumbers, KnowsTheNewestGap) {
    StreamNumbers numbers;
    EXPECT_TRUE(numbers.use(1));
    EXPECT_TRUE(numbers.use(3));
    EXPECT_TRUE(numbers.use(9));
    EXPECT_FALSE(numbers.use(5));
    EXPECT_FALSE(numbers.use(7));
    for (int32_t id : {1, 3, 9, 11}) {
        EXPECT_TRUE(numbers.use(id)) << id;
    }
    EXPECT_FALSE(numbers.use(7));
    EXPECT_TRUE(numbers.use(21));
    EXPECT_FALSE(numbers.use(13));
    EXPECT_TRUE(numbers.use(7));  // one gap is kept
}

TEST(StreamNumbers, TheFirstStreamMayHaveAnyNumber) {
    StreamNumbers numbers;
    EXPECT_TRUE(numbers.use(5));
    EXPECT_FALSE(numbers.use(3));
    EXPECT_FALSE(numbers.use(1));
}

TEST(StreamNumbers, WasTakenWhatIsAClientsAndNotNewerThanTheLast) {
    StreamNumbers numbers;
    EXPECT_FALSE(numbers.was_taken(1));
    numbers.take(5);
    EXPECT_EQ(numbers.last_taken(), 5);
    EXPECT_TRUE(numbers.was_taken(1));
    EXPECT_TRUE(numbers.was_taken(5));
    EXPECT_FALSE(numbers.was_taken(4));
    EXPECT_FALSE(numbers.was_taken(7));
}

}  // namespace
}  // namespace stampede::server
