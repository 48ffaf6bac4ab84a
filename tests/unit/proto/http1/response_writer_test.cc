#include "proto/http1/response_writer.h"

#include <gtest/gtest.h>

#include <string>

#include "proto/http/message.h"

namespace stampede::proto::http1 {
namespace {

std::string status_line(int status) {
    Buffer out;
    append_status_line(out, status);
    return std::string(out.view());
}

TEST(ResponseHead, StatusLines) {
    EXPECT_EQ(status_line(200), "HTTP/1.1 200 OK\r\n");
    EXPECT_EQ(status_line(418), "HTTP/1.1 418 I'm a teapot\r\n");
    EXPECT_EQ(status_line(299), "HTTP/1.1 299 \r\n");
    for (int status = 100; status < 1000; status++) {
        EXPECT_EQ(status_line(status), "HTTP/1.1 " + std::to_string(status) + " " +
                                           http::reason_phrase(status) + "\r\n");
    }
}

TEST(ResponseHead, AReasonOfTheCallersOwn) {
    Buffer out;
    append_status_line(out, 200, "Fine");
    append_status_line(out, 404, "Not\r\nSet-Cookie: x");
    EXPECT_EQ(out.view(), "HTTP/1.1 200 Fine\r\nHTTP/1.1 404 Not Found\r\n");
}

TEST(ResponseHead, ValidatesNamesAndValues) {
    EXPECT_TRUE(http::valid_field_name("X-Y_z.1"));
    for (std::string_view bad :
         {std::string_view(""), std::string_view("a b"), std::string_view("a:"),
          std::string_view("a\r"), std::string_view("a\0b", 3), std::string_view("\xe9")}) {
        EXPECT_FALSE(http::valid_field_name(bad)) << bad;
    }
    EXPECT_TRUE(http::valid_field_value(""));
    EXPECT_TRUE(http::valid_field_value("a\tb caf\xe9"));
    for (std::string_view bad :
         {std::string_view("a\rb"), std::string_view("a\nb"), std::string_view("a\0b", 3),
          std::string_view("\r\nX: y"), std::string_view("\x7f"), std::string_view("\x1b[0m")}) {
        EXPECT_FALSE(http::valid_field_value(bad));
    }
}

TEST(ResponseHead, FieldsAndNumbers) {
    Buffer out;
    append_field(out, "A", "b");
    append_field(out, "Empty", "");
    append_content_length(out, 0);
    append_content_length(out, UINT64_MAX);
    append_end_of_head(out);
    EXPECT_EQ(
        out.view(),
        "A: b\r\nEmpty: \r\nContent-Length: 0\r\nContent-Length: 18446744073709551615\r\n\r\n");
}

TEST(ResponseHead, Chunks) {
    Buffer out;
    append_chunk_prefix(out, 1);
    append_chunk_prefix(out, 0x1a2b);
    append_chunk_prefix(out, UINT64_MAX);
    EXPECT_EQ(out.view(), "1\r\n1a2b\r\nffffffffffffffff\r\n");
}

TEST(ResponseHead, CannedErrorsAreWholeResponses) {
    for (int status : {400, 403, 404, 405, 408, 411, 413, 414, 417, 421,
                       426, 429, 431, 500, 501, 502, 503, 504, 505, 507}) {
        std::string response(canned_error(status));
        EXPECT_TRUE(response.starts_with(status_line(status))) << response;
        EXPECT_NE(response.find("\r\nConnection: close\r\n"), std::string::npos) << response;
        size_t body = response.find("\r\n\r\n") + 4;
        std::string length = "Content-Length: " + std::to_string(response.size() - body) + "\r\n";
        EXPECT_NE(response.find(length), std::string::npos) << response;
    }
    EXPECT_EQ(canned_error(999), canned_error(500));
    EXPECT_NE(canned_error(405).find("\r\nAllow: "), std::string_view::npos);
    EXPECT_NE(canned_error(426).find("\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"),
              std::string_view::npos);
}

TEST(ResponseHead, ErrorsWithADate) {
    Buffer out;
    append_error(out, 400, "Sun, 06 Nov 1994 08:49:37 GMT", ErrorBody::kSend);
    EXPECT_EQ(out.view(),
              "HTTP/1.1 400 Bad Request\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: "
              "text/plain\r\n"
              "Content-Length: 16\r\nConnection: close\r\n\r\n400 Bad Request\n");
    Buffer head;
    append_error(head, 400, "Sun, 06 Nov 1994 08:49:37 GMT", ErrorBody::kOmit);
    EXPECT_TRUE(head.view().ends_with("Connection: close\r\n\r\n"));
}

TEST(ResponseHead, StatusesWithoutABody) {
    for (int status : {100, 101, 103, 204, 304}) {
        EXPECT_FALSE(http::status_has_body(status));
        EXPECT_FALSE(http::status_has_length(status));
    }
    for (int status : {200, 206, 301, 404, 500}) {
        EXPECT_TRUE(http::status_has_body(status));
        EXPECT_TRUE(http::status_has_length(status));
    }
    EXPECT_FALSE(http::status_has_body(205));
    EXPECT_TRUE(http::status_has_length(205));
}

}  // namespace
}  // namespace stampede::proto::http1
