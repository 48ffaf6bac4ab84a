// One writer for each line, any number of readers, and no lock between them:
//
//   line      version ----> table 0 | table 1      only the table of the version's lowest bit is
//   valid entry     value = number << 1 | established, then three words of facts
//
// A connection has an entry in the line of its number, or in that of the worker that took it over;
// for a moment in both.
//
// A reader takes the version, looks, and takes the version again: when it has changed, the table
// may have been cleared under its hands, and it looks again. The same holds within an entry for the
// facts, with the number in place of the version. The writer never changes an entry that readers
// could take for a whole one: facts first, number last.
//
//   writer                                    reader
//   value = gone           (release)          value        (acquire)   the number?
//   fence                  (release)          facts        (relaxed)
//   facts                  (relaxed)          fence        (acquire)
//   value = other number   (release)          value        (relaxed)   still the number?
//
// A reader that has read one of the new facts sees, after its fence, that the value before them has
// gone, and throws them away. The same value cannot come back with other facts (ABA): numbers of
// connections are never used again. A version would have to count through 32 bits within one look.
//
// A writer that is killed leaves whole entries, or one whose value is still "gone". Its successor
// finds the line by used > 0 and clears it.
#include "shm/presence.h"

#include <bit>
#include <cstring>
#include <iterator>

