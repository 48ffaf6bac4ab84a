#include "proto/proxy/forwarded.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace stampede::proto::proxy {
namespace {

using Scheme = Origin::Scheme;

std::string text_of(const Address& address) {
    char text[INET6_ADDRSTRLEN] = "";
    if (address.sin6_family == AF_INET) {
        inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, text,
                  sizeof(text));
    } else if (address.sin6_family == AF_INET6) {
        inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof(text));
    }
    std::string port = std::to_string(ntohs(address.sin6_port));
    return port == "0" ? text : text + ("|" + port);
}

Address address_of(const char* text) {
    Address address;
    EXPECT_TRUE(parse_node(text, address)) << text;
    return address;
}

class Forwarded : public ::testing::Test {
protected:
    Forwarded() {
        for (const char* network : {"10.0.0.0/8", "2001:db8:1::/48", "192.0.2.7"}) {
            EXPECT_TRUE(trusted.add(network));
        }
    }
    Origin find(ForwardedStyle style = ForwardedStyle::kXForwarded,
                const char* peer = "10.0.0.1:5") {
        return find_origin(fields, style, trusted, address_of(peer));
    }
    std::string client(std::vector<const char*> lines,
                       ForwardedStyle style = ForwardedStyle::kXForwarded) {
        fields = {};
        for (const char* line : lines) {
            (style == ForwardedStyle::kForwarded ? fields.forwarded : fields.x_for).add(line);
        }
        return text_of(find(style).client);
    }
    std::string by_rfc(const char* line) { return client({line}, ForwardedStyle::kForwarded); }

    TrustedPeers trusted;
    ForwardedFields fields;
};

TEST(ProxyAddress, ParsesWhatIsOneAndNothingElse) {
    Address address;
    for (const char* good : {"1.2.3.4", "::1", "2001:db8::1", "::ffff:1.2.3.4"}) {
        EXPECT_TRUE(parse_ip(good, address)) << good;
    }
    for (const char* bad : {"", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", " ::1",
                            "fe80::1%eth0", "[::1]", "1.2.3.4:80", "unknown", "_hidden",
                            "0000:0000:0000:0000:0000:0000:0000:0000:0000"}) {
        EXPECT_FALSE(parse_ip(bad, address)) << bad;
    }
    EXPECT_FALSE(parse_ip(std::string_view("1.2.3.4\0", 8), address));
    for (const char* good : {"1.2.3.4:80", "[::1]:80", "[::1]", "::1"}) {
        EXPECT_TRUE(parse_node(good, address)) << good;
    }
    for (const char* bad : {"1.2.3.4:", "1.2.3.4:65536", "1.2.3.4:x", "[::1", "[1.2.3.4]",
                            "[::1]80", "[::1]:", ":80", "[]", "[]:1"}) {
        EXPECT_FALSE(parse_node(bad, address)) << bad;
    }
}

TEST(TrustedPeers, HoldNetworks) {
    TrustedPeers peers;
    EXPECT_TRUE(peers.empty());
    for (const char* good :
         {"192.0.2.0/25", "198.51.100.1", "2001:db8::/33", "::ffff:203.0.113.0/120"}) {
        EXPECT_TRUE(peers.add(good)) << good;
    }
    for (const char* bad : {"", "*", "all", "192.0.2.0/33", "192.0.2.0/", "192.0.2.0/-1", "::/129",
                            "example.com", "/8", "10.0.0.0/08", "10.0.0.0/8/8"}) {
        EXPECT_FALSE(peers.add(bad)) << bad;
    }
    for (const char* in :
         {"192.0.2.127", "198.51.100.1", "2001:db8:7fff::1", "::ffff:192.0.2.1", "203.0.113.9"}) {
        EXPECT_TRUE(peers.contains(address_of(in))) << in;
    }
    for (const char* out : {"192.0.2.128", "198.51.100.2", "2001:db8:8000::1", "::1", "0.0.0.0"}) {
        EXPECT_FALSE(peers.contains(address_of(out))) << out;
    }
    EXPECT_FALSE(peers.contains(Address{}));
    EXPECT_TRUE(peers.add("unix"));
    EXPECT_TRUE(peers.contains(Address{}));
}

