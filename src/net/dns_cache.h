// Answers of the name service for as long as they hold, at most so many: the one that was not asked
// for longest makes room. Owned by the Resolver, loop thread, never parks.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/list.h"
#include "os/socket.h"

namespace stampede::net {

class DnsCache {
public:
    using Addresses = std::vector<os::Address>;

    // Null when it is not there or too old. Valid until the next call.
    const Addresses* find(const std::string& key, Nanos now) {
        auto place = entries_.find(key);
        if (place == entries_.end()) {
            return nullptr;
        }
        Entry& entry = *place->second;
        if (entry.expires <= now) {
            entries_.erase(place);
            return nullptr;
        }
        entry.unlink();
        by_use_.push_back(entry);
        return &entry.addresses;
    }

    void store(const std::string& key, const Addresses& addresses, Nanos expires) {
        if (capacity_ == 0) {
            return;
        }
        auto& entry = entries_[key];
        entry = std::make_unique<Entry>();
        entry->key = key;
        entry->addresses = addresses;
        entry->expires = expires;
        by_use_.push_back(*entry);
        shrink();
    }

    void set_capacity(size_t capacity) {
        capacity_ = capacity;
        shrink();
    }
    void clear() { entries_.clear(); }
    size_t size() const { return entries_.size(); }

private:
    struct Entry : ListNode {
        ~Entry() { unlink(); }
        std::string key;
        Addresses addresses;
        Nanos expires = 0;
    };

    void shrink() {
        while (entries_.size() > capacity_) {
            entries_.erase(std::string(by_use_.front()->key));
        }
    }

    std::unordered_map<std::string, std::unique_ptr<Entry>> entries_;
    List<Entry> by_use_;
    size_t capacity_ = 1000;
};

}  // namespace stampede::net
