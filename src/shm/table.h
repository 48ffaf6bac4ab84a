// Rows by key in memory that processes share. Rows whose keys meet in one bucket form a chain
// through an overflow area; each chain is guarded by one of a fixed set of mutexes, and so is the
// overflow area. A holder that is killed leaves the old row or the new one, never a torn one: the
// row as it was is kept beside the mutex until the change is complete, and the next process that
// locks it puts it back. Owned by an object of the API, inherited by fork; any process, never
// parks.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "os/futex.h"
#include "os/mmap.h"

namespace stampede::shm {

struct Column {
    enum class Type : uint8_t { kInt = 1, kFloat = 2, kString = 3 };

    std::string name;
    Type type = Type::kInt;
    uint32_t size = 8;    // of the value; of strings what they may take
    uint32_t offset = 0;  // in a row's values; strings have their length, four bytes, before them
};

// The memory, one mapping, made before the fork and so at the same address in all processes (places
// are kept as indices all the same):
//
//   Header                64-byte multiple
//   Stripe 0 ... s-1      each: guard, changing, taken, count | saved values of one row
//                         64-byte multiple: two mutexes are never in one cache line
//   a bit for each block  whether a row of it has ever been used
//   Row 0 ... b-1         the buckets: the first row of each chain
//   Row b ... b+o-1       the overflow area: further rows of chains, in the free list, or never
//   used
//
//   a block is as many rows as a page holds, about: rows of blocks without the bit are not looked
//   at, since the kernel gives memory also for pages that are only read
//   a row      next | hash | use | key length | key | values
//   bucket     hash & (b - 1)         stripe    bucket & (s - 1), the same lowest bits of the hash
//
// s and b are powers of two, s <= b. So the stripe of a row follows from its hash alone.
class Table {
public:
    static constexpr size_t kMaxKey = 63;

    // Rounds rows up to a power of two; the proportion, at least a half of that, is further room
    // for keys that collide. So at least as many rows fit as were asked for.
    static Result<Table> create(std::vector<Column> columns, uint32_t rows, double conflicts);

    const Column* find_column(std::string_view name) const;
    const std::vector<Column>& columns() const { return columns_; }
    uint32_t capacity() const { return header().buckets; }
    uint32_t values_size() const { return values_size_; }  // bytes of a row's values
    size_t memory_size() const { return memory_.size(); }
    uint32_t count() const;

    // One row while it is locked, by key, which outlives it. At most one at a time, for a few
    // instructions: nothing in between may end the scope by a jump.
    class Access {
    public:
        Access(Table& table, std::string_view key);
        ~Access();
        Access(const Access&) = delete;
        Access& operator=(const Access&) = delete;

        bool exists() const { return row_ != kNone; }
        // A row of zeros under the key; false when the table is full. Seen by no process before the
        // scope ends.
        bool insert();
        // To be called before the first change of several that belong together.
        void begin_change();
        void remove();
        const char* values() const;
        char* values();

    private:
        void publish();

        Table& table_;
        std::string_view key_;
        uint32_t hash_;
        uint32_t bucket_;
        uint32_t row_ = kNone;
        uint32_t last_ = kNone;  // of the chain, or the one before row_
        uint32_t depth_ = 0;
        bool fresh_ = false;
        bool changing_ = false;
    };

    // Iteration by place; rows may come and go meanwhile. The first place at or after `place` that
    // holds a row, copied out; kNone when there is none.
    static constexpr uint32_t kNone = UINT32_MAX;
    uint32_t copy_from(uint32_t place, std::string& key, std::string& row_values);

    struct Stats {
        uint64_t inserts, updates, deletes, conflicts;
        uint32_t longest_chain, free_overflow, overflow;
    };
    Stats stats() const;
    void count_update() { header().updates.fetch_add(1, std::memory_order_relaxed); }

private:
    struct Header {
        uint32_t buckets, overflow, stripes, row_size, stripe_size, block_shift;
        uint64_t seed[2];
        os::RobustMutex overflow_guard;
        uint32_t first_free;   // of the overflow area, kEnd = none
        uint32_t first_fresh;  // no row from here on has been used
        // Statistics: read without a mutex, and off by one for ever when a process is killed
        // between a change and its count (free_count is made anew with the list).
        std::atomic<uint32_t> free_count, longest_chain;
        std::atomic<uint64_t> inserts, updates, deletes, conflicts;
    };
    enum class Use : uint8_t { kFree, kUsed, kComing };
    // No link: rows that links lead to are in the overflow area. Zero, so that rows need no
    // initialisation.
    static constexpr uint32_t kEnd = 0;
    // What guards a row: the mutex of its stripe as long as it is in a chain, that of the overflow
    // area as long as it is in the free list. `use` and `hash` are also read without either
    // (copy_from()), as a hint that is checked with the mutex held.
    struct Row {
        uint32_t next;
        uint32_t hash;
        Use use;
        uint8_t key_length;
        char key[kMaxKey + 7];

        std::string_view name() const { return {key, key_length}; }
    };
    // The notes are written under the guard alone, and say to the next holder what a killed one was
    // at. Both are words: a process is killed before such a store or after it, not in it.
    struct Stripe {
        os::RobustMutex guard;
        uint32_t changing;            // the row whose former values lie after, kNone = none
        uint32_t taken;               // the overflow row that is just coming or going, kNone = none
        std::atomic<uint32_t> count;  // of the rows in its chains
    };

    Table(os::SharedMemory memory, std::vector<Column> columns, uint32_t values_size);
    Header& header() const { return *static_cast<Header*>(memory_.data()); }
    Row& row(uint32_t index) const {
        return *reinterpret_cast<Row*>(rows_ + size_t{index} * header().row_size);
    }
    char* values(uint32_t index) const { return reinterpret_cast<char*>(&row(index) + 1); }
    Stripe& stripe(uint32_t bucket) const {
        return *reinterpret_cast<Stripe*>(stripes_ + size_t{bucket & (header().stripes - 1)} *
                                                         header().stripe_size);
    }
    char* saved_values(Stripe& stripe) const { return reinterpret_cast<char*>(&stripe + 1); }
    std::atomic<uint64_t>& word_of_block(uint32_t index) const {
        return used_blocks_[index >> header().block_shift >> 6];
    }
    uint64_t bit_of_block(uint32_t index) const {
        return uint64_t{1} << (index >> header().block_shift & 63);
    }
    bool may_be_used(uint32_t index) const {
        return (word_of_block(index).load(std::memory_order_relaxed) & bit_of_block(index)) != 0;
    }
    void note_use(uint32_t index) const {
        if (!may_be_used(index)) {
            word_of_block(index).fetch_or(bit_of_block(index), std::memory_order_relaxed);
        }
    }
    uint32_t hash_of(std::string_view key) const;
    void lock(uint32_t bucket);
    void recover(Stripe& stripe, uint32_t first_bucket);
    void recover_taken(Stripe& stripe, uint32_t first_bucket);
    bool is_held_by(const Row& taken, uint32_t first_bucket) const;
    uint32_t count_chains(uint32_t first_bucket, uint32_t looked_for, bool& found) const;
    void lock_overflow();
    uint32_t take_overflow(Stripe& stripe);
    void give_overflow(uint32_t index);
    void push_free(uint32_t index);
    void initialise();

    os::SharedMemory memory_;
    std::vector<Column> columns_;
    uint32_t values_size_ = 0;
    char* stripes_ = nullptr;
    std::atomic<uint64_t>* used_blocks_ = nullptr;
    char* rows_ = nullptr;
};

}  // namespace stampede::shm
