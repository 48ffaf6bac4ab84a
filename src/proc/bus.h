// Messages between the processes of a server: numbered inboxes, which every process can write to. A
// message is one packet of its inbox, whole or not there, so that several processes may read one
// inbox, and what nobody has read outlives its readers; a large message is in a file in memory
// whose descriptor the packet carries. Sending never waits; what does not fit now is kept, up to a
// limit, and follows when there is room. Messages of one sender to one inbox arrive in order. Made
// by the supervisor, inherited by fork; loop thread; only flush() and wait() block it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "loop/loop.h"
#include "os/fd.h"
#include "os/message_files.h"
#include "os/mmap.h"

namespace stampede::proc {

class Bus {
public:
    static Result<std::unique_ptr<Bus>> create(uint32_t inboxes);
    ~Bus();
    Bus(const Bus&) = delete;
    Bus& operator=(const Bus&) = delete;

    uint32_t size() const { return static_cast<uint32_t>(inboxes_.size()); }
    // This process sends from now on; what waits for room follows in iterations of this loop.
    void attach(loop::Loop& loop);
    bool attached() const { return loop_ != nullptr; }
    // In a forked child, before its own attach(): what the parent has open or keeps is the
    // parent's.
    void abandon();

    enum class Old : uint8_t { kForget, kKeep };
    using Receiver = void (*)(void* argument, std::string_view message);
    // What comes to this inbox from now on. What was sent to its last reader is thrown away or is
    // for this one.
    Error open(loop::Loop& loop, uint32_t inbox, Receiver receiver, void* argument,
               Old old = Old::kForget);
    // For an inbox whose messages are not to vanish with a reader that is killed. One process takes
    // at a time, and says before what it is about to have: when it has ended, settle() tells its
    // parent whether that has left the inbox.
    struct Taking {
        // The first bytes of the message, kMostFront at most.
        void (*begins)(void* argument, std::string_view front) = nullptr;
        // It has left the inbox, but cannot be read.
        void (*failed)(void* argument) = nullptr;
    };
    static constexpr size_t kMostFront = 128;
    // For an inbox that was opened just now; all its readers do so. The argument is the receiver's.
    void tell(uint32_t inbox, const Taking& taking) { inboxes_[inbox].reader->taking = &taking; }
    // By the parent of a reader that has ended: what it was about to take and has not, by its first
    // bytes; empty when there is no such message. From then on others may take. Until then nobody
    // could, nor can anybody while one that is taking is stopped by a signal.
    std::string settle(uint32_t inbox, pid_t ended);
    // For what belongs to an inbox and is taken elsewhere: the same right, which settle() gives
    // back for one that has ended. False: another process has it, for a moment.
    bool begin_turn(uint32_t inbox);
    void end_turn(uint32_t inbox) { shared(inbox).taker.store(0); }
    bool has_turn(uint32_t inbox, pid_t process) const {
        return shared(inbox).taker.load() == static_cast<uint32_t>(process);
    }

    // For a receiver: no further message in this iteration of the loop.
    void hold() { held_ = true; }
    // No message until resume().
    void pause(uint32_t inbox);
    void resume(uint32_t inbox);
    // Whether anything waits to be read.
    bool has_messages(uint32_t inbox) const;
    // The same, or a process is about to send there (begin_sending()), or keeps something until
    // there is room. A process that was killed meanwhile counts for ever: give up after some time.
    bool expects_messages(uint32_t inbox) const {
        return shared(inbox).senders.load() > 0 || has_messages(inbox);
    }
    // Around looking whose inbox a message is for and sending it: a reader that says first that it
    // ends, and then expects nothing, is sent nothing any more.
    void begin_sending(uint32_t inbox) { shared(inbox).senders.fetch_add(1); }
    void end_sending(uint32_t inbox) { shared(inbox).senders.fetch_sub(1); }
    void close(uint32_t inbox);
    void close();

