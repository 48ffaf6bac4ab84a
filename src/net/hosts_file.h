// Which names the C library answers from the hosts file, before it asks anybody: such a look-up
// does not wait. Looks at the files again when they have changed. One per process, loop thread,
// never parks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

namespace stampede::net {

class HostsFile {
public:
    explicit HostsFile(std::string hosts = "/etc/hosts", std::string order = "/etc/nsswitch.conf")
        : hosts_(std::move(hosts)), order_(std::move(order)) {}

    // AF_INET or AF_INET6; AF_UNSPEC: in either.
    bool answers(std::string_view name, int family);
    // Another one after each change of the files.
    uint64_t version() const { return version_; }

private:
    static constexpr uint64_t kNotRead = ~uint64_t{0};

    void look_again();
    void read();
    void add_line(std::string_view line);

    std::string hosts_;
    std::string order_;
    uint64_t marks_[2] = {kNotRead, kNotRead};
    uint64_t version_ = 0;
    std::unordered_set<std::string> names_[2];  // in small letters: of IPv4, of IPv6
};

}  // namespace stampede::net
