#include "proto/proxy/handshake.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace stampede::proto::proxy {
namespace {

struct Talk {
    std::vector<std::string> said;
    size_t left = 0;  // of the proxy's bytes
};

// The proxy's bytes come in pieces of one size; what the machine says is collected.
template <typename Machine>
Talk talk(Machine& machine, std::string bytes, size_t piece) {
    Talk talk;
    size_t at = 0;
    while (machine.state() == State::kSend || machine.state() == State::kReceive) {
        if (machine.state() == State::kSend) {
            talk.said.emplace_back(machine.to_send());
            machine.sent();
            continue;
        }
        if (at == bytes.size()) {
            break;
        }
        at += machine.feed(std::string_view(bytes).substr(at, piece));
    }
    talk.left = bytes.size() - at;
    return talk;
}

TEST(Socks5, GoesThroughWithoutLogin) {
    std::string response("\5\0\5\0\0\1\1\2\3\4\0\x50server", 18);
    for (size_t piece = 1; piece <= response.size(); piece++) {
        Socks5 machine({"example.com", 443}, {});
        Talk seen = talk(machine, response, piece);
        EXPECT_EQ(machine.state(), State::kDone);
        EXPECT_EQ(seen.left, 6u) << "the server's own bytes stay";
        ASSERT_EQ(seen.said.size(), 2u);
        EXPECT_EQ(seen.said[0], std::string("\5\1\0", 3));
        EXPECT_EQ(seen.said[1], std::string("\5\1\0\3\x0b"
                                            "example.com\1\xbb",
                                            18));
    }
}

TEST(Socks5, LogsInAndNamesAddressesByNumber) {
    std::string response("\5\2\1\0\5\0\0\3\4host\0\1", 15);
    for (size_t piece = 1; piece <= response.size(); piece++) {
        Socks5 machine({"::1", 80}, {"user", "secret"});
        Talk seen = talk(machine, response, piece);
        EXPECT_EQ(machine.state(), State::kDone);
        EXPECT_EQ(seen.left, 0u);
        ASSERT_EQ(seen.said.size(), 3u);
        EXPECT_EQ(seen.said[0], "\5\1\2");
        EXPECT_EQ(seen.said[1], "\1\4user\6secret");
        EXPECT_EQ(seen.said[2].substr(0, 4), std::string("\5\1\0\4", 4));
        EXPECT_EQ(seen.said[2].size(), 22u);
    }
}

Failure socks_failure(const std::string& response, const Credentials& credentials = {}) {
    Socks5 machine({"host", 1}, credentials);
    talk(machine, response, 1);
    EXPECT_EQ(machine.state(), State::kFailed);
    return machine.failure();
}

TEST(Socks5, SaysWhyItFails) {
    EXPECT_EQ(socks_failure("HTTP/1.1"), Failure::kNotThisProtocol);
    EXPECT_EQ(socks_failure("\5\xff"), Failure::kNoMethod);
    EXPECT_EQ(socks_failure("\5\2"), Failure::kNoMethod);
    EXPECT_EQ(socks_failure(std::string("\5\0", 2), {"u", "p"}), Failure::kNoMethod);
    EXPECT_EQ(socks_failure("\5\2\1\1", {"u", "p"}), Failure::kRefusedLogin);
    EXPECT_EQ(socks_failure(std::string("\5\0\5\5\0\1x", 7)), Failure::kRefusedTarget);
    EXPECT_EQ(socks_failure(std::string("\5\0\5\0\0\7x", 7)), Failure::kNotThisProtocol);
    Socks5 machine({std::string(256, 'x'), 1}, {});
    EXPECT_EQ(machine.failure(), Failure::kTooLong);
}

TEST(HttpConnect, GoesThrough) {
    std::string response = "HTTP/1.1 200 Connection established\r\nX: y\r\n\r\nserver";
    for (size_t piece = 1; piece <= response.size(); piece++) {
        HttpConnect machine({"example.com", 443}, {"Aladdin", "open sesame"});
        Talk seen = talk(machine, response, piece);
        EXPECT_EQ(machine.state(), State::kDone);
        EXPECT_EQ(machine.status(), 200);
        EXPECT_EQ(seen.left, 6u);
        ASSERT_EQ(seen.said.size(), 1u);
        EXPECT_EQ(seen.said[0],
                  "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n"
                  "Proxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n\r\n");
    }
}

Failure http_failure(const std::string& response) {
    HttpConnect machine({"host", 1}, {});
    talk(machine, response, 7);
    EXPECT_EQ(machine.state(), State::kFailed);
    return machine.failure();
}

TEST(HttpConnect, SaysWhyItFails) {
    EXPECT_EQ(http_failure("SSH-2.0-OpenSSH\r\n\r\n"), Failure::kNotThisProtocol);
    EXPECT_EQ(http_failure("HTTP/1.1 2x0 OK\r\n\r\n"), Failure::kNotThisProtocol);
    EXPECT_EQ(http_failure("HTTP/1.1 407 Login\r\n\r\n"), Failure::kRefusedLogin);
    EXPECT_EQ(http_failure("HTTP/1.0 503 Busy\r\n\r\n"), Failure::kRefusedTarget);
    EXPECT_EQ(http_failure(std::string(20000, 'x')), Failure::kNotThisProtocol);
    HttpConnect injected({"host\r\nX: y", 1}, {});
    EXPECT_EQ(injected.state(), State::kFailed);
}

TEST(HttpConnect, WaitsBehindInterimResponses) {
    HttpConnect machine({"::1", 1}, {});
    Talk seen = talk(machine, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", 5);
    EXPECT_EQ(machine.state(), State::kDone);
    EXPECT_EQ(seen.said[0].substr(0, 16), "CONNECT [::1]:1 ");
}

}  // namespace
}  // namespace stampede::proto::proxy
