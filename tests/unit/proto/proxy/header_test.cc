#include "proto/proxy/header.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace stampede::proto::proxy {
namespace {

using namespace std::string_literals;

constexpr std::string_view kMark("\r\n\r\n\0\r\nQUIT\n", 12);

struct Parsed {
    HeaderStatus status;
    size_t size;
    Header header;
};

// From memory that ends with the bytes, so that a look past them is seen.
Parsed parse(const std::string& bytes) {
    std::unique_ptr<char[]> copy(new char[bytes.size()]);
    bytes.copy(copy.get(), bytes.size());
    Parsed out;
    HeaderResult result = parse_header(copy.get(), bytes.size(), out.header);
    out.status = result.status;
    out.size = result.size;
    return out;
}

std::string text_of(const Address& address) {
    char text[INET6_ADDRSTRLEN] = "";
    if (address.sin6_family == AF_INET) {
        inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, text,
                  sizeof(text));
    } else if (address.sin6_family == AF_INET6) {
        inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof(text));
    }
    return std::string(text) + " " + std::to_string(ntohs(address.sin6_port));
}

std::string binary(int command, int family, const std::string& rest) {
    std::string out(kMark);
    out += static_cast<char>(command);
    out += static_cast<char>(family);
    out += static_cast<char>(rest.size() >> 8);
    out += static_cast<char>(rest.size() & 0xff);
    return out + rest;
}

const std::string kAddresses4 = "\xc0\x00\x02\x01\xc0\x00\x02\x02\x30\x39\x01\xbb"s;

std::string value(int type, const std::string& bytes) {
    std::string out(1, static_cast<char>(type));
    out += static_cast<char>(bytes.size() >> 8);
    out += static_cast<char>(bytes.size() & 0xff);
    return out + bytes;
}

void expect_needs_all(const std::string& bytes) {
    for (size_t size = 0; size < bytes.size(); size++) {
        ASSERT_EQ(parse(bytes.substr(0, size)).status, HeaderStatus::kNeedMore) << size;
    }
    Parsed whole = parse(bytes + "GET / HTTP/1.1\r\n");
    EXPECT_EQ(whole.status, HeaderStatus::kDone);
    EXPECT_EQ(whole.size, bytes.size());
}

TEST(ProxyHeader, ReadsVersion1) {
    std::string line = "PROXY TCP4 192.0.2.1 198.51.100.2 12345 443\r\n";
    expect_needs_all(line);
    Parsed parsed = parse(line);
    EXPECT_EQ(text_of(parsed.header.source), "192.0.2.1 12345");
    EXPECT_EQ(text_of(parsed.header.destination), "198.51.100.2 443");
    EXPECT_FALSE(parsed.header.own);
    parsed = parse("PROXY TCP6 2001:db8::1 ::1 1 65535\r\n");
    EXPECT_EQ(text_of(parsed.header.source), "2001:db8::1 1");
    EXPECT_EQ(text_of(parsed.header.destination), "::1 65535");
}

TEST(ProxyHeader, UnknownInVersion1KeepsTheAddresses) {
    for (const char* line : {"PROXY UNKNOWN\r\n", "PROXY UNKNOWN ffff::1 what ever 1 2\r\n"}) {
        Parsed parsed = parse(line);
        EXPECT_EQ(parsed.status, HeaderStatus::kDone) << line;
        EXPECT_TRUE(parsed.header.own);
    }
    EXPECT_EQ(parse("PROXY UNKNOWNS\r\n").status, HeaderStatus::kBad);
}

