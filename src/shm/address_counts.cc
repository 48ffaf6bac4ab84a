#include "shm/address_counts.h"

#include <bit>
#include <cstring>
#include <vector>

#include "os/host.h"

namespace stampede::shm {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr uint64_t kIpv4 = uint64_t{1} << 32;  // no IPv6 network begins like this
constexpr uint64_t kZeroNetwork = uint64_t{2} << 32;

}  // namespace

AddressKey address_key(const sockaddr_in6& address) {
    if (address.sin6_family == AF_INET) {
        return kIpv4 | ntohl(reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr);
    }
    if (address.sin6_family != AF_INET6) {
        return 0;
    }
    const uint8_t* bytes = address.sin6_addr.s6_addr;
    if (IN6_IS_ADDR_V4MAPPED(&address.sin6_addr)) {
        uint32_t host;
        std::memcpy(&host, bytes + 12, sizeof(host));
        return kIpv4 | ntohl(host);
    }
    uint64_t network = 0;
    for (int i = 0; i < 8; i++) {
        network = network << 8 | bytes[i];
    }
    return network != 0 ? network : kZeroNetwork;
}

Result<std::unique_ptr<AddressCounts>> AddressCounts::create(uint32_t lines, uint32_t addresses) {
    uint32_t capacity = std::bit_ceil(addresses < 64 ? 128 : addresses * 2);
    auto memory =
        os::SharedMemory::create(lines * (sizeof(Line) + size_t{capacity} * sizeof(Entry)),
                                 os::SharedMemory::Pages::kWhenTouched);
    if (!memory) {
        return memory.error();
    }
    return std::unique_ptr<AddressCounts>(new AddressCounts(std::move(*memory), lines, capacity));
}

AddressCounts::AddressCounts(os::SharedMemory memory, uint32_t lines, uint32_t capacity)
    : memory_(std::move(memory)),
      lines_(lines),
      capacity_(capacity),
      shift_(64 - static_cast<uint32_t>(std::countr_zero(capacity))),
      seed_(0) {
    os::random_bytes(&seed_, sizeof(seed_));
}

AddressCounts::Line& AddressCounts::line(uint32_t index) const {
    return static_cast<Line*>(memory_.data())[index];
}

AddressCounts::Entry* AddressCounts::entries(uint32_t index) const {
    auto* first = reinterpret_cast<Entry*>(static_cast<Line*>(memory_.data()) + lines_);
    return first + size_t{index} * capacity_;
}

AddressCounts::Entry* AddressCounts::find(uint32_t index, AddressKey key) const {
    Entry* table = entries(index);
    size_t slot = slot_of(key);
    for (uint32_t i = 0; i < capacity_; i++, slot = (slot + 1) & (capacity_ - 1)) {
        uint64_t present = table[slot].key.load();
        if (present == key) {
            return &table[slot];
        }
        if (present == 0) {
            return nullptr;
        }
    }
    return nullptr;
}

// Keys and counts are stored and read in the one order that all processes agree on (seq_cst, the
// default), and total() of this worker comes after it: of two workers that add the same address at
// the same moment at least one sees both. With weaker orders each could see its own alone, and the
// limit be passed.
bool AddressCounts::add(uint32_t index, AddressKey key) {
    Line& own = line(index);
    if (Entry* entry = find(index, key)) {
        own.live += entry->count.load(kRelaxed) == 0 ? 1 : 0;
        entry->count.fetch_add(1);
        return true;
    }
    if (own.used >= capacity_ / 4 * 3) {
        if (own.live >= capacity_ / 2) {
            return false;
        }
        rebuild(index);
    }
    Entry* table = entries(index);
    size_t slot = slot_of(key);
    while (table[slot].key.load(kRelaxed) != 0) {
        slot = (slot + 1) & (capacity_ - 1);
    }
    own.used++;  // first: by it clear() finds the entries of a worker that was killed
    own.live++;
    table[slot].count.store(1);
    table[slot].key.store(key);
    return true;
}

// The key stays: an empty slot in its place would hide those that were put beyond it.
void AddressCounts::remove(uint32_t index, AddressKey key) {
    Entry* entry = find(index, key);
    if (entry == nullptr || entry->count.load(kRelaxed) == 0) {
        return;
    }
    if (entry->count.fetch_sub(1) == 1) {
        line(index).live--;
    }
}

// Without the entries that count nothing. A process that reads meanwhile may miss some: an address
// can get a connection too many then.
void AddressCounts::rebuild(uint32_t index) {
    struct Kept {
        uint64_t key;
        uint64_t count;
    };
    Line& own = line(index);
    Entry* table = entries(index);
    std::vector<Kept> kept;
    kept.reserve(own.live);
    for (uint32_t i = 0; i < capacity_; i++) {
        if (uint64_t count = table[i].count.load(kRelaxed); count != 0) {
            kept.push_back({table[i].key.load(kRelaxed), count});
        }
    }
    clear(index);
    // First, as in add(): the table is not empty from the first entry on.
    own.used = own.live = static_cast<uint32_t>(kept.size());
    for (const Kept& entry : kept) {
        size_t slot = slot_of(entry.key);
        while (table[slot].key.load(kRelaxed) != 0) {
            slot = (slot + 1) & (capacity_ - 1);
        }
        table[slot].count.store(entry.count);
        table[slot].key.store(entry.key);
    }
}

// A line that was never used is not looked through: that would take the memory of all its entries.
void AddressCounts::clear(uint32_t index) {
    Entry* table = entries(index);
    for (uint32_t i = 0; line(index).used > 0 && i < capacity_; i++) {
        if (table[i].key.load(kRelaxed) != 0) {
            table[i].count.store(0, kRelaxed);
            table[i].key.store(0, kRelaxed);
        }
    }
    line(index).used = line(index).live = 0;
}

// Also of entries in a line whose worker has just been killed, until its state says kEmpty.
uint64_t AddressCounts::total(Scoreboard& board, AddressKey key) const {
    uint64_t sum = 0;
    for (uint32_t index = 0; index < lines_; index++) {
        if (board.line(index).state.load(kRelaxed) == WorkerState::kEmpty) {
            continue;
        }
        if (const Entry* entry = find(index, key)) {
            sum += entry->count.load();
        }
    }
    return sum;
}

}  // namespace stampede::shm
