// Names to addresses: hosts file and name servers through c-ares, a cache that respects the time
// answers hold, one query for all that ask the same thing at once. Notices changes of resolv.conf.
// One per process at most, owned by the code that asks (ext/io); loop thread, never parks.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "net/dns_cache.h"
#include "net/dns_channel.h"

namespace stampede::net {

struct ResolverOptions {
    DnsChannel::Options channel;
    size_t cache_capacity = 1000;      // names; 0 = keep nothing
    Nanos cache_limit = 60 * kSecond;  // an answer is kept no longer, even if it holds longer
};

enum class LookupStatus : uint8_t { kFound, kNotFound, kTimedOut, kNoServer, kFailed };

class Resolver {
public:
    struct Answer {
        LookupStatus status;
        const os::Address* addresses;  // without port; valid in the call only
        size_t count;
    };
    // A waiter for an answer; embedded in its owner, which cancels it before it goes.
    // done() notes the answer and asks nothing itself.
    struct Lookup : ListNode {
        using Done = void (*)(Lookup&, const Answer&);
        Done done = nullptr;
    };

    explicit Resolver(loop::Loop& loop);
    ~Resolver();
    Resolver(const Resolver&) = delete;
    Resolver& operator=(const Resolver&) = delete;

    // AF_INET, AF_INET6 or AF_UNSPEC. done() is called once, possibly before this returns.
    void resolve(std::string_view name, int family, Lookup& lookup);
    // done() is not called any more. The last waiter takes the queries with it.
    void cancel(Lookup& lookup);
    // From the next query on.
    void configure(const ResolverOptions& options);
    const ResolverOptions& options() const { return options_; }
    void clear_cache() { cache_.clear(); }
    // In a forked child, before the loop goes: nobody is told anything.
    void abandon();

    size_t waiting() const { return waiting_; }
    size_t cached() const { return cache_.size(); }
    uint64_t channels_made() const { return channels_made_; }

private:
    struct Query {
        Resolver* owner;
        std::string key;  // the family's letter and the name in lower case
        List<Lookup> lookups;
    };

    DnsChannel* channel();
    void drop_idle_channels();
    void start(const std::string& key, int family, Lookup& lookup);
    void wait_for(Query& query, Lookup& lookup);
    void finish(Query& query, const Answer& answer);
    static void on_answer(void* arg, int status, int timeouts, ares_addrinfo* result);
    Nanos collect(const ares_addrinfo& result, std::vector<os::Address>& out) const;

    loop::Loop& loop_;
    ResolverOptions options_;
    std::unique_ptr<DnsChannel> channel_;  // null: to be made for the next query
    std::vector<std::unique_ptr<DnsChannel>> outdated_;
    uint64_t configuration_mark_ = 0;
    DnsCache cache_;
    std::unordered_map<std::string, std::unique_ptr<Query>> queries_;
    size_t waiting_ = 0;
    uint64_t channels_made_ = 0;
};

}  // namespace stampede::net
