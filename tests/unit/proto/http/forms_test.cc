#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "proto/http/cookie.h"
#include "proto/http/query.h"

namespace stampede::proto::http {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs query(std::string text, size_t limit = 1000, PairsResult expected = PairsResult::kAll) {
    Pairs pairs;
    auto result = for_each_pair(
        text, text.data(), limit,
        [&](std::string_view key, std::string_view value) { pairs.emplace_back(key, value); });
    EXPECT_EQ(result, expected);
    return pairs;
}

TEST(Query, Pairs) {
    EXPECT_EQ(query("a=1&b=2"), (Pairs{{"a", "1"}, {"b", "2"}}));
    EXPECT_EQ(query("a&b=&=c&&d==e"), (Pairs{{"a", ""}, {"b", ""}, {"d", "=e"}}));
    EXPECT_EQ(query("a%5B%5D=x+y%26&%61=%"), (Pairs{{"a[]", "x y&"}, {"a", "%"}}));
    EXPECT_EQ(query(""), Pairs{});
    EXPECT_EQ(query("&&&"), Pairs{});
    EXPECT_EQ(query("%00=%00"), (Pairs{{std::string(1, '\0'), std::string(1, '\0')}}));
}

TEST(Query, StopsAtTheLimit) {
    EXPECT_EQ(query("a=1&b=2&c=3", 2, PairsResult::kLimited).size(), 2u);
    EXPECT_EQ(query("a=1&b=2&", 2).size(), 2u);
    EXPECT_EQ(query("a", 0, PairsResult::kLimited).size(), 0u);
}

TEST(Query, LongInputsTakeLinearTime) {
    std::string text;
    for (int i = 0; i < 500000; i++) {
        text += "&%";
    }
    auto start = std::chrono::steady_clock::now();
    query(text, 1u << 30);
    query(std::string(1000000, '&'));
    query(std::string(1000000, '%'));
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 2.0);
}

Pairs cookies(const std::string& text, size_t limit = 1000,
              PairsResult expected = PairsResult::kAll) {
    Pairs pairs;
    std::string scratch(text.size(), '\0');
    auto result = for_each_cookie(
        text, scratch.data(), limit,
        [&](std::string_view name, std::string_view value) { pairs.emplace_back(name, value); });
    EXPECT_EQ(result, expected);
    return pairs;
}

TEST(Cookie, Pairs) {
    EXPECT_EQ(cookies("a=1; b=2"), (Pairs{{"a", "1"}, {"b", "2"}}));
    EXPECT_EQ(cookies("a=1;b = 2 ;; c; =d; e==f;g="),
              (Pairs{{"a", "1"}, {"b", "2"}, {"c", ""}, {"e", "=f"}, {"g", ""}}));
    EXPECT_EQ(cookies("a=1; HttpOnly; b=2"), (Pairs{{"a", "1"}, {"HttpOnly", ""}, {"b", "2"}}));
    EXPECT_EQ(cookies("a ;%62; "), (Pairs{{"a", ""}, {"%62", ""}}));
    EXPECT_EQ(cookies("a=x%20y+z%"), (Pairs{{"a", "x y z%"}}));
    EXPECT_EQ(cookies("a%20b=1"), (Pairs{{"a%20b", "1"}})) << "names are never decoded";
    EXPECT_EQ(cookies("a=\"q\""), (Pairs{{"a", "\"q\""}}));
    EXPECT_EQ(cookies(""), Pairs{});
    EXPECT_EQ(cookies("a=1; b=2; c=3", 2, PairsResult::kLimited).size(), 2u);
}

TEST(Cookie, PrefixesCannotBeDisguised) {
    EXPECT_EQ(cookies("__Host-a=1; __Secure-b=2").size(), 2u);
    for (const char* name :
         {"%5f_Host-a", "__%48ost-a", "..Host-a", "._Host-a", "[_Host-a", "__host-a", "__SECURE-a",
          "_%5FSecure-a", "__Secure%2da", "%2e_Host-a", "_ Host-a", "_+Host-a", "+__Host-a"}) {
        EXPECT_TRUE(disguises_cookie_prefix(name)) << name;
        EXPECT_EQ(cookies(std::string(name) + "=1").size(), 0u) << name;
        EXPECT_EQ(cookies(name).size(), 0u) << name;
    }
    for (const char* name : {"__Host-a", "__Secure-", "__Hos", "_Host-a", "__Hostage", "a__Host-",
                             "%", "%5", "__Host%"}) {
        EXPECT_FALSE(disguises_cookie_prefix(name)) << name;
    }
}

TEST(Cookie, ManyCookiesTakeLinearTime) {
    std::string text;
    for (int i = 0; i < 100000; i++) {
        text += "c" + std::to_string(i) + "=v;";
    }
    auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(cookies(text, 1u << 30).size(), 100000u);
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 2.0);
}

}  // namespace
}  // namespace stampede::proto::http
