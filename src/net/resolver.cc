#include "net/resolver.h"

#include <algorithm>
#include <cstring>

#include "os/file.h"

namespace stampede::net {

namespace {

constexpr size_t kMaxNameBytes = 255;
constexpr size_t kMaxOutdated = 4;
constexpr uint64_t kOutdated = 2;  // no mark of a file
constexpr const char* kSystemConfiguration = "/etc/resolv.conf";

std::string make_key(std::string_view name, int family) {
    std::string key(1, family == AF_INET ? '4' : family == AF_INET6 ? '6' : '*');
    key.reserve(name.size() + 1);
    for (char c : name) {
        key += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    }
    return key;
}

LookupStatus status_of(int ares_status) {
    switch (ares_status) {
        case ARES_ENOTFOUND:
        case ARES_ENODATA:
        case ARES_EBADNAME:
        case ARES_ENONAME:
            return LookupStatus::kNotFound;
        case ARES_ETIMEOUT:
            return LookupStatus::kTimedOut;
        case ARES_ECONNREFUSED:
            return LookupStatus::kNoServer;
        default:
            return LookupStatus::kFailed;
    }
}

}  // namespace

Resolver::Resolver(loop::Loop& loop) : loop_(loop) {}

Resolver::~Resolver() { abandon(); }

void Resolver::abandon() {
    for (auto& [key, query] : queries_) {
        while (query->lookups.pop_front() != nullptr) {
            waiting_--;
            loop_.announce_jobs(-1);
        }
    }
    outdated_.clear();
    channel_.reset();
    queries_.clear();
}

void Resolver::configure(const ResolverOptions& options) {
    options_ = options;
    cache_.clear();
    cache_.set_capacity(options.cache_capacity);
    configuration_mark_ = kOutdated;
}

// Made anew when the system's list of servers has changed; the queries under way end in the old
// one.
DnsChannel* Resolver::channel() {
    drop_idle_channels();
    const std::string& own = options_.channel.resolv_conf;
    uint64_t mark = os::file_mark(own.empty() ? kSystemConfiguration : own.c_str());
    if (channel_ != nullptr && mark == configuration_mark_) {
        return channel_.get();
    }
    if (channel_ != nullptr) {
        cache_.clear();
        if (queries_.empty() && !channel_->busy()) {
            channel_.reset();
        } else {
            outdated_.push_back(std::move(channel_));
        }
    }
    auto made = DnsChannel::create(loop_, options_.channel);
    if (!made) {
        return nullptr;
    }
    configuration_mark_ = mark;
    channels_made_++;
    channel_ = std::move(*made);
    return channel_.get();
}

void Resolver::drop_idle_channels() {
    bool too_many = outdated_.size() > kMaxOutdated;
    std::erase_if(outdated_, [&](const auto& channel) {
        return (queries_.empty() || too_many) && !channel->busy();
    });
}

void Resolver::resolve(std::string_view name, int family, Lookup& lookup) {
    if (name.empty() || name.size() > kMaxNameBytes || name.find('\0') != name.npos) {
        lookup.done(lookup, {LookupStatus::kNotFound, nullptr, 0});
        return;
    }
    std::string key = make_key(name, family);
    if (const auto* known = cache_.find(key, monotonic_now())) {
        lookup.done(lookup, {LookupStatus::kFound, known->data(), known->size()});
        return;
    }
    auto place = queries_.find(key);
    if (place != queries_.end()) {
        wait_for(*place->second, lookup);
        return;
    }
    start(key, family, lookup);
}

void Resolver::wait_for(Query& query, Lookup& lookup) {
    query.lookups.push_back(lookup);
    waiting_++;
    loop_.announce_jobs(1);
}

void Resolver::start(const std::string& key, int family, Lookup& lookup) {
    DnsChannel* asked = channel();
    if (asked == nullptr) {
        lookup.done(lookup, {LookupStatus::kFailed, nullptr, 0});
        return;
    }
    auto query = std::make_unique<Query>();
    query->owner = this;
    query->key = key;
    wait_for(*query, lookup);
    Query* pointer = query.get();
    queries_.emplace(key, std::move(query));
    asked->query(key.c_str() + 1, family, on_answer, pointer);
}

void Resolver::cancel(Lookup& lookup) {
    if (!lookup.linked()) {
        return;
    }
    lookup.unlink();
    loop_.announce_jobs(-1);
    if (--waiting_ == 0) {
        for (auto& old : outdated_) {
            old->give_up();
        }
        if (channel_ != nullptr) {
            channel_->give_up();
        }
    }
}

// The shortest time that an address holds; the addresses in out.
Nanos Resolver::collect(const ares_addrinfo& result, std::vector<os::Address>& out) const {
    Nanos holds = options_.cache_limit;
    for (const ares_addrinfo_node* node = result.nodes; node != nullptr; node = node->ai_next) {
        os::Address& address = out.emplace_back();
        address.length = static_cast<socklen_t>(
            std::min(static_cast<size_t>(node->ai_addrlen), sizeof(address.storage)));
        memcpy(&address.storage, node->ai_addr, address.length);
        holds = std::min(holds, std::max(node->ai_ttl, 0) * kSecond);
    }
    return holds;
}

void Resolver::on_answer(void* arg, int status, int, ares_addrinfo* result) {
    Query& query = *static_cast<Query*>(arg);
    Resolver& self = *query.owner;
    std::vector<os::Address> addresses;
    Nanos holds = 0;
    if (status == ARES_SUCCESS && result != nullptr) {
        holds = self.collect(*result, addresses);
    }
    if (result != nullptr) {
        ares_freeaddrinfo(result);
    }
    if (addresses.empty()) {
        LookupStatus why = status == ARES_SUCCESS ? LookupStatus::kNotFound : status_of(status);
        self.finish(query, {why, nullptr, 0});
        return;
    }
    if (holds > 0) {
        self.cache_.store(query.key, addresses, monotonic_now() + holds);
    }
    self.finish(query, {LookupStatus::kFound, addresses.data(), addresses.size()});
}

void Resolver::finish(Query& query, const Answer& answer) {
    auto place = queries_.find(query.key);
    std::unique_ptr<Query> ended;
    if (place != queries_.end() && place->second.get() == &query) {
        ended = std::move(place->second);
        queries_.erase(place);
    }
    while (Lookup* lookup = query.lookups.pop_front()) {
        waiting_--;
        loop_.announce_jobs(-1);
        lookup->done(*lookup, answer);
    }
}

}  // namespace stampede::net
