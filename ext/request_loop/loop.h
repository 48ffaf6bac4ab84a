// The request loop: each request of a forked child runs in PHP's own request life, one after
// another, as under PHP's own web servers. Nothing of a request is left for the next one but what
// PHP keeps for a process: opcache, the realpath cache, persistent connections.
#pragma once

#include <cstdint>

namespace stampede::request_loop {

struct Limits {
    uint64_t requests = 0;  // after which the process ends; 0 = none
    uint64_t memory = 0;    // bytes in memory, above which it ends; 0 = none
};

// Ends the request in which it is called, with its shutdown functions and destructors. Returns
// never: when the worker closes the connection the process ends at once.
[[noreturn]] void run(int connection, const Limits& limits);

}  // namespace stampede::request_loop
