#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "fixtures/http1/event_log.h"
#include "unit/proto/guarded.h"

namespace stampede::test {
namespace {

using http::KnownField;
using http::ParseStatus;
using http::RequestHead;
using http1::ParseResult;

ParseResult parse(const std::string& bytes, RequestHead& head, const http::Limits& limits = {}) {
    std::string padded = bytes + std::string(http1::kPadding, '\r');
    return http1::parse_request_head(padded.data(), bytes.size(), 0, limits, head);
}

std::string minimal(const std::string& fields) {
    return "GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
}

TEST(RequestHead, SaysWhatWasConsumedAndWhereThingsAre) {
    std::string bytes = "\r\nPOST /a?b HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET";
    RequestHead head;
    ParseResult result = parse(bytes, head);
    ASSERT_EQ(result.status, ParseStatus::kDone);
    EXPECT_EQ(result.consumed, bytes.find("abc"));
    EXPECT_EQ(head.head_bytes, result.consumed);
    EXPECT_EQ(head.method, http::Method::kPost);
    EXPECT_EQ(head.path.in(bytes.data()), "/a");
    EXPECT_EQ(head.query.in(bytes.data()), "b");
    EXPECT_EQ(head.host.in(bytes.data()), "h");
    EXPECT_EQ(head.content_length, 3u);
    ASSERT_NE(head.find(KnownField::kContentLength), nullptr);
    EXPECT_EQ(head.find(KnownField::kContentLength)->value.in(bytes.data()), "3");
    EXPECT_EQ(head.find("CONTENT-length", bytes.data()), head.find(KnownField::kContentLength));
    EXPECT_EQ(head.find("x-none", bytes.data()), nullptr);
    EXPECT_EQ(head.find(KnownField::kCookie), nullptr);
}

TEST(RequestHead, SeveralLinesAreOneList) {
    std::string bytes = minimal(
        "If-None-Match: \"a\"\r\nX-List: 1\r\nCookie: x\r\nif-none-match: \"b\", \"c\"\r\n"
        "x-list:\r\nIF-NONE-MATCH: \"d\"\r\nX-Liss: no\r\nX-LIST: 3\r\n");
    RequestHead head;
    ASSERT_EQ(parse(bytes, head).status, ParseStatus::kDone);
    std::string room;
    EXPECT_EQ(head.list("if-none-match", bytes.data(), room), "\"a\", \"b\", \"c\", \"d\"");
    EXPECT_EQ(head.list("x-list", bytes.data(), room), "1, , 3");
    EXPECT_EQ(head.list("if-match", bytes.data(), room).data(), nullptr);
    // One line stays where it is.
    std::string_view cookie = head.list("cookie", bytes.data(), room);
    EXPECT_EQ(cookie.data(), head.find(KnownField::kCookie)->value.in(bytes.data()).data());
    EXPECT_EQ(cookie, "x");
    EXPECT_EQ(head.find_next(*head.find(KnownField::kCookie), bytes.data()), nullptr);
}

TEST(RequestHead, CanBeUsedAgain) {
    RequestHead head;
    parse("POST http://b/ HTTP/1.0\r\nContent-Length: 7\r\nConnection: keep-alive\r\n\r\n", head);
    std::string bytes = minimal("");
    ASSERT_EQ(parse(bytes, head).status, ParseStatus::kDone);
    EXPECT_FALSE(head.has_content_length);
    EXPECT_EQ(head.content_length, 0u);
    EXPECT_TRUE(head.authority.empty());
    EXPECT_EQ(head.minor_version, 1);
    EXPECT_EQ(head.field_count, 1u);
    EXPECT_EQ(head.method, http::Method::kGet);
}

TEST(RequestHead, GrowsBeyondItsInlineFields) {
    std::string fields;
    for (int i = 0; i < 150; i++) {
        fields += "X-" + std::to_string(i) + ": " + std::to_string(i * i) + "\r\n";
    }
    std::string bytes = minimal(fields);
    RequestHead head;
    ASSERT_EQ(parse(bytes, head).status, ParseStatus::kDone);
    ASSERT_EQ(head.field_count, 151u);
    for (int i = 0; i < 150; i++) {
        EXPECT_EQ(head.fields[i + 1].value.in(bytes.data()), std::to_string(i * i));
    }
}

TEST(RequestHead, KnowsEveryListedFieldInAnyCase) {
    std::string names[] = {"Accept",
                           "accept-encoding",
                           "ACCEPT-LANGUAGE",
                           "Authorization",
                           "Cache-Control",
                           "Content-Encoding",
                           "Content-Type",
                           "Cookie",
                           "If-Modified-Since",
                           "If-None-Match",
                           "If-Range",
                           "Keep-Alive",
                           "Origin",
                           "Range",
                           "Referer",
                           "Sec-WebSocket-Extensions",
                           "Sec-WebSocket-Key",
                           "Sec-WebSocket-Protocol",
                           "Sec-WebSocket-Version",
                           "TE",
                           "Trailer",
                           "User-Agent",
                           "X-Forwarded-For",
                           "X-Real-IP"};
    std::vector<KnownField> seen;
    for (const std::string& name : names) {
        KnownField id = http::identify_field(name);
        EXPECT_NE(id, KnownField::kOther) << name;
        EXPECT_EQ(std::count(seen.begin(), seen.end(), id), 0) << name;
        seen.push_back(id);
        for (size_t i = 0; i < name.size(); i++) {
            std::string other = name;
            other[i] = other[i] == 'q' ? 'w' : 'q';
            EXPECT_EQ(http::identify_field(other), KnownField::kOther) << other;
        }
        EXPECT_EQ(http::identify_field(name + "s"), KnownField::kOther);
        EXPECT_EQ(http::identify_field(name.substr(1)), KnownField::kOther);
    }
    EXPECT_EQ(http::identify_field(std::string(25, 'a')), KnownField::kOther);
}

// Every length of every part, so that a part ends at each place of a block.
TEST(RequestHead, PartsOfEveryLength) {
    for (const http1::ParserTable* parser : runnable_parsers()) {
        for (size_t length = 1; length < 200; length++) {
            std::string part(length, 'p');
            std::string bytes = "GET /" + part + "?" + part + " HTTP/1.1\r\nHost: h\r\nX" + part +
                                ": " + part + "\r\nY:" + part + "\r\n\r\n";
            Guarded guarded(bytes);
            RequestHead head;
            ParseResult result = parser->exact(guarded.data(), guarded.size(), 0, {}, head);
            ASSERT_EQ(result.status, ParseStatus::kDone) << parser->name << " " << length;
            ASSERT_EQ(head.path.in(guarded.data()), "/" + part);
            ASSERT_EQ(head.query.in(guarded.data()), part);
            ASSERT_EQ(head.field_count, 3u);
            ASSERT_EQ(head.fields[1].name.in(guarded.data()), "X" + part);
            ASSERT_EQ(head.fields[1].value.in(guarded.data()), part);
            ASSERT_EQ(head.fields[2].value.in(guarded.data()), part);
        }
    }
}

// Every byte at every place of a value, a name and a target, for each scanner.
TEST(RequestHead, EveryByteInEveryPlace) {
    for (const http1::ParserTable* parser : runnable_parsers()) {
        for (int byte = 0; byte < 256; byte++) {
            bool control = (byte < 0x20 && byte != '\t') || byte == 0x7f;
            for (size_t place = 0; place < 70; place += 3) {
                std::string text(70, 'a');
                text[place] = static_cast<char>(byte);
                RequestHead head;
                auto status_of = [&](const std::string& bytes) {
                    std::string padded = bytes + std::string(http1::kPadding, 'x');
                    return parser->padded(padded.data(), bytes.size(), 0, {}, head).status;
                };
                EXPECT_EQ(status_of(minimal("X: " + text + "\r\n")),
                          control ? ParseStatus::kBad : ParseStatus::kDone)
                    << parser->name << " value, byte " << byte << " at " << place;
                bool token = http::is_token_char(static_cast<char>(byte));
                if (byte != ':' || place == 0) {
                    EXPECT_EQ(status_of(minimal(text + ": x\r\n")),
                              token ? ParseStatus::kDone : ParseStatus::kBad)
                        << parser->name << " name, byte " << byte << " at " << place;
                }
                // A percent sign makes an escape of the two letters behind it.
                bool cut_escape = byte == '%' && place + 2 >= text.size();
                bool target =
                    byte > 0x20 && byte < 0x7f && byte != '#' && byte != '\\' && !cut_escape;
                EXPECT_EQ(status_of("GET /" + text + " HTTP/1.1\r\nHost: a\r\n\r\n"),
                          target ? ParseStatus::kDone : ParseStatus::kBad)
                    << parser->name << " target, byte " << byte << " at " << place;
            }
        }
    }
}

TEST(RequestHead, NeverReadsBehindUnpaddedInput) {
    std::string bytes =
        "\r\nGET http://b:80/path?q=%41 HTTP/1.1\r\nHost: [::1]:80\r\nTransfer-Encoding: "
        "chunked\r\nConnection: a, "
        "keep-alive\r\nExpect: 100-continue\r\nUpgrade: x\r\nX-Long: "
        "0123456789012345678901234567890123456789\r\n\r\n";
    for (const http1::ParserTable* parser : runnable_parsers()) {
        for (size_t size = 0; size <= bytes.size(); size++) {
            Guarded guarded(std::string_view(bytes).substr(0, size));
            RequestHead head;
            ParseResult result = parser->exact(guarded.data(), size, 0, {}, head);
            EXPECT_EQ(result.status,
                      size == bytes.size() ? ParseStatus::kDone : ParseStatus::kNeedMore)
                << size;
        }
    }
}

TEST(RequestHead, BytesInThePaddingDoNotMatter) {
    std::string bytes = minimal("X: y\r\n");
    for (size_t size = 0; size < bytes.size(); size++) {
        std::string data =
            bytes.substr(0, size) + bytes.substr(size) + std::string(http1::kPadding, '\n');
        RequestHead head;
        for (const http1::ParserTable* parser : runnable_parsers()) {
            EXPECT_EQ(parser->padded(data.data(), size, 0, {}, head).status, ParseStatus::kNeedMore)
                << size;
        }
    }
}

// A peer that sends a byte at a time must not make every byte cost a look at all bytes before it.
TEST(RequestHead, DrippedBytesCostLinearTime) {
    constexpr size_t kBytes = 60000;
    std::string bytes = "GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(kBytes, 'y');
    std::string padded = bytes + std::string(http1::kPadding, 'x');
    RequestHead head;
    http::Limits limits;
    // The slowest one, which shows it best.
    http1::ParseFunction parse = http1::portable_parser().padded;
    auto start = std::chrono::steady_clock::now();
    for (size_t size = 1; size <= bytes.size(); size++) {
        ASSERT_EQ(parse(padded.data(), size, size - 1, limits, head).status,
                  ParseStatus::kNeedMore);
    }
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    // Looking at everything again would be 1.8 GB byte by byte: more than a second.
    EXPECT_LT(took.count(), 0.3);
}

TEST(RequestHead, HostFields) {
    std::string bytes = "GET http://[::1]:8080/x HTTP/1.1\r\nHost: other\r\n\r\n";
    RequestHead head;
    ASSERT_EQ(parse(bytes, head).status, ParseStatus::kDone);
    EXPECT_EQ(head.host.in(bytes.data()), "[::1]:8080");
    EXPECT_TRUE(head.has_host);
    std::string old = "GET / HTTP/1.0\r\n\r\n";
    ASSERT_EQ(parse(old, head).status, ParseStatus::kDone);
    EXPECT_FALSE(head.has_host);
    EXPECT_TRUE(head.host.empty());
}

TEST(RequestHead, DropsWhatIsNotForTheApplication) {
    std::string bytes = minimal("X-Real-Ip: 1\r\nX_Real_Ip: 2\r\nX.Real.Ip: 3\r\nProxy: 4\r\n");
    RequestHead head;
    ASSERT_EQ(parse(bytes, head).status, ParseStatus::kDone);
    EXPECT_FALSE(head.fields[1].dropped());
    EXPECT_EQ(head.fields[1].id, KnownField::kXRealIp);
    EXPECT_TRUE(head.fields[2].dropped());
    EXPECT_TRUE(head.fields[3].dropped());
    EXPECT_TRUE(head.fields[4].dropped());
}

}  // namespace
}  // namespace stampede::test