namespace stampede::shm {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

void Presence::Entry::put(const Facts& from) {
    uint64_t words[std::size(facts)];
    std::memcpy(words, &from, sizeof(words));
    // A reader that sees one of these words also sees that the number before them has gone.
    std::atomic_thread_fence(std::memory_order_release);
    for (size_t i = 0; i < std::size(facts); i++) {
        facts[i].store(words[i], kRelaxed);
    }
}

Facts Presence::Entry::get() const {
    uint64_t words[std::size(facts)];
    for (size_t i = 0; i < std::size(facts); i++) {
        words[i] = facts[i].load(kRelaxed);
    }
    Facts read;
    std::memcpy(static_cast<void*>(&read), words, sizeof(words));
    return read;
}

Result<std::unique_ptr<Presence>> Presence::create(uint32_t lines, uint32_t connections) {
    uint32_t capacity = std::bit_ceil(connections < 64 ? 128 : connections * 2);
    auto memory =
        os::SharedMemory::create(lines * (sizeof(Line) + 2 * size_t{capacity} * sizeof(Entry)),
                                 os::SharedMemory::Pages::kWhenTouched);
    if (!memory) {
        return memory.error();
    }
    return std::unique_ptr<Presence>(new Presence(std::move(*memory), lines, capacity));
}

Presence::Presence(os::SharedMemory memory, uint32_t lines, uint32_t capacity)
    : memory_(std::move(memory)),
      lines_(lines),
      capacity_(capacity),
      shift_(64 - static_cast<uint32_t>(std::countr_zero(capacity / kGroup))) {}

Presence::Line& Presence::line(uint32_t index) const {
    return static_cast<Line*>(memory_.data())[index];
}

Presence::Entry* Presence::entries(uint32_t index, uint32_t version) const {
    auto* first = reinterpret_cast<Entry*>(static_cast<Line*>(memory_.data()) + lines_);
    return first + (size_t{index} * 2 + (version & 1)) * capacity_;
}

// Bounded by the capacity: a reader of a table that is being rebuilt may find no empty entry to
// stop at.
Presence::Entry* Presence::find_in(Entry* table, int64_t id) const {
    size_t slot = slot_of(id);
    for (uint32_t i = 0; i < capacity_; i++, slot = (slot + 1) & (capacity_ - 1)) {
        uint64_t value = table[slot].value.load(kRelaxed);
        if (value == kEmpty) {
            return nullptr;
        }
        if (value >> 1 == static_cast<uint64_t>(id)) {
            return &table[slot];
        }
    }
    return nullptr;
}

Standing Presence::standing(int64_t id, Facts* facts) const {
    Standing found = id > 0 ? standing_in(line_of(id), id, facts) : Standing::kNone;
    // Elsewhere; twice, since it may have left the line where it was found.
    for (int i = 0; i < 2 && id > 0 && found == Standing::kNone; i++) {
        found = standing_in(owner_of(id), id, facts);
    }
    return found;
}

// A connection that moves is in its new line before it leaves the old one: a look that has missed
// it in both finds it at the next.
uint32_t Presence::owner_of(int64_t id) const {
    constexpr int kLooks = 3;
    uint32_t home = line_of(id);
    for (int i = 0; i < kLooks; i++) {
        if (standing_in(home, id, nullptr) != Standing::kNone) {
            return home;
        }
        bool has_guests = false;
        for (uint32_t index = 0; index < lines_; index++) {
            if (index == home || line(index).guests.load(kRelaxed) == 0) {
                continue;
            }
            has_guests = true;
            if (standing_in(index, id, nullptr) != Standing::kNone) {
                return index;
            }
        }
        if (!has_guests) {
            break;
        }
    }
    return home;
}

// Without a bound on the number of rounds, but each further one needs a table that was built anew
// meanwhile.
Standing Presence::standing_in(uint32_t index, int64_t id, Facts* facts) const {
    const Line& owner = line(index);
    for (;;) {
        uint32_t version = owner.version.load(std::memory_order_acquire);
        const Entry* entry = find(index, id, version);
        uint64_t value = entry != nullptr ? entry->value.load(std::memory_order_acquire) : kEmpty;
        if (value >> 1 == static_cast<uint64_t>(id) && facts != nullptr) {
            *facts = entry->get();
            std::atomic_thread_fence(std::memory_order_acquire);
            value = entry->value.load(kRelaxed);
        }
        if (value >> 1 == static_cast<uint64_t>(id)) {
            return (value & 1) != 0 ? Standing::kEstablished : Standing::kOpen;
        }
        // It is not there, unless the table was given up while we looked.
        std::atomic_thread_fence(std::memory_order_acquire);
        if (owner.version.load(kRelaxed) == version) {
            return Standing::kNone;
        }
    }
}

// A port is read without a second look at the number: an entry that changes hands in between gives
// a connection that has just closed a wrong port, or leaves it out, and closed ones may be in the
// list anyway.
void Presence::collect(uint32_t index, int port_index, std::vector<int64_t>& found) const {
    const Line& owner = line(index);
    size_t before = found.size();
    for (;;) {
        uint32_t version = owner.version.load(std::memory_order_acquire);
        const Entry* table = entries(index, version);
        for (uint32_t i = 0; i < capacity_; i++) {
            uint64_t value = table[i].value.load(std::memory_order_acquire);
            if (value > kGone && (port_index < 0 || table[i].get().port_index == port_index)) {
                found.push_back(static_cast<int64_t>(value >> 1));
            }
        }
        std::atomic_thread_fence(std::memory_order_acquire);
        if (owner.version.load(kRelaxed) == version) {
            return;
        }
        found.resize(before);
    }
}

std::vector<int64_t> Presence::all(int port_index) const {
    std::vector<int64_t> found;
    for (uint32_t index = 0; index < lines_; index++) {
        if (line(index).live > 0) {
            collect(index, port_index, found);
        }
    }
    return found;
}

// Release: a reader that sees the number sees the facts as well.
bool Presence::insert(Entry* table, uint64_t value, const Facts& facts) {
    size_t slot = slot_of(static_cast<int64_t>(value >> 1));
    while (table[slot].value.load(kRelaxed) > kGone) {
        slot = (slot + 1) & (capacity_ - 1);
    }
    bool was_empty = table[slot].value.load(kRelaxed) == kEmpty;
    table[slot].put(facts);
    table[slot].on_way.store(0, kRelaxed);
    table[slot].unsent.store(0, kRelaxed);
    table[slot].value.store(value, std::memory_order_release);
    return was_empty;
}

// Without the entries of those that have gone, in the table that is not in use. A process that is
// killed at it leaves the present one as it was.
void Presence::rebuild(uint32_t index) {
    Line& own = line(index);
    uint32_t version = own.version.load(kRelaxed);
    Entry* old = entries(index, version);
    Entry* fresh = entries(index, version + 1);
    // A process that still reads it and sees what follows also sees that it is in use no more.
    std::atomic_thread_fence(std::memory_order_release);
    for (uint32_t i = 0; i < capacity_; i++) {
        fresh[i].value.store(kEmpty, kRelaxed);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < capacity_; i++) {
        if (uint64_t value = old[i].value.load(kRelaxed); value > kGone) {
            insert(fresh, value, old[i].get());
            Entry* copy = find_in(fresh, static_cast<int64_t>(value >> 1));
            copy->on_way.store(old[i].on_way.load(kRelaxed), kRelaxed);
            copy->unsent.store(old[i].unsent.load(kRelaxed), kRelaxed);
            count++;
        }
    }
    own.used = own.live = count;
    own.version.store(version + 1, std::memory_order_release);
}

// Both numbers are estimates: what a process counts while the table is built anew may be missing
// from the new one, and a sender that is killed between its message and its count leaves one that
// is too low. Either lets a little more through than there is room for.
int64_t Presence::backlog(int64_t id) const {
    uint32_t index = owner_of(id);
    const Entry* entry = find(index, id, line(index).version.load(std::memory_order_acquire));
    return entry != nullptr
               ? entry->on_way.load(kRelaxed) + static_cast<int64_t>(entry->unsent.load(kRelaxed))
               : 0;
}

void Presence::note_on_way(uint32_t index, int64_t id, int64_t bytes) {
    Entry* entry = find(index, id, line(index).version.load(std::memory_order_acquire));
    if (entry == nullptr) {
        return;
    }
    entry->on_way.fetch_add(bytes, kRelaxed);
    if (entry->value.load(std::memory_order_acquire) >> 1 != static_cast<uint64_t>(id)) {
        entry->on_way.fetch_sub(bytes, kRelaxed);  // another connection has the entry now
    }
}

void Presence::publish_unsent(uint32_t index, int64_t id, uint64_t bytes) {
    if (Entry* entry = find(index, id, line(index).version.load(kRelaxed))) {
        entry->unsent.store(bytes, kRelaxed);
    }
}

// A new process has taken the line of one that was killed: `used` counts before the entry is
// written, so 0 means that there is none.
void Presence::clear(uint32_t index) {
    Line& own = line(index);
    uint32_t version = own.version.load(kRelaxed);
    Entry* table = entries(index, version);
    for (uint32_t i = 0; own.used > 0 && i < capacity_; i++) {
        if (table[i].value.load(kRelaxed) != kEmpty) {
            table[i].value.store(kEmpty, kRelaxed);
        }
    }
    own.used = own.live = 0;
    own.guests.store(0, kRelaxed);
    own.is_crowded.store(false, kRelaxed);
}

// Above half of the room the connection stays unknown to the other workers: to them it is not
// there. A table that is full of gone entries is rebuilt first.
void Presence::add(uint32_t index, int64_t id, const Facts& facts) {
    Line& own = line(index);
    if (own.used >= capacity_ / 4 * 3) {
        if (own.live >= capacity_ / 2) {
            return;
        }
        rebuild(index);
    }
    Entry* table = entries(index, own.version.load(kRelaxed));
    own.used++;  // first: the entries of a worker that was killed are found by it
    own.live++;
    own.guests.fetch_add(index != line_of(id) ? 1 : 0, kRelaxed);
    own.used -= insert(table, static_cast<uint64_t>(id) << 1, facts) ? 0 : 1;
}

// The number stays the same, so a reader that compares it before and after takes either value for
// whole.
void Presence::establish(uint32_t index, int64_t id) {
    if (Entry* entry = find(index, id, line(index).version.load(kRelaxed))) {
        entry->value.store(static_cast<uint64_t>(id) << 1 | 1, std::memory_order_release);
    }
}

// "Gone" and not empty: an empty entry would end the search for connections that lie beyond it.
void Presence::remove(uint32_t index, int64_t id) {
    Line& own = line(index);
    uint32_t version = own.version.load(kRelaxed);
    if (Entry* entry = find(index, id, version)) {
        Entry* table = entries(index, version);
        entry->value.store(kGone, std::memory_order_release);
        own.live--;
        own.guests.fetch_sub(index != line_of(id) ? 1 : 0, kRelaxed);
        own.used -= clear_gone(table, static_cast<size_t>(entry - table));
    }
}

// Nothing is found beyond an empty entry, so those that have gone right before one are empty, too.
// Returns how many became so.
uint32_t Presence::clear_gone(Entry* table, size_t slot) {
    size_t mask = capacity_ - 1;
    uint32_t count = 0;
    if (table[(slot + 1) & mask].value.load(kRelaxed) == kEmpty) {
        for (; table[slot].value.load(kRelaxed) == kGone; slot = (slot - 1) & mask) {
            table[slot].value.store(kEmpty, std::memory_order_release);
            count++;
        }
    }
    return count;
}

}  // namespace stampede::shm
