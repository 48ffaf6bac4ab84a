#include <gtest/gtest.h>

#include <string>

#include "proto/http1/response_body.h"

namespace stampede::proto::http1 {
namespace {

using http::Method;
using http::ParseStatus;

ParseStatus parse(const std::string& text, ParsedResponseHead& head, const Limits& limits = {}) {
    return parse_response_head(text, 0, limits, head);
}

ParseStatus status_of(const std::string& text) {
    ParsedResponseHead head;
    return parse(text, head);
}

TEST(ParsedResponseHead, ReadsStatusFieldsAndFraming) {
    std::string text =
        "HTTP/1.1 200 All fine\r\nContent-Length: 5\r\nX-A:  b \r\nContent-Encoding: br\r\n\r\n";
    ParsedResponseHead head;
    ASSERT_EQ(parse(text, head), ParseStatus::kDone);
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.reason.in(text.data()), "All fine");
    EXPECT_EQ(head.fields.size(), 3u);
    EXPECT_EQ(head.fields[1].value.in(text.data()), "b");
    EXPECT_EQ(head.content_coding(text.data()), "br");
    EXPECT_EQ(head.content_length, 5u);
    EXPECT_TRUE(head.keep_alive);
    EXPECT_EQ(head.head_bytes, text.size());
    EXPECT_EQ(body_end_of(head, Method::kGet), BodyEnd::kCounted);
    EXPECT_EQ(body_end_of(head, Method::kHead), BodyEnd::kNone);
}

TEST(ParsedResponseHead, EveryCutWantsMore) {
    std::string text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    ParsedResponseHead head;
    size_t scanned = 0;
    for (size_t i = 0; i < text.size(); i++) {
        ASSERT_EQ(parse_response_head({text.data(), i}, scanned, {}, head), ParseStatus::kNeedMore);
        scanned = i;
    }
    ASSERT_EQ(parse_response_head(text, scanned, {}, head), ParseStatus::kDone);
    EXPECT_TRUE(head.chunked);
    EXPECT_FALSE(head.keep_alive);
}

TEST(ParsedResponseHead, RefusesWhatIsNoResponse) {
    for (const char* text : {
             "garbage\r\n\r\n",
             "HTTP/1.1 20 OK\r\n\r\n",
             "HTTP/1.1 2000 OK\r\n\r\n",
             "HTTP/1.1 099 OK\r\n\r\n",
             "HTTP/2.0 200 OK\r\n\r\n",
             "HTTP/1.1  200 OK\r\n\r\n",
             "HTTP/1.1 200 OK\nA: b\n\n",
             "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
             "HTTP/1.1 200 OK\r\n: empty\r\n\r\n",
             "HTTP/1.1 200 OK\r\nA b: c\r\n\r\n",
             "HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n",
             "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n",
             "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
             "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
             "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
             "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
             "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
             "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
             "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
         }) {
        EXPECT_EQ(status_of(text), ParseStatus::kBad) << text;
    }
    EXPECT_EQ(status_of(std::string("HTTP/1.1 200 O\0K\r\n\r\n", 20)), ParseStatus::kBad);
}

TEST(ParsedResponseHead, IsLenientWhereServersAre) {
    for (const char* text : {
             "HTTP/1.1 200\r\n\r\n",
             "HTTP/1.1 200 \r\n\r\n",
             "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n",
             "HTTP/1.1 200 OK\r\nEmpty:\r\n\r\n",
             "HTTP/1.1 200 OK\r\nBytes: \xe4\xf6\xfc\r\n\r\n",
         }) {
        EXPECT_EQ(status_of(text), ParseStatus::kDone) << text;
    }
}

TEST(ParsedResponseHead, BothFramingsEndTheConnection) {
    ParsedResponseHead head;
    ASSERT_EQ(
        parse("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", head),
        ParseStatus::kDone);
    EXPECT_EQ(body_end_of(head, Method::kGet), BodyEnd::kChunked);
    EXPECT_FALSE(head.keep_alive);
}

TEST(ParsedResponseHead, LimitsSizeAndCount) {
    ParsedResponseHead head;
    Limits limits;
    limits.head_bytes = 100;
    EXPECT_EQ(parse("HTTP/1.1 200 OK\r\nA: " + std::string(200, 'x'), head, limits),
              ParseStatus::kBad);
    std::string many = "HTTP/1.1 200 OK\r\n";
    for (int i = 0; i < 201; i++) {
        many += "A: b\r\n";
    }
    EXPECT_EQ(parse(many, head), ParseStatus::kBad);
}

std::string read_body(ResponseBody& body, const std::string& text, ParseStatus& status) {
    std::string out;
    status = ParseStatus::kNeedMore;
    for (size_t i = 0; i < text.size() && status == ParseStatus::kNeedMore; i++) {
        status = body.feed({text.data() + i, 1},
                           [&](std::string_view piece) {
                               out.append(piece);
                               return true;
                           })
                     .status;
    }
    return out;
}

TEST(ResponseBody, EndsAsItsFramingSays) {
    ResponseBody body;
    ParseStatus status;
    body.begin(BodyEnd::kCounted, 3, {});
    EXPECT_EQ(read_body(body, "abcdef", status), "abc");
    EXPECT_EQ(status, ParseStatus::kDone);
    body.begin(BodyEnd::kChunked, 0, {});
    EXPECT_EQ(read_body(body, "3\r\nabc\r\n0\r\n\r\nx", status), "abc");
    EXPECT_EQ(status, ParseStatus::kDone);
    body.begin(BodyEnd::kChunked, 0, {});
    EXPECT_EQ(read_body(body, "3\r\nabcX", status), "abc");
    EXPECT_EQ(status, ParseStatus::kBad);
    body.begin(BodyEnd::kClose, 0, {});
    EXPECT_EQ(read_body(body, "abc", status), "abc");
    EXPECT_EQ(status, ParseStatus::kNeedMore);
    EXPECT_TRUE(body.ends_with_close());
}

TEST(ResponseBody, HandsOnTheFieldsBehindTheChunks) {
    const std::string text = "3\r\nabc\r\n0\r\nA: b\r\nC:d\r\n\r\nHTTP/1.1";
    for (size_t step : {size_t{1}, size_t{5}, text.size()}) {
        ResponseBody body;
        body.begin(BodyEnd::kChunked, 0, {});
        std::string trailer;
        ParseStatus status = ParseStatus::kNeedMore;
        for (size_t i = 0; status == ParseStatus::kNeedMore;) {
            auto result = body.feed(std::string_view(text).substr(i, step),
                                    [](std::string_view) { return true; });
            trailer += result.trailer;
            i += result.consumed;
            status = result.status;
        }
        EXPECT_EQ(status, ParseStatus::kDone);
        EXPECT_EQ(trailer, "A: b\r\nC:d\r\n\r");
        auto again = body.feed("x", [](std::string_view) { return true; });
        EXPECT_EQ(again.consumed, 0u);
        EXPECT_EQ(again.trailer, "");
    }
}

}  // namespace
}  // namespace stampede::proto::http1
