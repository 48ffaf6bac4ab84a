// See host.h.
#include "os/host.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netpacket/packet.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace stampede::os {
namespace {

// The first two numbers of a cgroup file ("max 100000" gives no first number and false).
bool read_numbers(const char* path, long& first, long& second) {
    FILE* file = fopen(path, "re");
    if (!file) {
        return false;
    }
    int found = fscanf(file, "%ld %ld", &first, &second);
    fclose(file);
    return found >= 1;
}

// Processors the control group may use, rounded up; 0 when it sets no limit.
int quota_cpus() {
    long quota = 0;
    long period = 0;
    if (!read_numbers("/sys/fs/cgroup/cpu.max", quota, period)) {
        long unused = 0;
        if (!read_numbers("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota, unused) ||
            !read_numbers("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period, unused)) {
            return 0;
        }
    }
    return quota > 0 && period > 0 ? static_cast<int>((quota + period - 1) / period) : 0;
}

void print_mac(const sockaddr_ll& address, std::array<char, 64>& text) {
    const unsigned char* mac = address.sll_addr;
    snprintf(text.data(), text.size(), "%02X:%02X:%02X:%02X:%02X:%02X", mac[0], mac[1], mac[2],
             mac[3], mac[4], mac[5]);
}

bool print_address(const sockaddr& address, std::array<char, 64>& text) {
    switch (address.sa_family) {
        case AF_INET: {
            const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
            return inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size()) != nullptr;
        }
        case AF_INET6: {
            const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
            return inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size()) != nullptr;
        }
        case AF_PACKET:
            print_mac(reinterpret_cast<const sockaddr_ll&>(address), text);
            return true;
        default:
            return false;
    }
}

}  // namespace

void random_bytes(void* out, size_t size) {
    auto* bytes = static_cast<char*>(out);
    while (size > 0) {
        ssize_t count = ::getrandom(bytes, size, 0);
        if (count > 0) {
            bytes += count;
            size -= static_cast<size_t>(count);
        }
    }
}

int cpu_count() { return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))); }

int container_cpu_count() {
    int quota = quota_cpus();
    return quota > 0 ? std::min(quota, cpu_count()) : cpu_count();
}

bool in_container() {
    return access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 ||
           getenv("container");
}

bool visit_interfaces(int family, void (*visit)(void* context, const InterfaceAddress&),
                      void* context) {
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) {
        return false;
    }
    for (const ifaddrs* entry = list; entry; entry = entry->ifa_next) {
        if (!entry->ifa_addr || entry->ifa_addr->sa_family != family ||
            !(entry->ifa_flags & IFF_UP)) {
            continue;
        }
        InterfaceAddress address{
            entry->ifa_name, family, (entry->ifa_flags & IFF_LOOPBACK) != 0, {}};
        if (print_address(*entry->ifa_addr, address.text)) {
            visit(context, address);
        }
    }
    freeifaddrs(list);
    return true;
}

}  // namespace stampede::os
