#include "proto/http/message.h"

#include <gtest/gtest.h>

#include <string>

namespace stampede::proto::http {
namespace {

std::string date(time_t when) {
    char text[kDateLength];
    format_date(when, text);
    return std::string(text, kDateLength);
}

TEST(Date, Examples) {
    EXPECT_EQ(date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
    EXPECT_EQ(date(951782400), "Tue, 29 Feb 2000 00:00:00 GMT");
    EXPECT_EQ(date(4107542400), "Mon, 01 Mar 2100 00:00:00 GMT");
    EXPECT_EQ(date(253402300799), "Fri, 31 Dec 9999 23:59:59 GMT");
    EXPECT_EQ(date(-5), date(0));
}

TEST(Date, AgreesWithTheLibraryEveryDay) {
    for (time_t when = 12345; when < 5000000000; when += 86400 - 7) {
        tm parts;
        gmtime_r(&when, &parts);
        char expected[64];
        strftime(expected, sizeof(expected), "%a, %d %b %Y %H:%M:%S GMT", &parts);
        ASSERT_EQ(date(when), expected);
        time_t back = 0;
        ASSERT_TRUE(parse_date(expected, back));
        ASSERT_EQ(back, when);
    }
}

TEST(Date, GarbageIsNoDate) {
    time_t when = 77;
    for (const char* text : {"", "Sun, 06 Nov 1994 08:49:37", "Mon, 06 Nov 1994 08:49:37 GMT",
                             "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
                             "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
                             "Sun, 06 Nov 1894 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
                             "Sunday, 06-Nov-94 08:49:37 GM"}) {
        EXPECT_FALSE(parse_date(text, when)) << text;
    }
    EXPECT_EQ(when, 77);
}

TEST(Method, NamesAreCaseSensitive) {
    for (int i = 0; i < static_cast<int>(Method::kOther); i++) {
        auto method = static_cast<Method>(i);
        EXPECT_EQ(method_from_name(method_name(method)), method);
    }
    EXPECT_EQ(method_from_name("get"), Method::kOther);
    EXPECT_EQ(method_from_name(""), Method::kOther);
    EXPECT_EQ(method_name(Method::kOther), "");
}

TEST(Text, Lists) {
    for (const char* list : {"websocket", "WebSocket, x", "x ,\twebsocket", ",,x,websocket,"}) {
        EXPECT_TRUE(lists(list, "websocket")) << list;
    }
    for (const char* list : {"", ",", "websocket x", "websockets", "x, web, socket"}) {
        EXPECT_FALSE(lists(list, "websocket")) << list;
    }
}

TEST(Reason, KnownAndUnknown) {
    EXPECT_STREQ(reason_phrase(200), "OK");
    EXPECT_STREQ(reason_phrase(431), "Request Header Fields Too Large");
    for (int status : {0, -1, 99, 299, 600, 999, 100000}) {
        EXPECT_STREQ(reason_phrase(status), "");
    }
}

TEST(Text, Comparison) {
    EXPECT_TRUE(equals_ignoring_case("Chunked", "cHUNKED"));
    EXPECT_FALSE(equals_ignoring_case("chunked", "chunke"));
    EXPECT_FALSE(equals_ignoring_case("@", "`"));
    EXPECT_FALSE(equals_ignoring_case("[", "{"));
}

}  // namespace
}  // namespace stampede::proto::http
