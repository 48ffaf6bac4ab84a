#include "shm/claim.h"

#include <array>
#include <new>

namespace stampede::shm {

namespace {

// For all requests whose numbers have the same remainder: twice the number of the one that was
// offered last; one more when it was taken; 0 when the sender has it back. The taker compares with
// the number that came with a request: it may find one in the connection that was withdrawn long
// before. Since requests are withdrawn in any order, the sender looks for a word that is free.
using Word = std::atomic<uint64_t>;
using Words = std::array<Word, ClaimSender::kMost>;
static_assert(Word::is_always_lock_free);

constexpr uint64_t kWithdrawn = 0;

Word& word_of(void* address, uint64_t number) {
    return (*static_cast<Words*>(address))[number % ClaimSender::kMost];
}

bool change(void* address, uint64_t number, uint64_t to) {
    uint64_t offered = 2 * number;
    return word_of(address, number).compare_exchange_strong(offered, to);
}

}  // namespace

Result<ClaimSender> ClaimSender::map(int file) {
    Result<os::SharedMemory> memory = os::SharedMemory::map(file, sizeof(Words));
    if (!memory) {
        return memory.error();
    }
    return ClaimSender(std::move(*memory));
}

uint64_t ClaimSender::offer() {
    turn_ += kMost;
    for (uint64_t number = turn_; number < turn_ + kMost; number++) {
        Word& word = word_of(memory_.data(), number);
        uint64_t last = word.load();
        if (last == kWithdrawn || last % 2 == 1) {
            word.store(2 * number);
            return number;
        }
    }
    return 0;
}

bool ClaimSender::withdraw(uint64_t number) { return change(memory_.data(), number, kWithdrawn); }

Result<ClaimTaker> ClaimTaker::create(os::Fd& file) {
    Result<os::SharedMemory> memory = os::SharedMemory::create(sizeof(Words), file);
    if (!memory) {
        return memory.error();
    }
    return ClaimTaker(new (memory->release()) Words{});
}

bool ClaimTaker::take(uint64_t number) { return change(address_, number, 2 * number + 1); }

}  // namespace stampede::shm
