#include "client/http1/response_reader.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <utility>
#include <vector>

namespace stampede::client::http1 {
namespace {

// What a client does with a response, without its connection.
struct Client {
    explicit Client(const Expected& expected = {}) { reader.begin(expected); }

    // All steps until more is needed or the response has ended.
    Step feed(std::string_view bytes) {
        in.append(bytes);
        for (;;) {
            Step step = reader.advance(in, [&](std::string_view piece) {
                body += piece;
                return body.size() < stop_at;
            });
            if (step != Step::kHead) {
                return step;
            }
            heads++;
            for (const proto::http::Field& field : reader.head().fields) {
                fields += std::string(field.name.in(in.data())) + "=" +
                          std::string(field.value.in(in.data())) + ";";
            }
        }
    }

    Step feed_each_byte(std::string_view bytes) {
        Step step = Step::kNeedMore;
        for (size_t i = 0; i < bytes.size() && step == Step::kNeedMore; i++) {
            step = feed(bytes.substr(i, 1));
        }
        return step;
    }

    Buffer in;
    ResponseReader reader;
    std::string fields;
    std::string body;
    int heads = 0;
    size_t stop_at = SIZE_MAX;
};

std::string gzip(std::string_view text) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string out(text.size() + 100, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string counted(std::string_view body, std::string_view fields = {}) {
    return "HTTP/1.1 200 OK\r\n" + std::string(fields) +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

TEST(ResponseReader, ShowsTheHeadOnceAndThenTheBody) {
    Client client;
    EXPECT_EQ(client.feed(counted("hello", "X-A: b\r\n")), Step::kDone);
    EXPECT_EQ(client.heads, 1);
    EXPECT_EQ(client.fields, "X-A=b;Content-Length=5;");
    EXPECT_EQ(client.body, "hello");
    EXPECT_TRUE(client.reader.keeps_connection(client.in));
}

TEST(ResponseReader, BytesOneByOneGiveTheSame) {
    for (const std::string& text :
         {counted("hello"), std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                        "2\r\nhe\r\n3\r\nllo\r\n0\r\nX-End: 1\r\n\r\n")}) {
        Client client;
        EXPECT_EQ(client.feed_each_byte(text), Step::kDone) << text;
        EXPECT_EQ(client.heads, 1);
        EXPECT_EQ(client.body, "hello");
        EXPECT_TRUE(client.in.empty());
    }
}

TEST(ResponseReader, FoldedFieldsAreOneLine) {
    std::string_view folded =
        "HTTP/1.1 200 OK\r\nX-Long: one,\r\n two,\r\n\tthree\r\nX-Next: a\r\nContent-Length: 5\r\n "
        "\r\n\r\nhello";
    for (bool each_byte : {false, true}) {
        Client client;
        EXPECT_EQ(each_byte ? client.feed_each_byte(folded) : client.feed(folded), Step::kDone);
        EXPECT_EQ(client.fields, "X-Long=one,   two,  \tthree;X-Next=a;Content-Length=5;");
        EXPECT_EQ(client.body, "hello");
    }
    Client before;
    EXPECT_EQ(before.feed("HTTP/1.1 200 OK\r\n X: y\r\n\r\n"), Step::kBadHead);
    Client bare;
    EXPECT_EQ(bare.feed("HTTP/1.1 200 OK\r\nX: y\n z\r\n\r\n"), Step::kBadHead);
}

TEST(ResponseReader, InterimResponsesAreSkipped) {
    Client client;
    EXPECT_EQ(
        client.feed("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"),
        Step::kNeedMore);
    EXPECT_EQ(client.heads, 0);
    EXPECT_EQ(client.reader.at_close(client.in), AtClose::kUnbegun);
    EXPECT_EQ(client.feed(counted("a")), Step::kDone);
    EXPECT_EQ(client.fields, "Content-Length=1;");
}

TEST(ResponseReader, InterimResponsesHaveALimit) {
    Client client;
    std::string many;
    for (int i = 0; i < 32; i++) {
        many += "HTTP/1.1 102 Processing\r\n\r\n";
    }
    EXPECT_EQ(client.feed(many), Step::kBadHead);
}

TEST(ResponseReader, AnUpgradeIsOnlyForThoseThatAskedForIt) {
    constexpr std::string_view kSwitch =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    Client plain;
    EXPECT_EQ(plain.feed(kSwitch), Step::kBadHead);
    Client asking({proto::http::Method::kGet, true, true});
    EXPECT_EQ(asking.feed(std::string(kSwitch) + "\x81\x01x"), Step::kDone);
    EXPECT_EQ(asking.in.view(), "\x81\x01x");  // the first frame is the new protocol's
}

TEST(ResponseReader, AResponseToHeadHasNoBody) {
    Client client({proto::http::Method::kHead, false, true});
    EXPECT_EQ(client.feed("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Encoding: gzip\r\n\r\n"),
              Step::kDone);
    EXPECT_FALSE(client.reader.decodes());
    EXPECT_TRUE(client.reader.keeps_connection(client.in));
}

TEST(ResponseReader, ABodyOfKnownLengthMayBeReceivedElsewhere) {
    Client client;
    EXPECT_EQ(client.feed("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\na"), Step::kNeedMore);
    EXPECT_EQ(client.reader.plain_rest(), 4u);
    client.reader.took(3);
    EXPECT_EQ(client.feed(""), Step::kNeedMore);
    EXPECT_EQ(client.reader.plain_rest(), 1u);
    client.reader.took(1);
    EXPECT_EQ(client.feed(""), Step::kDone);
    EXPECT_EQ(client.body, "a");
    EXPECT_TRUE(client.reader.keeps_connection(client.in));
}

TEST(ResponseReader, OtherBodiesMayNot) {
    for (const char* head : {"Transfer-Encoding: chunked\r\n\r\n3\r\na", "\r\na",
                             "Content-Length: 9\r\nContent-Encoding: gzip\r\n\r\n"}) {
        Client client({.decode_body = true});
        EXPECT_EQ(client.feed(std::string("HTTP/1.1 200 OK\r\n") + head), Step::kNeedMore);
        EXPECT_EQ(client.reader.plain_rest(), 0u) << head;
    }
}

TEST(ResponseReader, TheEndOfTheConnectionMayBeTheEndOfTheBody) {
    Client client;
    EXPECT_EQ(client.feed("HTTP/1.1 200 OK\r\n\r\nall"), Step::kNeedMore);
    EXPECT_EQ(client.reader.at_close(client.in), AtClose::kComplete);
    EXPECT_EQ(client.reader.finish(), Step::kDone);
    EXPECT_EQ(client.body, "all");
    EXPECT_FALSE(client.reader.keeps_connection(client.in));
}

TEST(ResponseReader, TheEndOfTheConnectionCutsOtherResponses) {
    Client unbegun;
    EXPECT_EQ(unbegun.feed(""), Step::kNeedMore);
    EXPECT_EQ(unbegun.reader.at_close(unbegun.in), AtClose::kUnbegun);
    for (std::string_view text : {"HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe",
                                  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe"}) {
        Client client;
        EXPECT_EQ(client.feed(text), Step::kNeedMore);
        EXPECT_EQ(client.reader.at_close(client.in), AtClose::kCut) << text;
    }
}

TEST(ResponseReader, CloseAndBytesTooManyEndTheConnection) {
    Client closing;
    EXPECT_EQ(closing.feed(counted("x", "Connection: close\r\n")), Step::kDone);
    EXPECT_FALSE(closing.reader.keeps_connection(closing.in));
    Client surplus;
    EXPECT_EQ(surplus.feed(counted("x") + "junk"), Step::kDone);
    EXPECT_FALSE(surplus.reader.keeps_connection(surplus.in));
}

TEST(ResponseReader, TrailerFieldsComeAfterTheBody) {
    Client client;
    EXPECT_EQ(client.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "1\r\na\r\n0\r\nX-Sum:  7 \r\nX-Two: b\r\n\r\n"),
              Step::kDone);
    std::vector<std::pair<std::string, std::string>> seen;
    client.reader.each_trailer_field(
        [&](std::string_view name, std::string_view value) { seen.emplace_back(name, value); });
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0], std::make_pair(std::string("X-Sum"), std::string("7")));
    EXPECT_EQ(seen[1], std::make_pair(std::string("X-Two"), std::string("b")));
}

TEST(ResponseReader, TheCodingIsTakenOffWhereThatIsWanted) {
    std::string text = counted(gzip("hello, hello"), "Content-Encoding: gzip\r\n");
    Client decoding({proto::http::Method::kGet, false, true});
    EXPECT_EQ(decoding.feed_each_byte(text), Step::kDone);
    EXPECT_EQ(decoding.body, "hello, hello");
    Client plain;
    EXPECT_EQ(plain.feed(text), Step::kDone);
    EXPECT_EQ(plain.body, gzip("hello, hello"));
}

TEST(ResponseReader, ACodedBodyMustBeWhole) {
    std::string coded = gzip("hello, hello");
    Client cut({proto::http::Method::kGet, false, true});
    EXPECT_EQ(cut.feed(counted(coded.substr(0, coded.size() - 4), "Content-Encoding: gzip\r\n")),
              Step::kBadCoding);
    Client garbage({proto::http::Method::kGet, false, true});
    EXPECT_EQ(garbage.feed(counted("no gzip", "Content-Encoding: gzip\r\n")), Step::kBadCoding);
    Client empty({proto::http::Method::kGet, false, true});
    EXPECT_EQ(empty.feed("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                         "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
              Step::kDone);
    EXPECT_TRUE(empty.reader.decodes());
}

TEST(ResponseReader, BrokenFramingIsRefused) {
    Client head;
    EXPECT_EQ(head.feed("SSH-2.0-x\r\n\r\n"), Step::kBadHead);
    Client chunks;
    EXPECT_EQ(chunks.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
              Step::kBadChunks);
}

TEST(ResponseReader, TheSinkStopsIt) {
    Client client;
    client.stop_at = 1;
    EXPECT_EQ(client.feed(counted("hello")), Step::kStopped);
}

TEST(ResponseReader, OneReaderServesManyResponses) {
    Client client({proto::http::Method::kGet, false, true});
    EXPECT_EQ(client.feed(counted(gzip("one"), "Content-Encoding: gzip\r\n")), Step::kDone);
    client.reader.begin({});
    client.body.clear();
    EXPECT_EQ(client.feed(counted("two")), Step::kDone);
    EXPECT_EQ(client.body, "two");
}

}  // namespace
}  // namespace stampede::client::http1