    static constexpr uint64_t kMostMessage = 65u << 20;
    // Two parts of one message. False when too much is waiting for that inbox already.
    bool send(uint32_t inbox, std::string_view head, std::string_view body);
    // The same with a descriptor, whose receiver calls take_attached(). A message of at most
    // kMostWithDescriptor bytes.
    static constexpr size_t kMostWithDescriptor = 32 * 1024;
    bool send_descriptor(uint32_t inbox, std::string_view head, std::string_view body,
                         os::Fd descriptor);
    // For a receiver: what was sent along with this message.
    os::Fd take_attached() { return std::move(attached_); }
    // Sent by all processes together.
    uint64_t sent_ever() const { return counter().load(std::memory_order_relaxed); }
    // Whether everything that was sent has left this process.
    bool sent_all() const { return waiting_ == 0; }
    bool sent_all(uint32_t inbox) const;
    // Until it has, or the time has come.
    bool flush(Nanos deadline);
    // Reads one of the inboxes that are open here, until something has come or the time has.
    bool wait(uint32_t inbox, Nanos deadline);

private:
    static constexpr size_t kInline = 60 * 1024;         // of a message, in its packet
    static constexpr uint64_t kMostWaiting = 16u << 20;  // bytes for one inbox, in this process
    static constexpr int64_t kMostLarge = 256 << 20;     // of large messages for one inbox

    struct PacketHead {
        uint64_t size;  // of the message; it is in the packet, or in what is attached
    };
    struct Packet {
        std::string bytes;
        os::Fd attached;
    };
    struct InboxWatch : loop::Watch {
        Bus* bus = nullptr;
        Receiver receiver = nullptr;
        void* argument = nullptr;
        const Taking* taking = nullptr;  // as long as the inbox is open
        uint32_t number = 0;
        bool paused = false;
    };
    struct Outbox : loop::Watch {
        Bus* bus = nullptr;
        uint32_t inbox = 0;
        std::deque<Packet> waiting;
        uint64_t bytes = 0;
        bool watched = false;
    };
    struct KeptTimer : loop::Timer {
        Bus* bus = nullptr;
        bool used = false;  // large_buffer_, since it has fired
    };
    struct Inbox {
        int read_fd = -1;
        int write_fd = -1;
        std::unique_ptr<InboxWatch> reader;
        std::unique_ptr<Outbox> outbox;
    };

    // Of an inbox, for all processes.
    struct Shared {
        std::atomic<int64_t> large{0};   // bytes of large messages on their way
        std::atomic<uint32_t> taker{0};  // the process that takes a message now, 0: none
        // Processes that are about to send, and packets that they keep until there is room.
        std::atomic<int32_t> senders{0};
    };

    Bus(uint32_t inboxes, os::SharedMemory memory);
    Shared& shared(uint32_t inbox) const;
    std::atomic<int64_t>& large(uint32_t inbox) { return shared(inbox).large; }
    std::atomic<uint64_t>& counter() const;
    bool send_uncounted(uint32_t inbox, std::string_view head, std::string_view body);
    Outbox& outbox_of(uint32_t inbox);
    bool send_large(uint32_t inbox, std::string_view head, std::string_view body);
    bool post(Outbox& outbox, Packet packet);
    void note_kept_memory();
    void drop_kept_memory();
    void flush_outbox(Outbox& outbox);
    bool receive(InboxWatch& reader);
    bool begin_taking(const InboxWatch& reader);
    bool take(InboxWatch& reader, std::string_view packet, os::Fd attached);
    static std::string_view peek(int fd, char (&packet)[sizeof(PacketHead) + kMostFront]);

    std::vector<Inbox> inboxes_;
    std::vector<std::unique_ptr<InboxWatch>> closed_;
    std::vector<std::unique_ptr<Outbox>> abandoned_;
    std::vector<std::unique_ptr<KeptTimer>> abandoned_timers_;
    os::SharedMemory memory_;  // Shared of each inbox; a counter
    loop::Loop* loop_ = nullptr;
    size_t waiting_ = 0;  // packets, for all inboxes
    // Not on the stack, which may be a coroutine's.
    std::unique_ptr<char[]> buffer_;
    os::MessageFiles files_;
    std::unique_ptr<char[]> large_buffer_;
    std::unique_ptr<KeptTimer> kept_timer_;
    os::Fd attached_;
    bool held_ = false;
};

}  // namespace stampede::proc