TEST(ProxyHeader, RefusesWhatVersion1DoesNotSay) {
    for (const char* line : {
             "GET / HTTP/1.1\r\n",
             "proxy TCP4 192.0.2.1 192.0.2.2 1 2\r\n",
             "PROXY  TCP4 192.0.2.1 192.0.2.2 1 2\r\n",
             "PROXY TCP4  192.0.2.1 192.0.2.2 1 2\r\n",
             "PROXY TCP4 192.0.2.1 192.0.2.2 1 2 \r\n",
             "PROXY TCP4 192.0.2.1 192.0.2.2 1 2 3\r\n",
             "PROXY TCP4 192.0.2.1 192.0.2.2 1\r\n",
             "PROXY TCP4 192.0.2.1 192.0.2.2 1 \r\n",
             "PROXY TCP4 192.0.2.1 192.0.2.2 1 65536\r\n",
             "PROXY TCP4 192.0.2.1 192.0.2.2 -1 2\r\n",
             "PROXY TCP4 192.0.2.1 192.0.2.2 01 2\r\n",
             "PROXY TCP4 192.0.2.1 192.0.2.2 4294967297 2\r\n",
             "PROXY TCP4 192.0.2.01 192.0.2.2 1 2\r\n",
             "PROXY TCP4 192.0.2 192.0.2.2 1 2\r\n",
             "PROXY TCP4 2001:db8::1 ::1 1 2\r\n",
             "PROXY TCP6 192.0.2.1 192.0.2.2 1 2\r\n",
             "PROXY UDP4 192.0.2.1 192.0.2.2 1 2\r\n",
             "PROXY\tTCP4 192.0.2.1 192.0.2.2 1 2\r\n",
             "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\n",
             "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\rX",
             "PROXY UNKNOWN\n",
             "PROXY \r\n",
         }) {
        EXPECT_EQ(parse(line).status, HeaderStatus::kBad) << line;
    }
    EXPECT_EQ(parse("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\0\r\n"s).status, HeaderStatus::kBad);
    std::string longest = "PROXY UNKNOWN " + std::string(91, 'x') + "\r\n";
    ASSERT_EQ(longest.size(), 107u);
    EXPECT_EQ(parse(longest).status, HeaderStatus::kDone);
    longest.insert(20, "x");
    EXPECT_EQ(parse(longest).status, HeaderStatus::kBad);
    EXPECT_EQ(parse("PROXY UNKNOWN " + std::string(5000, 'x')).status, HeaderStatus::kBad);
}

TEST(ProxyHeader, ReadsVersion2) {
    expect_needs_all(binary(0x21, 0x11, kAddresses4));
    Parsed parsed = parse(binary(0x21, 0x11, kAddresses4));
    EXPECT_EQ(text_of(parsed.header.source), "192.0.2.1 12345");
    EXPECT_EQ(text_of(parsed.header.destination), "192.0.2.2 443");
    std::string six = "\x20\x01\x0d\xb8"s + std::string(11, '\0') + "\x01" + std::string(15, '\0') +
                      "\x01\x00\x50\x01\xbb"s;
    parsed = parse(binary(0x21, 0x21, six));
    EXPECT_EQ(parsed.status, HeaderStatus::kDone);
    EXPECT_EQ(text_of(parsed.header.source), "2001:db8::1 80");
    EXPECT_EQ(text_of(parsed.header.destination), "::1 443");
}

TEST(ProxyHeader, LocalAndUnspecifiedKeepTheAddresses) {
    for (const std::string& bytes :
         {binary(0x20, 0x00, ""), binary(0x20, 0x11, kAddresses4), binary(0x20, 0xff, "junk"),
          binary(0x21, 0x00, ""), binary(0x21, 0x00, "whatever")}) {
        Parsed parsed = parse(bytes);
        EXPECT_EQ(parsed.status, HeaderStatus::kDone);
        EXPECT_EQ(parsed.size, bytes.size());
        EXPECT_TRUE(parsed.header.own);
    }
}

TEST(ProxyHeader, UnixSocketsHaveNoAddress) {
    Parsed parsed = parse(binary(0x21, 0x31, std::string(216, 'p')));
    EXPECT_EQ(parsed.status, HeaderStatus::kDone);
    EXPECT_FALSE(parsed.header.own);
    EXPECT_EQ(parsed.header.source.sin6_family, 0);
    EXPECT_EQ(parse(binary(0x21, 0x31, std::string(215, 'p'))).status, HeaderStatus::kBad);
}

