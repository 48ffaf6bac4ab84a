#include "proto/frame/frame.h"
#include "proto/frame/redis.h"

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

std::vector<std::string> arguments_of(const std::string& request) {
    std::vector<std::string> all;
    RedisArguments arguments(request);
    for (size_t i = 0; i < arguments.count(); i++) {
        all.emplace_back(arguments.next());
    }
    return all;
}

Rules redis() {
    Rules rules;
    rules.kind = Kind::kRedis;
    return rules;
}

TEST(Framer, FindsTheEndOfRedisRequests) {
    std::string set = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\n\r\nab\r\n";
    std::string get = "*2\r\n$3\r\nGET\r\n$0\r\n\r\n";
    expect_packets(redis(), set + get + "*0\r\n" + set, {set, get, "*0\r\n", set});
    EXPECT_EQ(arguments_of(set), (std::vector<std::string>{"SET", "k", "\r\nab"}));
    EXPECT_EQ(arguments_of(get), (std::vector<std::string>{"GET", ""}));
    EXPECT_TRUE(arguments_of("*0\r\n").empty());
}

TEST(Framer, RefusesWhatIsNoRedisRequest) {
    for (const char* bytes : {"GET a\r\n", "*1\r\n:1\r\n", "*1\r\n$1\r\nabc", "*-1\r\n",
                              "*1\r\n$-1\r\n", "*1\n$1\r\na\r\n", "*00000000000000000001\r\n"}) {
        expect_packets(redis(), bytes, {}, Verdict::kMalformed);
    }
}

TEST(Framer, LimitsRedisRequests) {
    Rules rules = redis();
    rules.max_size = 100;
    expect_packets(rules, "*1\r\n$100\r\n", {}, Verdict::kTooLarge);
    expect_packets(rules, "*1000000\r\n", {}, Verdict::kTooLarge);
    std::string last = "*1\r\n$87\r\n" + std::string(87, 'a') + "\r\n";
    expect_packets(rules, last, {last});
}

}  // namespace
}  // namespace stampede::proto::frame
