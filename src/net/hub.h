// What all connections of one loop share: the padded read buffer, spare write buffers, and the
// lists of the end of the iteration (flush what is dirty, watch what is new, free what is closed).
// Owned by the server's worker half, loop thread, never parks.
#pragma once

#include <memory>
#include <vector>

#include "base/buffer.h"
#include "base/list.h"
#include "loop/loop.h"

namespace stampede::net {

class Connection;

struct DirtyNode : ListNode {};
struct IterationNode : ListNode {};

// Whether new connections are read before the kernel is told to watch them. That saves the watch
// when the peer has sent its first bytes already, and costs a call when it has not: on an idle
// machine a server accepts a connection before the client knows that it is connected.
class FirstReads {
public:
    bool worth_a_try() { return misses_ < kPatience || ++skipped_ % kSkipped == 0; }
    void note(bool found) { misses_ = found ? 0 : misses_ + (misses_ < kPatience ? 1 : 0); }

private:
    static constexpr uint32_t kPatience = 4;
    static constexpr uint32_t kSkipped = 16;

    uint32_t misses_ = 0;  // in a row
    uint32_t skipped_ = 0;
};

// What connections keep in memory that their peers have not taken, of those whose senders wait for
// room. Slow peers that fill it leave the others a little each.
class UnsentBytes {
public:
    static constexpr uint64_t kOfEachThen = 16 * 1024;

    // 0: any number.
    void set_most(uint64_t most) { most_ = most > 0 ? most : UINT64_MAX; }
    void change(uint64_t from, uint64_t to) { total_ += to - from; }
    bool is_full() const { return total_ >= most_; }
    // How much may wait for one peer, of so much at other times.
    uint64_t room_of_each(uint64_t usual) const {
        return is_full() && usual > kOfEachThen ? kOfEachThen : usual;
    }

private:
    uint64_t total_ = 0;
    uint64_t most_ = UINT64_MAX;
};

// What one connection has of it, once it counts.
class UnsentShare {
public:
    bool counts() const { return all_ != nullptr; }
    void begin(UnsentBytes& all) { all_ = &all; }
    void set(uint64_t bytes) {
        if (all_ != nullptr) {
            all_->change(bytes_, bytes);
            bytes_ = bytes;
        }
    }

private:
    UnsentBytes* all_ = nullptr;
    uint64_t bytes_ = 0;
};

class Hub {
public:
    static constexpr size_t kReadSize = 64 * 1024;
    // Parsers may look this far past the end of what was read.
    static constexpr size_t kPadding = 64;

    // Write buffers up to this size are kept, and some that are larger: frames of files grow so,
    // and fresh memory for each write would cost a page fault every few kilobytes of it.
    static constexpr size_t kSpareCapacity = 64 * 1024;
    static constexpr size_t kLargeCapacity = 256 * 1024;

    explicit Hub(loop::Loop& loop);
    ~Hub();
    Hub(const Hub&) = delete;
    Hub& operator=(const Hub&) = delete;

    loop::Loop& loop() { return loop_; }
    FirstReads& first_reads() { return first_reads_; }
    UnsentBytes& unsent() { return unsent_; }
    const UnsentBytes& unsent() const { return unsent_; }
    char* read_buffer() { return read_buffer_.get(); }

    // Write buffers are lent while there is something to write, so that an idle connection holds
    // none.
    void lend(Buffer& buffer);
    // Gives what the buffer holds a place with room for much more.
    void enlarge(Buffer& buffer);
    void take_back(Buffer& buffer);

    void mark_dirty(Connection& connection);
    void bury(Connection& connection);
    // It is registered with the loop at the end of the iteration, if it is still open.
    void note_unwatched(Connection& connection);
    void end_iteration();
    // Writes what is corked.
    void flush_dirty();

private:
    static constexpr size_t kSpareBuffers = 32;
    static constexpr size_t kSpareLarge = 8;

    struct Hook : loop::IterationHook {
        Hub* hub;
    };

    loop::Loop& loop_;
    std::unique_ptr<char[]> read_buffer_;
    std::vector<Buffer> spare_;
    std::vector<Buffer> spare_large_;
    List<Connection, DirtyNode> dirty_;
    List<Connection, IterationNode> unwatched_;
    List<Connection, IterationNode> closed_;
    FirstReads first_reads_;
    UnsentBytes unsent_;
    Hook flush_hook_;  // of groups
    Hook hook_;        // of iterations
};

}  // namespace stampede::net
