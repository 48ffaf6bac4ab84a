#include "proto/frame/frame.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace stampede::proto::frame {
namespace {

struct Fed {
    std::vector<std::string> packets;
    Verdict last = Verdict::kNeedMore;
};

// Feeds the bytes in pieces of one size, as a reader would.
Fed feed(const Rules& rules, const std::string& bytes, size_t piece) {
    Fed run;
    Framer framer(rules);
    std::string buffer;
    for (size_t at = 0; at < bytes.size(); at += piece) {
        buffer += bytes.substr(at, piece);
        while ((run.last = framer.look(buffer)) == Verdict::kPacket) {
            run.packets.push_back(buffer.substr(0, framer.size()));
            buffer.erase(0, framer.size());
            framer.restart();
        }
        if (run.last != Verdict::kNeedMore) {
            break;
        }
    }
    return run;
}

void expect_packets(const Rules& rules, const std::string& bytes,
                    const std::vector<std::string>& packets, Verdict last = Verdict::kNeedMore) {
    for (size_t piece = 1; piece <= bytes.size(); piece++) {
        Fed run = feed(rules, bytes, piece);
        EXPECT_EQ(run.packets, packets) << "in pieces of " << piece;
        EXPECT_EQ(run.last, last) << "in pieces of " << piece;
    }
}

Rules marked(std::string mark) {
    Rules rules;
    rules.kind = Kind::kMark;
    rules.mark = std::move(mark);
    return rules;
}

Rules with_length(char letter, size_t offset, int64_t body) {
    Rules rules;
    rules.kind = Kind::kLength;
    EXPECT_TRUE(LengthField::of_letter(letter, rules.length));
    rules.length_offset = offset;
    rules.body_offset = body;
    return rules;
}

TEST(Framer, EndsPacketsAtTheMark) {
    expect_packets(marked("\r\n"), "a\r\n\r\nbb\r\r\ncc", {"a\r\n", "\r\n", "bb\r\r\n"});
    expect_packets(marked("aab"), "aaab.aab", {"aaab", ".aab"});
}

TEST(Framer, RefusesAPacketWithoutMarkThatGrowsTooLarge) {
    Rules rules = marked("\n");
    rules.max_size = 4;
    expect_packets(rules, "abc\nabcd\n", {"abc\n"}, Verdict::kTooLarge);
}

TEST(Framer, TakesAllPacketsUpToTheLastMark) {
    Rules rules = marked("\n");
    rules.kind = Kind::kMarkAtEnd;
    Framer framer(rules);
    EXPECT_EQ(framer.look("a\nb"), Verdict::kNeedMore);
    EXPECT_EQ(framer.look("a\nb\n"), Verdict::kPacket);
    EXPECT_EQ(framer.size(), 4u);
}

TEST(Framer, ReadsLengthsInFrontOfTheBody) {
    expect_packets(with_length('N', 0, 4), std::string("\0\0\0\3abc\0\0\0\0\0\0\0\1", 15),
                   {std::string("\0\0\0\3abc", 7), std::string("\0\0\0\0", 4)});
    expect_packets(with_length('v', 2, 0), std::string("xy\6\0abxy\4\0", 10),
                   {std::string("xy\6\0ab", 6), std::string("xy\4\0", 4)});
    expect_packets(with_length('C', 1, 2), std::string("T\1aT\0", 5),
                   {std::string("T\1a", 3), std::string("T\0", 2)});
}

TEST(Framer, RefusesLengthsThatMakeNoSense) {
    // Smaller than the head that says it, negative, beyond every number.
    expect_packets(with_length('N', 0, 0), std::string("\0\0\0\3", 4), {}, Verdict::kMalformed);
    expect_packets(with_length('c', 0, 1), "\xff", {}, Verdict::kMalformed);
    expect_packets(with_length('J', 0, 8), std::string(8, '\xff'), {}, Verdict::kMalformed);
    expect_packets(with_length('C', 0, -5), "\x04", {}, Verdict::kMalformed);
}

TEST(Framer, RefusesLengthsAboveTheLimitBeforeTheBodyComes) {
    Rules rules = with_length('n', 0, 2);
    rules.max_size = 100;
    expect_packets(rules, std::string("\0\x62", 2), {});
    expect_packets(rules, std::string("\0\x63", 2), {}, Verdict::kTooLarge);
}

TEST(Framer, AsksForTheSizeUntilItIsKnown) {
    Rules rules;
    rules.kind = Kind::kMeasured;
    rules.measure = [](void* calls, std::string_view bytes) -> int64_t {
        ++*static_cast<int*>(calls);
        size_t colon = bytes.find(':');
        return colon == std::string_view::npos ? 0 : static_cast<int64_t>(colon) + 3;
    };
    int calls = 0;
    rules.measure_argument = &calls;
    Fed run = feed(rules, "k:12long:34", 1);
    EXPECT_EQ(run.packets, (std::vector<std::string>{"k:12", "long:34"}));
    EXPECT_EQ(calls, 2 + 5);
}

TEST(Framer, KnowsMqttFastCgiAndHttp2) {
    Rules rules;
    rules.kind = Kind::kMqtt;
    std::string large = std::string("\x30\x81\x01", 3) + std::string(129, 'x');
    expect_packets(rules, std::string("\xc0\0", 2) + large, {std::string("\xc0\0", 2), large});
    expect_packets(rules, "\x30\xff\xff\xff\xff\x01", {}, Verdict::kMalformed);
    rules.kind = Kind::kFastCgi;
    std::string record("\1\3\0\1\0\2\1\0abp", 11);
    expect_packets(rules, record + record, {record, record});
    rules.kind = Kind::kHttp2;
    std::string frame("\0\0\2\0\0\0\0\0\1xy", 11);
    expect_packets(rules, frame + frame, {frame, frame});
}

TEST(Framer, SaysHowMuchIsMissing) {
    Rules rules = with_length('n', 0, 2);
    Framer framer(rules);
    std::string bytes(
        "\0\x0a"
        "abc",
        5);
    EXPECT_EQ(framer.missing(0), 0u);
    EXPECT_EQ(framer.look(bytes), Verdict::kNeedMore);
    EXPECT_EQ(framer.missing(bytes.size()), 7u);
}

TEST(LengthField, KnowsTheLettersOfPack) {
    LengthField field;
    for (char letter : std::string("cCsSnvlLiINVqQJP")) {
        EXPECT_TRUE(LengthField::of_letter(letter, field)) << letter;
    }
    for (char letter : std::string("aAhHfdxX@ \0", 11)) {
        EXPECT_FALSE(LengthField::of_letter(letter, field)) << letter;
    }
}

}  // namespace
}  // namespace stampede::proto::frame
