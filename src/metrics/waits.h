// What coroutines wait for, as the metrics and operators name it. Plain values; any thread.
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

namespace stampede::metrics {

enum class WaitKind : uint8_t {
    kOther,
    kMysql,
    kPostgresql,
    kRedis,
    kMemcached,
    kMongodb,
    kSqlite,
    kHttp,
    kDns,
    kFile,
    kSocket,
    kLock,
    kSleep,
    kProcess,
    kChannel,  // another coroutine
    kClient,   // the client of the request: its body, or that it reads the response
    kCount,
};

inline constexpr std::string_view kWaitNames[] = {
    "other", "mysql", "postgresql", "redis", "memcached", "mongodb", "sqlite",  "http",
    "dns",   "file",  "socket",     "lock",  "sleep",     "process", "channel", "client",
};
static_assert(std::size(kWaitNames) == static_cast<size_t>(WaitKind::kCount));

inline std::string_view name_of(WaitKind kind) { return kWaitNames[static_cast<size_t>(kind)]; }

}  // namespace stampede::metrics