TEST(TrustedPeers, PrivateIsWhatIsNotRouted) {
    TrustedPeers peers;
    EXPECT_TRUE(peers.add("private"));
    for (const char* in : {"127.0.0.1", "10.255.0.1", "172.31.255.255", "192.168.1.1",
                           "169.254.1.1", "::1", "fd00::1", "fe80::1"}) {
        EXPECT_TRUE(peers.contains(address_of(in))) << in;
    }
    for (const char* out : {"172.32.0.1", "11.0.0.1", "8.8.8.8", "2001:db8::1", "::2"}) {
        EXPECT_FALSE(peers.contains(address_of(out))) << out;
    }
    EXPECT_FALSE(peers.contains(Address{}));
    TrustedPeers all;
    EXPECT_TRUE(all.add("0.0.0.0/0"));
    EXPECT_TRUE(all.contains(address_of("8.8.8.8")));
    EXPECT_FALSE(all.contains(address_of("2001:db8::1")));
}

TEST_F(Forwarded, AStrangerIsNotBelieved) {
    fields.x_for.add("1.1.1.1");
    fields.x_proto.add("https");
    fields.x_host.add("evil.example");
    Origin origin = find(ForwardedStyle::kXForwarded, "203.0.113.5:9");
    EXPECT_EQ(text_of(origin.client), "203.0.113.5|9");
    EXPECT_EQ(origin.scheme, Scheme::kUnknown);
    EXPECT_TRUE(origin.host.empty());
    EXPECT_FALSE(origin.told);
}

TEST_F(Forwarded, WalksThroughTrustedHopsOnly) {
    EXPECT_EQ(client({}), "10.0.0.1|5");
    EXPECT_EQ(client({"203.0.113.1"}), "203.0.113.1");
    EXPECT_EQ(client({"6.6.6.6, 203.0.113.1"}), "203.0.113.1");
    EXPECT_EQ(client({"6.6.6.6, 203.0.113.1, 10.2.3.4"}), "203.0.113.1");
    EXPECT_EQ(client({"6.6.6.6", "203.0.113.1", "10.2.3.4,192.0.2.7"}), "203.0.113.1");
    EXPECT_EQ(client({"10.9.9.9, 10.2.3.4"}), "10.9.9.9");
    EXPECT_EQ(client({"203.0.113.1:4711"}), "203.0.113.1|4711");
    EXPECT_EQ(client({"[2001:db8:ffff::9]:80, 2001:db8:1::1"}), "2001:db8:ffff::9|80");
    EXPECT_EQ(client({" 203.0.113.1 ,, "}), "203.0.113.1");
    EXPECT_EQ(client({"::ffff:203.0.113.1, ::ffff:10.0.0.9"}), "203.0.113.1");
}

TEST_F(Forwarded, StopsWhereItCannotRead) {
    EXPECT_EQ(client({"unknown"}), "10.0.0.1|5");
    EXPECT_EQ(client({"1.1.1.1, unknown"}), "10.0.0.1|5");
    EXPECT_EQ(client({"1.1.1.1, _secret, 10.0.0.2"}), "10.0.0.2");
    EXPECT_EQ(client({"1.1.1.1, 1.1.1.1\", 10.0.0.2"}), "10.0.0.2");
    EXPECT_EQ(client({"<script>"}), "10.0.0.1|5");
}

TEST_F(Forwarded, IsBounded) {
    std::string list = "1.1.1.1";
    for (int i = 0; i < 1000; i++) {
        list += ",10.0.0.2";
    }
    EXPECT_EQ(client({list.c_str()}), "10.0.0.2");
    std::vector<const char*> lines(100, "10.0.0.3");
    lines.front() = "1.1.1.1";
    EXPECT_EQ(client(lines), "10.0.0.3");
}

TEST_F(Forwarded, OtherFieldsAreThoseOfTheHop) {
    fields.x_for.add("6.6.6.6, 203.0.113.1, 10.0.0.2");
    fields.x_proto.add("http, https, http");
    fields.x_host.add("evil.example, shop.example:8443, inner");
    fields.x_port.add("1, 8443, 80");
    Origin origin = find();
    EXPECT_EQ(text_of(origin.client), "203.0.113.1");
    EXPECT_EQ(origin.scheme, Scheme::kHttps);
    EXPECT_EQ(origin.host, "shop.example:8443");
    EXPECT_EQ(origin.port, 8443);
    EXPECT_TRUE(origin.told);
}

TEST_F(Forwarded, OneValueForAllHopsIsTheNewest) {
    fields.x_for.add("6.6.6.6, 203.0.113.1, 10.0.0.2");
    fields.x_proto.add("http, HTTPS");
    Origin origin = find();
    EXPECT_EQ(origin.scheme, Scheme::kHttps);
    EXPECT_EQ(origin.port, 443);
}