TEST(ProxyHeader, RefusesWhatVersion2DoesNotSay) {
    EXPECT_EQ(parse(binary(0x11, 0x11, kAddresses4)).status, HeaderStatus::kBad);
    EXPECT_EQ(parse(binary(0x31, 0x11, kAddresses4)).status, HeaderStatus::kBad);
    EXPECT_EQ(parse(binary(0x22, 0x11, kAddresses4)).status, HeaderStatus::kBad);
    for (int family : {0x01, 0x10, 0x12, 0x20, 0x22, 0x32, 0x41, 0xff}) {
        EXPECT_EQ(parse(binary(0x21, family, std::string(300, '\0'))).status, HeaderStatus::kBad)
            << family;
    }
    EXPECT_EQ(parse(binary(0x21, 0x11, kAddresses4.substr(1))).status, HeaderStatus::kBad);
    EXPECT_EQ(parse(binary(0x21, 0x21, kAddresses4)).status, HeaderStatus::kBad);
    EXPECT_EQ(parse(binary(0x21, 0x11, "")).status, HeaderStatus::kBad);
    std::string broken(kMark);
    broken[4] = '\n';
    EXPECT_EQ(parse(broken).status, HeaderStatus::kBad);
}

TEST(ProxyHeader, IsBounded) {
    std::string most = binary(0x21, 0x11, kAddresses4 + value(0x04, std::string(4065, '\0')));
    ASSERT_EQ(most.size(), kMostHeader);
    EXPECT_EQ(parse(most).status, HeaderStatus::kDone);
    most = binary(0x21, 0x11, kAddresses4 + value(0x04, std::string(4066, '\0')));
    EXPECT_EQ(parse(most.substr(0, 16)).status, HeaderStatus::kBad);
    EXPECT_EQ(parse(binary(0x20, 0x00, std::string(65535, 'x')).substr(0, 16)).status,
              HeaderStatus::kBad);
}

TEST(ProxyHeader, ReadsExtras) {
    Parsed parsed =
        parse(binary(0x21, 0x11, kAddresses4 + value(0x20, "\x01\0\0\0\0"s) + value(0x02, "host")));
    EXPECT_EQ(parsed.status, HeaderStatus::kDone);
    EXPECT_TRUE(parsed.header.encrypted);
    parsed = parse(binary(0x21, 0x11, kAddresses4 + value(0x20, "\x02\0\0\0\0"s)));
    EXPECT_FALSE(parsed.header.encrypted);
    for (const std::string& extras :
         {"\x02"s, "\x02\x00"s, "\x02\x00\x05host"s, value(0x20, "\x01\0\0\0"s), value(0x03, "abc"),
          value(0x03, "abcd"), value(0x03, "")}) {
        EXPECT_EQ(parse(binary(0x21, 0x11, kAddresses4 + extras)).status, HeaderStatus::kBad);
    }
}

TEST(ProxyHeader, ChecksTheChecksum) {
    // Made by hand from the polynomial of RFC 4960, appendix B.
    auto crc = [](const std::string& bytes) {
        uint32_t rest = 0xffffffff;
        for (unsigned char c : bytes) {
            for (int bit = 0; bit < 8; bit++) {
                bool one = ((rest ^ (c >> bit)) & 1) != 0;
                rest = one ? rest >> 1 ^ 0x82f63b78 : rest >> 1;
            }
        }
        return ~rest;
    };
    ASSERT_EQ(crc("123456789"), 0xe3069283u);
    std::string bytes =
        binary(0x21, 0x11, kAddresses4 + value(0x03, std::string(4, '\0')) + value(0x04, "pad"));
    uint32_t sum = crc(bytes);
    size_t place = 16 + kAddresses4.size() + 3;
    for (int i = 0; i < 4; i++) {
        bytes[place + static_cast<size_t>(i)] = static_cast<char>(sum >> (24 - 8 * i));
    }
    EXPECT_EQ(parse(bytes).status, HeaderStatus::kDone);
    bytes[17] ^= 1;
    EXPECT_EQ(parse(bytes).status, HeaderStatus::kBad);
}

}  // namespace
}  // namespace stampede::proto::proxy
