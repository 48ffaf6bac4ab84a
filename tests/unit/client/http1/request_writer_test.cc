#include "client/http1/request_writer.h"

#include <gtest/gtest.h>

#include <string>

#include "client/cookies.h"
#include "client/http1/multipart_writer.h"
#include "client/http1/websocket_upgrade.h"
#include "proto/ws/handshake.h"

namespace stampede::client::http1 {
namespace {

const Origin kOrigin{"example.org", 80, Scheme::kHttp};

TEST(RequestWriter, AddsWhatTheApplicationDidNotGive) {
    Buffer out;
    RequestWriter request(out, kOrigin);
    EXPECT_EQ(request.line("GET", "/a b", Target::kPath), Written::kFine);
    request.host();
    request.connection(Connection::kKeep);
    request.accept_encoding();
    request.end_without_body();
    EXPECT_EQ(out.view(),
              "GET /a%20b HTTP/1.1\r\nHost: example.org\r\nConnection: keep-alive\r\n"
              "Accept-Encoding: gzip, deflate, br, zstd\r\n\r\n");
}

TEST(RequestWriter, LeavesOutWhatTheApplicationGave) {
    Buffer out;
    RequestWriter request(out, kOrigin);
    request.line("POST", "x", Target::kPath);
    EXPECT_EQ(request.field("hOST", "other"), Written::kFine);
    EXPECT_EQ(request.field("Connection", "close"), Written::kFine);
    EXPECT_EQ(request.field("accept-encoding", "br"), Written::kFine);
    EXPECT_EQ(request.field("Content-Type", "a/b"), Written::kFine);
    request.host();
    request.connection(Connection::kKeep);
    request.accept_encoding();
    request.form_type();
    request.end(3);
    EXPECT_EQ(out.view(),
              "POST /x HTTP/1.1\r\nhOST: other\r\nConnection: close\r\naccept-encoding: br\r\n"
              "Content-Type: a/b\r\nContent-Length: 3\r\n\r\n");
}

TEST(RequestWriter, FramingIsNotTheApplications) {
    Buffer out;
    RequestWriter request(out, kOrigin);
    request.make_multipart();
    request.field("content-length", "99");
    request.field("Transfer-Encoding", "chunked");
    request.field("Content-Type", "text/plain");
    EXPECT_TRUE(out.empty());
}

TEST(RequestWriter, NothingGetsIntoTheHeadThatIsNoPartOfIt) {
    Buffer out;
    RequestWriter request(out, kOrigin);
    EXPECT_EQ(request.line("GET /x", "/", Target::kPath), Written::kBadMethod);
    EXPECT_EQ(request.line("GET", "/x\r\nA: b", Target::kPath), Written::kBadPath);
    EXPECT_EQ(request.field("A", "b\r\nC: d"), Written::kBadField);
    EXPECT_EQ(request.field("A b", "c"), Written::kBadField);
}

TEST(RequestWriter, AProxyIsAskedForTheWholeAddress) {
    Buffer out;
    RequestWriter request(out, kOrigin);
    request.line("GET", "/", Target::kAbsolute);
    request.proxy_authorization("user", "pass");
    EXPECT_EQ(out.view(),
              "GET http://example.org:80/ HTTP/1.1\r\n"
              "Proxy-Authorization: Basic dXNlcjpwYXNz\r\n");
}

TEST(RequestWriter, AnIpv6AddressStandsInBracketsForAProxyToo) {
    for (const char* host : {"::1", "[::1]"}) {
        Buffer out;
        RequestWriter request(out, {.host = host, .port = 8080});
        request.line("GET", "/a", Target::kAbsolute);
        EXPECT_EQ(out.view(), "GET http://[::1]:8080/a HTTP/1.1\r\n");
    }
}

TEST(RequestWriter, CookiesAreOneField) {
    Buffer out;
    RequestWriter request(out, kOrigin);
    request.end_cookies();
    EXPECT_TRUE(out.empty());
    request.cookie("a", "1 2");
    request.cookie("b", "~");
    request.end_cookies();
    EXPECT_EQ(out.view(), "Cookie: a=1%202; b=~\r\n");
}

TEST(RequestWriter, MethodsWithABodySayThatThereIsNone) {
    for (const auto& [method, length] :
         {std::pair("POST", "Content-Length: 0\r\n\r\n"),
          std::pair("PUT", "Content-Length: 0\r\n\r\n"), std::pair("DELETE", "\r\n")}) {
        Buffer out;
        RequestWriter request(out, kOrigin);
        request.line(method, "/", Target::kPath);
        out.clear();
        request.end_without_body();
        EXPECT_EQ(out.view(), length) << method;
    }
}

TEST(RequestWriter, OnlyHarmlessMethodsAreRepeatable) {
    EXPECT_TRUE(is_repeatable(proto::http::Method::kGet));
    EXPECT_TRUE(is_repeatable(proto::http::Method::kPut));
    EXPECT_FALSE(is_repeatable(proto::http::Method::kPost));
    EXPECT_FALSE(is_repeatable(proto::http::Method::kPatch));
    EXPECT_FALSE(is_repeatable(proto::http::Method::kOther));
    EXPECT_FALSE(is_repeatable(proto::http::Method::kConnect));
}

TEST(Origin, AuthoritiesOmitTheUsualPort) {
    EXPECT_EQ(authority_of({"a", 80, Scheme::kHttp}), "a");
    EXPECT_EQ(authority_of({"a", 443, Scheme::kHttps}), "a");
    EXPECT_EQ(authority_of({"a", 80, Scheme::kHttps}), "a:80");
    EXPECT_EQ(authority_of({"::1", 8080, Scheme::kHttp}), "[::1]:8080");
    EXPECT_EQ(authority_of({"[::1]", 80, Scheme::kHttp}), "[::1]");
    EXPECT_EQ(authority_of({"unix:/run/x", 80, Scheme::kHttp}), "localhost");
}

TEST(SetCookie, NameValueAndRemoval) {
    SetCookie cookie;
    ASSERT_TRUE(read_set_cookie("a=b=c; Path=/; Max-Age=10", cookie));
    EXPECT_EQ(cookie.name, "a");
    EXPECT_EQ(cookie.value, "b=c");
    EXPECT_FALSE(cookie.removes);
    ASSERT_TRUE(read_set_cookie("a=; path=/;  max-age=0", cookie));
    EXPECT_TRUE(cookie.removes);
    ASSERT_TRUE(read_set_cookie("a=; Max-Age=-1", cookie));
    EXPECT_TRUE(cookie.removes);
    EXPECT_FALSE(read_set_cookie("=b", cookie));
    EXPECT_FALSE(read_set_cookie("a; b=c", cookie));
}

TEST(MultipartWriter, PartsAndQuotedNames) {
    Buffer out;
    MultipartWriter form(out, {0x00, 0x11, 0x22, 0x33, 0xaa, 0xbb, 0xcc, 0xff});
    EXPECT_EQ(form.boundary(), "----------------------stampede00112233aabbccff");
    std::string delimiter = "--" + std::string(form.boundary());
    form.field("a\"b", "1");
    form.begin_file({"f", "x\r\ny", "text/plain"});
    out.append("content");
    form.end_file();
    form.end();
    EXPECT_EQ(out.view(), delimiter +
                              "\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\n1\r\n" +
                              delimiter +
                              "\r\nContent-Disposition: form-data; name=\"f\"; "
                              "filename=\"x%0D%0Ay\"\r\nContent-Type: text/plain\r\n\r\ncontent"
                              "\r\n" +
                              delimiter + "--\r\n");
}

constexpr std::string_view kKey = "dGhlIHNhbXBsZSBub25jZQ==";  // RFC 6455 1.3
constexpr std::string_view kProof = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n";

Agreed judge(std::string_view status, std::string_view fields, const Offer& offer = {kKey, true}) {
    std::string text = "HTTP/1.1 " + std::string(status) +
                       "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + std::string(fields) +
                       "\r\n";
    proto::http1::ParsedResponseHead head;
    EXPECT_EQ(parse_response_head(text, 0, {}, head), proto::http::ParseStatus::kDone);
    proto::ws::DeflateTerms terms;
    return judge_upgrade(head, text.data(), offer, terms);
}

TEST(WebSocketUpgrade, TheRequestAsksForIt) {
    Buffer out;
    RequestWriter request(out, kOrigin);
    request.upgrade(kKey, {});
    EXPECT_EQ(out.view(),
              "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
    out.clear();
    request.upgrade(kKey, "x");
    EXPECT_TRUE(out.view().ends_with("Sec-WebSocket-Extensions: x\r\n"));
}

TEST(WebSocketUpgrade, TheResponseIsJudged) {
    std::string proof(kProof);
    EXPECT_EQ(judge("101 X", proof), Agreed::kPlain);
    EXPECT_EQ(judge("200 OK", proof), Agreed::kNothing);
    EXPECT_EQ(judge("101 X", ""), Agreed::kBadHandshake);
    EXPECT_EQ(judge("101 X", "Sec-WebSocket-Accept: x\r\n"), Agreed::kBadHandshake);
    EXPECT_EQ(judge("101 X", proof + proof), Agreed::kBadHandshake);
    std::string deflate = "Sec-WebSocket-Extensions: permessage-deflate\r\n";
    EXPECT_EQ(judge("101 X", proof + deflate), Agreed::kDeflate);
    EXPECT_EQ(judge("101 X", proof + deflate, {kKey, false}), Agreed::kBadExtension);
    EXPECT_EQ(judge("101 X", proof + deflate + deflate), Agreed::kBadExtension);
    EXPECT_EQ(judge("101 X", proof + "Sec-WebSocket-Extensions: other\r\n"), Agreed::kBadExtension);
}

}  // namespace
}  // namespace stampede::client::http1
