// Facts about the machine: processors, network interfaces, whether this is a container.
// Free functions without state, any thread, never park; none is meant for the request path.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stampede::os {

int cpu_count();            // processors that are online, at least 1
int container_cpu_count();  // the same, lowered to the control group's quota
bool in_container();

void random_bytes(void* out, size_t size);

struct InterfaceAddress {
    const char* name;  // of the interface, valid during the visit only
    int family;        // AF_INET, AF_INET6 or AF_PACKET
    bool loopback;
    std::array<char, 64>
        text;  // the address, printable: dotted, colons, or a MAC in upper-case hex
};

// Calls `visit` for every address of every interface that is up; false when the kernel refuses to
// list them.
bool visit_interfaces(int family, void (*visit)(void* context, const InterfaceAddress&),
                      void* context);

}  // namespace stampede::os
