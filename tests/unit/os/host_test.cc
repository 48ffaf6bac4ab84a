#include "os/host.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <map>
#include <string>

namespace stampede::os {
namespace {

using Addresses = std::multimap<std::string, std::string>;

Addresses addresses(int family) {
    Addresses found;
    EXPECT_TRUE(visit_interfaces(
        family,
        [](void* context, const InterfaceAddress& address) {
            static_cast<Addresses*>(context)->emplace(address.name, address.text.data());
        },
        &found));
    return found;
}

TEST(Host, HasAProcessor) {
    EXPECT_GE(cpu_count(), 1);
    EXPECT_GE(container_cpu_count(), 1);
    EXPECT_LE(container_cpu_count(), cpu_count());
}

TEST(Host, ListsTheLoopbackAddress) {
    bool loopback = false;
    for (const auto& [name, text] : addresses(AF_INET)) {
        loopback |= text == "127.0.0.1";
    }
    EXPECT_TRUE(loopback);
}

TEST(Host, PrintsHardwareAddressesInUpperCaseHex) {
    for (const auto& [name, text] : addresses(AF_PACKET)) {
        ASSERT_EQ(text.size(), 17u) << name;
        EXPECT_EQ(text.find_first_not_of("0123456789ABCDEF:"), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace stampede::os
