// Which connections there are, for all processes of a server: a table per line of the scoreboard,
// written by the worker that has the line and read by everybody without waiting. Owned by the
// supervisor, inherited by fork. Any process, never parks.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/error.h"
#include "os/mmap.h"

namespace stampede::shm {

enum class Standing : uint8_t { kNone, kOpen, kEstablished };  // established: speaks WebSocket

// What the other workers can be told of a connection. One that a local socket brought has no
// address: family 0.
struct Facts {
    uint64_t address[2] = {};  // in network order; IPv4 in the first four bytes
    uint32_t opened_at = 0;    // wall clock, seconds
    uint16_t remote_port = 0;
    uint8_t port_index = 0;  // of the server's ports, 255 for the 256th and later
    uint8_t family = 0;
};

class Presence {
public:
    // Room for so many connections of each line; further ones are unknown to the others.
    static Result<std::unique_ptr<Presence>> create(uint32_t lines, uint32_t connections);

    uint32_t lines() const { return lines_; }
    // Whose line the number of a connection says it is: where it was accepted.
    uint32_t line_of(int64_t id) const {
        return static_cast<uint32_t>(static_cast<uint64_t>(id - 1) % lines_);
    }
    // Where it is now: another line took over connections of a worker that was replaced. That of
    // its number when it is nowhere.
    uint32_t owner_of(int64_t id) const;
    // Its facts, too, where they are wanted and it is there.
    Standing standing(int64_t id, Facts* facts = nullptr) const;
    bool is_in(uint32_t line, int64_t id) const {
        return standing_in(line, id, nullptr) != Standing::kNone;
    }
    // What is open at about now, of all lines; of one port, or of all (-1).
    std::vector<int64_t> all(int port_index = -1) const;

    // How much waits for the peer of a connection: bytes that other processes have sent to its
    // worker, and what the worker has not written yet. About so much; 0 when there is none.
    int64_t backlog(int64_t id) const;
    // Whether its worker keeps as much for slow peers as it may.
    bool is_crowded(int64_t id) const {
        return line(owner_of(id)).is_crowded.load(std::memory_order_relaxed);
    }
    // Bytes leave a process for the worker that has this line; below 0: that worker has them.
    void note_on_way(uint32_t line, int64_t id, int64_t bytes);

    // Of the worker that has the line.
    void publish_unsent(uint32_t line, int64_t id, uint64_t bytes);
    void set_crowded(uint32_t index, bool is_crowded) {
        line(index).is_crowded.store(is_crowded, std::memory_order_relaxed);
    }
    void clear(uint32_t line);
    void add(uint32_t line, int64_t id, const Facts& facts = {});
    void establish(uint32_t line, int64_t id);
    void remove(uint32_t line, int64_t id);

private:
    // The value is a number shifted left, with the lowest bit for "established". The facts are
    // written before their number and never while it stands there, and a number is used once: a
    // process that finds the same number before and after reading them has read what belongs to it.
    struct Entry {
        std::atomic<uint64_t> value;
        std::atomic<uint64_t> facts[3];
        std::atomic<int64_t> on_way;
        std::atomic<uint64_t> unsent;

        void put(const Facts& from);
        Facts get() const;
    };
    static_assert(sizeof(Facts) == sizeof(Entry::facts));
    //
    //   Line 0 ... l-1 | table 0 and 1 of line 0 | table 0 and 1 of line 1 | ...
    //
    // used and live are the writer's; others read `live` as a hint whether there is anything to be
    // looked through, for which any moment's value will do.
    struct alignas(64) Line {
        std::atomic<uint32_t> version;  // counts tables; the line has two, used in turn
        uint32_t used;                  // entries that are not empty
        uint32_t live;
        std::atomic<uint32_t> guests;  // entries whose numbers are of other lines
        std::atomic<bool> is_crowded;
    };

    static constexpr uint64_t kEmpty = 0;
    static constexpr uint64_t kGone = 1;  // empty, but others are found beyond it
    static constexpr uint32_t kGroup = 8;

    Presence(os::SharedMemory memory, uint32_t lines, uint32_t capacity);
    Line& line(uint32_t index) const;
    Entry* entries(uint32_t index, uint32_t version) const;
    // Connections of a worker that come one after another lie side by side, since they often go so,
    // too; eight of them, so that many that stay are no long row for others to walk along.
    size_t slot_of(int64_t id) const {
        uint64_t number = static_cast<uint64_t>(id - 1) / lines_;
        uint64_t group = (number / kGroup * 0x9e3779b97f4a7c15) >> shift_;
        return static_cast<size_t>(group * kGroup + number % kGroup);
    }
    Entry* find(uint32_t index, int64_t id, uint32_t version) const {
        return find_in(entries(index, version), id);
    }
    Entry* find_in(Entry* table, int64_t id) const;
    Standing standing_in(uint32_t index, int64_t id, Facts* facts) const;
    void collect(uint32_t index, int port_index, std::vector<int64_t>& found) const;
    // Whether an empty entry was taken, else one of those that have gone.
    bool insert(Entry* table, uint64_t value, const Facts& facts);
    uint32_t clear_gone(Entry* table, size_t slot);
    void rebuild(uint32_t index);

    os::SharedMemory memory_;
    uint32_t lines_;
    uint32_t capacity_;  // a power of two
    uint32_t shift_;     // of a hash, so that the number of a group is left
};

}  // namespace stampede::shm
