// How many connections each address has, over all workers: a table per line of the scoreboard,
// written by the worker that has the line and read by the others without waiting. What a killed
// worker leaves behind does not count, since its line is empty. Owned by the supervisor, inherited
// by fork. Any process, never parks.
#pragma once

#include <netinet/in.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "os/mmap.h"
#include "shm/scoreboard.h"

namespace stampede::shm {

// What is counted together: an IPv4 address, or the /64 of an IPv6 address, which is what one
// customer has. 0: neither.
using AddressKey = uint64_t;
AddressKey address_key(const sockaddr_in6& address);

class AddressCounts {
public:
    // Room for so many addresses of each line; connections of further ones are not counted.
    static Result<std::unique_ptr<AddressCounts>> create(uint32_t lines, uint32_t addresses);

    // Of the worker that has the line. add: false when the line has no room.
    bool add(uint32_t line, AddressKey key);
    void remove(uint32_t line, AddressKey key);
    void clear(uint32_t line);

    // Of all lines that a process serves on. Of two workers that add at the same moment at least
    // one sees both.
    uint64_t total(Scoreboard& board, AddressKey key) const;

private:
    // One writer for each line. Readers find an entry by its key, which is stored after the count
    // and read before it, so they never see a key with the count of another one. A key stays where
    // it is until the table is built anew, also when its count is 0: others are found beyond it.
    //
    //   Line 0 ... l-1 | entries of line 0 | entries of line 1 | ...     pages are had when touched
    struct Entry {
        std::atomic<uint64_t> key;
        std::atomic<uint64_t> count;
    };
    struct alignas(64) Line {
        // Of the writer alone, and of its successor, which clears the table by them.
        uint32_t used;  // entries that are not empty
        uint32_t live;  // those that count something
    };

    AddressCounts(os::SharedMemory memory, uint32_t lines, uint32_t capacity);
    Line& line(uint32_t index) const;
    Entry* entries(uint32_t index) const;
    size_t slot_of(AddressKey key) const {
        uint64_t mixed = (key ^ seed_) * 0x9e3779b97f4a7c15;
        return static_cast<size_t>((mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9 >> shift_);
    }
    Entry* find(uint32_t index, AddressKey key) const;
    void rebuild(uint32_t index);

    os::SharedMemory memory_;
    uint32_t lines_;
    uint32_t capacity_;  // a power of two
    uint32_t shift_;
    uint64_t seed_;  // so that nobody can choose addresses that collide
};

}  // namespace stampede::shm
