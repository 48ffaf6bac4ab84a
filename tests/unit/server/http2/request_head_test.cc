#include "server/http2/request_head.h"

#include <gtest/gtest.h>

#include <string>

#include "server/settings.h"

namespace stampede::server {
namespace {

using Protocol = Http2RequestHead::Protocol;
using Size = Http2RequestHead::Size;

struct Received {
    proto::http::RequestHead head;
    HeadText text;
    Http2RequestHead request;
    proto::http::Limits limits;

    Received() { head.reset(); }

    Received& add(std::string_view name, std::string_view value) {
        request.add({head, text}, name, value);
        return *this;
    }
    Received& target(std::string_view method, std::string_view path) {
        return add(":method", method).add(":scheme", "http").add(":path", path);
    }
    int judge() { return request.judge({head, text}, limits); }
    std::string_view of(proto::http::Slice slice) const { return slice.in(text.bytes()); }
};

TEST(Http2RequestHead, KeepsAHeadAsHttp1HasIt) {
    Received got;
    got.target("POST", "/a?b=c").add(":authority", "example.com").add("content-length", "12");
    EXPECT_EQ(got.judge(), 0);
    EXPECT_EQ(got.head.method, proto::http::Method::kPost);
    EXPECT_EQ(got.of(got.head.target), "/a?b=c");
    EXPECT_EQ(got.of(got.head.query), "b=c");
    EXPECT_EQ(got.of(got.head.host), "example.com");
    EXPECT_EQ(got.head.content_length, 12u);
    ASSERT_EQ(got.head.field_count, 2u);
    EXPECT_EQ(got.of(got.head.fields[1].name), "host");
    EXPECT_FALSE(got.request.malformed());
}

TEST(Http2RequestHead, ALengthThatDoesNotFitIsLargerThanEveryLimit) {
    Received got;
    got.target("POST", "/").add("content-length", "99999999999999999999999");
    EXPECT_EQ(got.head.content_length, UINT64_MAX);
}

TEST(Http2RequestHead, JudgesWhatTheLibraryLetsThrough) {
    Received agrees;
    agrees.target("GET", "/").add(":authority", "a.example").add("host", "A.example");
    EXPECT_EQ(agrees.judge(), 0);
    EXPECT_EQ(agrees.head.field_count, 1u);
    Received differs;
    differs.target("GET", "/").add(":authority", "a.example").add("host", "b.example");
    EXPECT_EQ(differs.judge(), 400);
    EXPECT_EQ(Received().target("GET", "/").add("host", "a b").judge(), 400);
    EXPECT_EQ(Received().target("GET", "a").judge(), 400);
    EXPECT_EQ(Received().target("OPTIONS", "*").judge(), 0);
    EXPECT_EQ(Received().target("get", "/").judge(), 501);
    EXPECT_EQ(Received().target("TRACE", "/").judge(), 501);
    EXPECT_EQ(Received().target("CONNECT", "/").add(":protocol", "other").judge(), 501);
    Received long_one;
    long_one.limits.target_bytes = 3;
    EXPECT_EQ(long_one.target("GET", "/abc").judge(), 414);
    Received user;
    user.target("GET", "/").add(":authority", "me@example.com");
    EXPECT_TRUE(user.request.malformed());
}

TEST(Http2RequestHead, FieldsThatWouldStandForOthersAreMarked) {
    Received got;
    got.add("x_forwarded-for", "1").add("proxy", "http://evil").add("x-plain", "2");
    EXPECT_EQ(got.head.fields[0].marks, proto::http::kFieldDrop);
    EXPECT_EQ(got.head.fields[1].marks, proto::http::kFieldDrop);
    EXPECT_EQ(got.head.fields[2].marks, proto::http::kFieldPlain);
}

TEST(Http2RequestHead, AWebSocketLooksLikeAnUpgrade) {
    Received got;
    got.target("CONNECT", "/chat").add(":protocol", "websocket");
    EXPECT_EQ(got.request.protocol(), Protocol::kWebSocket);
    got.request.present_as_upgrade({got.head, got.text});
    EXPECT_EQ(got.judge(), 0);
    EXPECT_EQ(got.head.method, proto::http::Method::kGet);
    EXPECT_TRUE(got.head.upgrade);
    EXPECT_NE(got.head.find(proto::http::KnownField::kSecWebSocketKey), nullptr);

    Received keyed;
    keyed.target("CONNECT", "/chat").add(":protocol", "websocket").add("sec-websocket-key", "own");
    keyed.request.present_as_upgrade({keyed.head, keyed.text});
    const auto* key = keyed.head.find(proto::http::KnownField::kSecWebSocketKey);
    ASSERT_NE(key, nullptr);
    EXPECT_EQ(keyed.of(key->value), "own");
    EXPECT_EQ(keyed.head.field_count, 3u);  // and upgrade, connection
}

TEST(Http2RequestHead, CountsItsSizeAndItsFields) {
    Http2Settings limits;
    limits.max_header_list_size = 100;
    limits.max_header_fields = 3;
    std::string half(50 - 32 - 1, 'v');
    Http2RequestHead large;
    EXPECT_EQ(large.count("a", half, limits), Size::kFits);
    EXPECT_EQ(large.count("a", half, limits), Size::kFits);
    EXPECT_EQ(large.count("a", "", limits), Size::kTooLarge);
    EXPECT_EQ(large.count("a", std::string(237, 'v'), limits), Size::kTooLarge);
    EXPECT_EQ(large.count("a", "", limits), Size::kFarTooLarge);

    limits.max_header_list_size = 1u << 20;
    Http2RequestHead many;
    for (int i = 0; i < 3; i++) {
        EXPECT_EQ(many.count("a", "", limits), Size::kFits);
    }
    for (int i = 4; i < 16; i++) {
        EXPECT_EQ(many.count("a", "", limits), Size::kTooLarge) << i;
    }
    EXPECT_EQ(many.count("a", "", limits), Size::kFarTooLarge);
    // Pieces of cookies are counted by themselves, five for a field.
    for (int i = 0; i < 15; i++) {
        EXPECT_EQ(many.count("cookie", "a=b", limits), Size::kFits);
    }
    EXPECT_EQ(many.count("cookie", "a=b", limits), Size::kTooLarge);
}

}  // namespace
}  // namespace stampede::server
