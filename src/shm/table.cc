// A process may be killed between any two stores here, with a mutex held. Each change is ordered so
// that the next process that locks the chain finds one of a few states and can tell them apart:
//
//   bucket row -> overflow row -> overflow row       a chain, guarded by stripe(bucket)
//
//   insert into the overflow   taken = row; its use = kComing, hash = stripe; out of the free list;
//                              key and values; use = kUsed; hash = of the key; linked; taken = none
//   remove from it             taken = row; unlinked; use = kFree, into the free list; taken = none
//
// A row that has never been used is taken from the end of the used ones instead of the free list,
// in the same order: `first_fresh` goes on where `first_free` would.
//
//   change of values           copy beside the mutex; changing = row; the stores; changing = none
//
// recover() puts old values back, counts the chains, and frees a taken row that is in none of them.
// The free list has no order of its own to repair: it is built anew from `use`. Whether a block was
// used is noted before a row of it is, and never taken back.
#include "shm/table.h"

#include <bit>
#include <cstring>
#include <new>

#include "os/host.h"

namespace stampede::shm {

namespace {

constexpr uint32_t kStripes = 256;
constexpr uint32_t kPage = 4096;
// As many rows as buckets leave 37 of 100 without a bucket of their own: with this they all fit.
// What of it no row uses is address space only.
constexpr double kLeastOverflow = 0.5;

// What was written before is written before what follows: a process may be killed in between, and
// the order of its last stores is all that recovery has. Only the compiler has to be kept from
// changing the order: a kill takes effect between two instructions, all that were executed before
// are done, and the next holder sees them, since it gets the mutex from the kernel. Processors that
// write late or in another order (ARM) do not change that: the mutex orders their stores, too.
void in_order() { std::atomic_signal_fence(std::memory_order_seq_cst); }

size_t rounded(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

struct Sip {
    uint64_t v0, v1, v2, v3;

    void round() {
        v0 += v1;
        v1 = std::rotl(v1, 13) ^ v0;
        v0 = std::rotl(v0, 32);
        v2 += v3;
        v3 = std::rotl(v3, 16) ^ v2;
        v0 += v3;
        v3 = std::rotl(v3, 21) ^ v0;
        v2 += v1;
        v1 = std::rotl(v1, 17) ^ v2;
        v2 = std::rotl(v2, 32);
    }
    void absorb(uint64_t word) {
        v3 ^= word;
        round();
        v0 ^= word;
    }
};

// SipHash-1-3: keys may come from strangers, which must not be able to aim at one chain.
uint64_t keyed_hash(std::string_view text, const uint64_t (&seed)[2]) {
    Sip sip{seed[0] ^ 0x736f6d6570736575, seed[1] ^ 0x646f72616e646f6d,
            seed[0] ^ 0x6c7967656e657261, seed[1] ^ 0x7465646279746573};
    size_t i = 0;
    for (; i + 8 <= text.size(); i += 8) {
        uint64_t word;
        std::memcpy(&word, text.data() + i, 8);
        sip.absorb(word);
    }
    uint64_t last = static_cast<uint64_t>(text.size()) << 56;
    std::memcpy(&last, text.data() + i, text.size() - i);
    last |= static_cast<uint64_t>(text.size()) << 56;
    sip.absorb(last);
    sip.v2 ^= 0xff;
    sip.round();
    sip.round();
    sip.round();
    return sip.v0 ^ sip.v1 ^ sip.v2 ^ sip.v3;
}

// The bits of all blocks, in whole words that no mutex shares a cache line with.
size_t block_bytes(uint32_t shift, uint32_t rows) { return rounded((rows >> shift >> 3) + 8, 64); }

// Places every column; the size of a row's values.
uint32_t lay_out(std::vector<Column>& columns) {
    uint32_t size = 0;
    for (Column& column : columns) {
        column.offset = size;
        uint32_t length_bytes = column.type == Column::Type::kString ? 4 : 0;
        size += static_cast<uint32_t>(rounded(column.size + length_bytes, 8));
    }
    return size;
}

}  // namespace

Result<Table> Table::create(std::vector<Column> columns, uint32_t rows, double conflicts) {
    uint32_t buckets = std::bit_ceil(rows < 64 ? 64u : rows);
    auto overflow =
        static_cast<uint32_t>(buckets * (conflicts > kLeastOverflow ? conflicts : kLeastOverflow)) +
        1;
    uint32_t values_size = lay_out(columns);
    Header header{};
    header.buckets = buckets;
    header.overflow = overflow;
    header.stripes = buckets < kStripes ? buckets : kStripes;
    header.row_size = static_cast<uint32_t>(sizeof(Row)) + values_size;
    header.stripe_size = static_cast<uint32_t>(rounded(sizeof(Stripe) + values_size, 64));
    header.block_shift = header.row_size < kPage ? std::bit_width(kPage / header.row_size) : 0;
    size_t size = rounded(sizeof(Header), 64) + size_t{header.stripes} * header.stripe_size +
                  block_bytes(header.block_shift, buckets + overflow) +
                  (size_t{buckets} + overflow) * header.row_size;
    Result<os::SharedMemory> memory =
        os::SharedMemory::create(size, os::SharedMemory::Pages::kPromised);
    if (!memory) {
        return memory.error();
    }
    auto* place = new (memory->data()) Header();
    place->buckets = header.buckets;
    place->overflow = header.overflow;
    place->stripes = header.stripes;
    place->row_size = header.row_size;
    place->stripe_size = header.stripe_size;
    place->block_shift = header.block_shift;
    Table table(std::move(*memory), std::move(columns), values_size);
    table.initialise();
    return table;
}

Table::Table(os::SharedMemory memory, std::vector<Column> columns, uint32_t values_size)
    : memory_(std::move(memory)), columns_(std::move(columns)), values_size_(values_size) {
    stripes_ = static_cast<char*>(memory_.data()) + rounded(sizeof(Header), 64);
    char* blocks = stripes_ + size_t{header().stripes} * header().stripe_size;
    used_blocks_ = reinterpret_cast<std::atomic<uint64_t>*>(blocks);
    rows_ = blocks + block_bytes(header().block_shift, header().buckets + header().overflow);
}

void Table::initialise() {
    Header& head = header();
    os::random_bytes(head.seed, sizeof(head.seed));
    head.overflow_guard.init();
    for (uint32_t i = 0; i < head.stripes; i++) {
        auto* stripe_place = new (&stripe(i)) Stripe();
        stripe_place->guard.init();
        stripe_place->changing = stripe_place->taken = kNone;
    }
    head.first_free = kEnd;
    head.first_fresh = head.buckets;
    head.free_count = head.overflow;
}

const Column* Table::find_column(std::string_view name) const {
    for (const Column& column : columns_) {
        if (column.name == name) {
            return &column;
        }
    }
    return nullptr;
}

uint32_t Table::count() const {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < header().stripes; i++) {
        sum += stripe(i).count.load(std::memory_order_relaxed);
    }
    return sum;
}

uint32_t Table::hash_of(std::string_view key) const {
    return static_cast<uint32_t>(keyed_hash(key, header().seed));
}

// ---- what a killed holder leaves behind --------------------------------------------------------

// `true` from guard.lock() means EOWNERDEAD: the kernel walks the list of robust mutexes of a
// thread that ends, however it ends. The mutex counts as consistent from then on, before recover()
// has run: a process that is killed in recover() leaves it to the next one, which finds the notes
// as they were.
void Table::lock(uint32_t bucket) {
    Stripe& mine = stripe(bucket);
    if (mine.guard.lock()) {
        recover(mine, bucket & (header().stripes - 1));
    }
}

// With the mutex held, after its holder was killed. Each step may be repeated: a note is cleared
// after what it asks for is done.
void Table::recover(Stripe& mine, uint32_t first_bucket) {
    if (mine.changing != kNone) {
        std::memcpy(values(mine.changing), saved_values(mine), values_size_);
        mine.changing = kNone;
    }
    recover_taken(mine, first_bucket);
}

// Counts the rows of all chains of a stripe anew and sees whether one of them is looked for.
// All chains of the stripe, since which of them was under way is not noted; at most buckets /
// stripes of them.
uint32_t Table::count_chains(uint32_t first_bucket, uint32_t looked_for, bool& found) const {
    uint32_t count = 0;
    found = false;
    for (uint32_t bucket = first_bucket; bucket < header().buckets; bucket += header().stripes) {
        if (!may_be_used(bucket)) {
            continue;
        }
        uint32_t i = bucket;
        do {
            count += row(i).use == Use::kUsed ? 1 : 0;
            found = found || i == looked_for;
            i = row(i).next;
        } while (i != kEnd);
    }
    return count;
}

void Table::recover_taken(Stripe& mine, uint32_t first_bucket) {
    bool in_chain;
    mine.count = count_chains(first_bucket, mine.taken, in_chain);
    uint32_t taken = mine.taken;
    if (taken == kNone) {
        return;
    }
    if (!in_chain) {
        lock_overflow();
        if (is_held_by(row(taken), first_bucket)) {
            push_free(taken);
        }
        header().overflow_guard.unlock();
    }
    mine.taken = kNone;
}

// Whether a row of the overflow area is out of the free list for this stripe. `taken` alone does
// not say so: it is written before the row leaves the free list and cleared after the row has come
// back, and in between another stripe may have got the row. To be asked under the overflow area's
// mutex, under which rows change their stripe.
bool Table::is_held_by(const Row& taken, uint32_t first_bucket) const {
    // While a row is coming its hash is the number of the stripe; later it is the hash of the key,
    // whose lowest bits are that number.
    return taken.use != Use::kFree && (taken.hash & (header().stripes - 1)) == first_bucket;
}

// Rows that are in chains, or coming, are not kFree, so the new list cannot have them. A row whose
// process was killed before it became kComing, or after it became kFree again, is in it. The list
// is a stack without ABA: all of its changes happen under this mutex.
void Table::lock_overflow() {
    Header& head = header();
    if (!head.overflow_guard.lock()) {
        return;
    }
    // The list may have lost its head: whatever says it is free makes the new one.
    uint32_t end = head.buckets + head.overflow;
    if (head.first_fresh < end && row(head.first_fresh).use != Use::kFree) {
        head.first_fresh++;  // it was just being taken
    }
    uint32_t free_count = end - head.first_fresh;
    head.first_free = kEnd;
    for (uint32_t i = head.first_fresh; i-- > head.buckets;) {
        if (row(i).use == Use::kFree) {
            row(i).next = head.first_free;
            head.first_free = i;
            free_count++;
        }
    }
    head.free_count = free_count;
}

// ---- the overflow area -------------------------------------------------------------------------

// The second mutex is always taken inside of the first, never the other way round: two processes
// that took them in different orders would wait for each other. A process that is killed with both
// leaves two dead mutexes, which are put right one by one, by the process that takes each of them
// next.
uint32_t Table::take_overflow(Stripe& mine) {
    Header& head = header();
    lock_overflow();
    bool fresh = head.first_free == kEnd;
    uint32_t index = fresh ? head.first_fresh : head.first_free;
    if (index == head.buckets + head.overflow) {
        index = kNone;
    } else {
        note_use(index);
        Row& taken = row(index);
        mine.taken = index;
        in_order();
        taken.hash =
            static_cast<uint32_t>((reinterpret_cast<char*>(&mine) - stripes_) / head.stripe_size);
        in_order();
        taken.use = Use::kComing;
        in_order();
        if (fresh) {
            head.first_fresh = index + 1;
        } else {
            head.first_free = taken.next;
        }
        head.free_count.fetch_sub(1, std::memory_order_relaxed);
        taken.next = kEnd;
    }
    head.overflow_guard.unlock();
    return index;
}

void Table::give_overflow(uint32_t index) {
    lock_overflow();
    push_free(index);
    header().overflow_guard.unlock();
}

// With the mutex of the overflow area held.
void Table::push_free(uint32_t index) {
    Header& head = header();
    Row& given = row(index);
    given.next = head.first_free;
    in_order();
    given.use = Use::kFree;
    in_order();
    head.first_free = index;
    head.free_count.fetch_add(1, std::memory_order_relaxed);
}

// ---- one row -----------------------------------------------------------------------------------

// The chain is walked in place: while the mutex is held its rows can neither come nor go.
Table::Access::Access(Table& table, std::string_view key)
    : table_(table), key_(key), hash_(table.hash_of(key)) {
    bucket_ = hash_ & (table.header().buckets - 1);
    table.lock(bucket_);
    last_ = bucket_;
    if (!table.may_be_used(bucket_)) {
        return;
    }
    uint32_t i = bucket_;
    do {
        const Row& row = table.row(i);
        if (row.use == Use::kUsed && row.hash == hash_ && row.name() == key) {
            row_ = i;
            break;
        }
        last_ = i;
        depth_++;
        i = row.next;
    } while (i != kEnd);
}

Table::Access::~Access() {
    Stripe& stripe = table_.stripe(bucket_);
    if (fresh_) {
        publish();
    }
    if (changing_) {
        in_order();
        stripe.changing = kNone;
    }
    stripe.guard.unlock();
}

// Until publish() no other process finds the row: a bucket's is free, one of the overflow is in no
// chain.
bool Table::Access::insert() {
    Stripe& stripe = table_.stripe(bucket_);
    table_.note_use(bucket_);
    row_ = table_.row(bucket_).use == Use::kFree ? bucket_ : table_.take_overflow(stripe);
    if (row_ == kNone) {
        return false;
    }
    Row& row = table_.row(row_);
    row.hash = row_ == bucket_ ? hash_ : row.hash;
    row.key_length = static_cast<uint8_t>(key_.size());
    std::memcpy(row.key, key_.data(), key_.size());
    std::memset(table_.values(row_), 0, table_.values_size_);
    fresh_ = true;
    return true;
}

//   use = kUsed      from here on recover() has to count or to free it
//   hash             that of the key; its stripe stays the same
//   linked           from here on it is in the chain
//   taken = none     and nothing is to be put right any more
void Table::Access::publish() {
    Header& header = table_.header();
    Stripe& stripe = table_.stripe(bucket_);
    Row& row = table_.row(row_);
    row.use = Use::kUsed;
    in_order();
    row.hash = hash_;
    in_order();
    if (row_ != bucket_) {
        table_.row(last_).next = row_;
        in_order();
        stripe.taken = kNone;
        header.conflicts.fetch_add(1, std::memory_order_relaxed);
        if (depth_ > header.longest_chain.load(std::memory_order_relaxed)) {
            header.longest_chain.store(depth_, std::memory_order_relaxed);
        }
    }
    stripe.count.fetch_add(1, std::memory_order_relaxed);
    header.inserts.fetch_add(1, std::memory_order_relaxed);
}

// The copy is complete before `changing` says that there is one, and the caller's stores come after
// that. Not for a row that nobody has seen yet.
void Table::Access::begin_change() {
    if (fresh_ || changing_) {
        return;
    }
    Stripe& stripe = table_.stripe(bucket_);
    std::memcpy(table_.saved_values(stripe), table_.values(row_), table_.values_size_);
    in_order();
    stripe.changing = row_;
    in_order();
    changing_ = true;
}

//   bucket        use = kFree     one store, and the row is gone
//   overflow      unlinked        from here on it is in no chain, and `taken` leads to it
//                 kFree, listed   another stripe may have it now, although `taken` still names it
void Table::Access::remove() {
    Stripe& stripe = table_.stripe(bucket_);
    Row& row = table_.row(row_);
    // The row of a bucket stays where it is, with its link: it is the head of the chain.
    if (row_ == bucket_) {
        row.use = Use::kFree;
    } else {
        stripe.taken = row_;
        in_order();
        table_.row(last_).next = row.next;
        in_order();
        table_.give_overflow(row_);
        in_order();
        stripe.taken = kNone;
    }
    stripe.count.fetch_sub(1, std::memory_order_relaxed);
    table_.header().deletes.fetch_add(1, std::memory_order_relaxed);
    row_ = kNone;
}

const char* Table::Access::values() const { return table_.values(row_); }
char* Table::Access::values() { return table_.values(row_); }

// ---- all rows ----------------------------------------------------------------------------------

uint32_t Table::copy_from(uint32_t place, std::string& key, std::string& row_values) {
    uint32_t end = header().buckets + header().overflow;
    uint32_t block = uint32_t{1} << header().block_shift;
    while (place < end) {
        if (!may_be_used(place)) {
            place = (place | (block - 1)) + 1;
            continue;
        }
        const Row& candidate = row(place);
        if (candidate.use != Use::kUsed) {
            place++;
            continue;
        }
        // Its hash says which mutex guards it; another row may have come meanwhile, then again. The
        // hash of one that is just being published may still be the number of its stripe, which
        // leads to the same mutex.
        uint32_t bucket = candidate.hash & (header().buckets - 1);
        lock(bucket);
        bool still_there =
            candidate.use == Use::kUsed && (candidate.hash & (header().buckets - 1)) == bucket;
        if (still_there) {
            key.assign(candidate.name());
            row_values.assign(values(place), values_size_);
        }
        stripe(bucket).guard.unlock();
        if (still_there) {
            return place;
        }
    }
    return kNone;
}

Table::Stats Table::stats() const {
    const Header& head = header();
    return {head.inserts,       head.updates,    head.deletes, head.conflicts,
            head.longest_chain, head.free_count, head.overflow};
}

}  // namespace stampede::shm
