#include "proto/http/secrets.h"

#include <gtest/gtest.h>

namespace stampede::proto::http {
namespace {

TEST(Secrets, NamesThatSpeakOfSecrets) {
    for (const char* name : {"password", "user[pwd]", "X-Api-Key", "resetToken", "PHPSESSID",
                             "code", "oauth_state", "Authorization", "cardNumber"}) {
        EXPECT_TRUE(is_secret_name(name)) << name;
    }
    for (const char* name :
         {"", "page", "q", "monkey", "passage", "encode", "postcode", "shipping"}) {
        EXPECT_FALSE(is_secret_name(name)) << name;
    }
}

TEST(Secrets, ValuesOfParametersAreHidden) {
    EXPECT_EQ(hide_secrets("a=1&token=abc&b"), "a=1&token=(hidden)&b");
    EXPECT_EQ(hide_secrets("%70assword=x;key=y"), "%70assword=(hidden);key=(hidden)");
    EXPECT_EQ(hide_secrets("token"), "token");
    EXPECT_EQ(hide_secrets(""), "");
}

TEST(Secrets, AddressesLosePasswordsAndSecretsOfTheirQuery) {
    EXPECT_EQ(hide_secrets_of_url("https://a:b@h/x?token=1&c=2#sid=3"),
              "https://(hidden)@h/x?token=(hidden)&c=2#sid=(hidden)");
    EXPECT_EQ(hide_secrets_of_url("/x@y?z=1"), "/x@y?z=1");
    EXPECT_EQ(hide_secrets_of_url("https://h/a@b"), "https://h/a@b");
    EXPECT_EQ(hide_secrets_of_url(""), "");
}

}  // namespace
}  // namespace stampede::proto::http