TEST_F(Forwarded, WhatIsNoneIsLeftOut) {
    fields.x_for.add("203.0.113.1");
    fields.x_proto.add("javascript");
    fields.x_host.add("a/b@c");
    fields.x_port.add("99999");
    Origin origin = find();
    EXPECT_EQ(origin.scheme, Scheme::kUnknown);
    EXPECT_TRUE(origin.host.empty());
    EXPECT_EQ(origin.port, 0);
    fields.x_host = {};
    std::string longer(300, 'a');
    fields.x_host.add(longer);
    EXPECT_TRUE(find().host.empty());
}

TEST_F(Forwarded, ThePortIsTheHostsOrTheSchemes) {
    fields.x_proto.add("https");
    EXPECT_EQ(find().port, 443);
    fields.x_host.add("[::1]:8443");
    EXPECT_EQ(find().port, 8443);
    fields.x_port.add("9000");
    EXPECT_EQ(find().port, 9000);
}

TEST_F(Forwarded, ReadsRfc7239) {
    EXPECT_EQ(by_rfc("for=203.0.113.1"), "203.0.113.1");
    EXPECT_EQ(by_rfc("For=\"203.0.113.1:47\""), "203.0.113.1|47");
    EXPECT_EQ(by_rfc("for=\"[2001:db8:ffff::1]:80\";by=10.0.0.1"), "2001:db8:ffff::1|80");
    EXPECT_EQ(by_rfc("for=6.6.6.6, for=203.0.113.1;proto=https, for=10.0.0.2"), "203.0.113.1");
    EXPECT_EQ(by_rfc("for=6.6.6.6, for=_hidden, for=10.0.0.2"), "10.0.0.2");
    EXPECT_EQ(by_rfc("proto=https"), "10.0.0.1|5");
    EXPECT_EQ(find(ForwardedStyle::kForwarded).scheme, Scheme::kHttps);
    fields = {};
    fields.forwarded.add("for=6.6.6.6;host=evil.example");
    fields.forwarded.add("for=203.0.113.1;host=\"shop.example:8443\";proto=https, for=10.0.0.2");
    Origin origin = find(ForwardedStyle::kForwarded);
    EXPECT_EQ(origin.host, "shop.example:8443");
    EXPECT_EQ(origin.port, 8443);
    EXPECT_EQ(origin.scheme, Scheme::kHttps);
}

TEST_F(Forwarded, WhatAClientWroteCannotSwallowWhatAProxyAdds) {
    EXPECT_EQ(by_rfc("for=\"6.6.6.6, for=203.0.113.1"), "203.0.113.1");
    EXPECT_EQ(by_rfc("for=6.6.6.6;x=\", for=203.0.113.1"), "203.0.113.1");
    EXPECT_EQ(by_rfc("for=6.6.6.6;x=\\, for=203.0.113.1"), "203.0.113.1");
    EXPECT_EQ(by_rfc("=;\",\\\"for=1.1.1.1, for=\"203.0.113.1\""), "203.0.113.1");
}

TEST_F(Forwarded, ADoubtfulElementEndsTheWalk) {
    EXPECT_EQ(by_rfc("for=1.1.1.1;for=2.2.2.2"), "10.0.0.1|5");
    EXPECT_EQ(by_rfc("for"), "10.0.0.1|5");
    EXPECT_EQ(by_rfc("for="), "10.0.0.1|5");
    EXPECT_EQ(by_rfc("for=\"1.1.1.1"), "10.0.0.1|5");
    EXPECT_EQ(by_rfc("for=\"1.1.\\1.1\""), "10.0.0.1|5");
}

TEST_F(Forwarded, OneStyleIsRead) {
    fields.x_for.add("1.1.1.1");
    fields.forwarded.add("for=2.2.2.2");
    EXPECT_EQ(text_of(find().client), "1.1.1.1");
    EXPECT_EQ(text_of(find(ForwardedStyle::kForwarded).client), "2.2.2.2");
}

TEST_F(Forwarded, ThePeerOfAUnixSocket) {
    fields.x_for.add("203.0.113.1");
    EXPECT_FALSE(find_origin(fields, ForwardedStyle::kXForwarded, trusted, Address{}).told);
    EXPECT_TRUE(trusted.add("unix"));
    Origin origin = find_origin(fields, ForwardedStyle::kXForwarded, trusted, Address{});
    EXPECT_EQ(text_of(origin.client), "203.0.113.1");
}

}  // namespace
}  // namespace stampede::proto::proxy
