#include "proc/bus.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "os/futex.h"
#include "os/packet_pair.h"
#include "os/process.h"
#include "os/socket_io.h"

namespace stampede::proc {

namespace {

constexpr int kAtOnce = 64;  // messages of one inbox; others get their share of the loop, too
constexpr Nanos kLook = 5 * kMillisecond;
constexpr Nanos kKeeping = 5 * kSecond;
// Another process takes a message in a few instructions, unless it does not run at the moment.
constexpr int kTries = 200;
constexpr Nanos kPause = kMillisecond;

// The receiver is slow or there are too many descriptors on their way: both pass.
bool may_pass(int error) { return error == EAGAIN || error == ENOBUFS || error == ETOOMANYREFS; }

}  // namespace

Result<std::unique_ptr<Bus>> Bus::create(uint32_t inboxes) {
    Result<os::SharedMemory> memory =
        os::SharedMemory::create(sizeof(Shared) * inboxes + sizeof(std::atomic<uint64_t>));
    if (!memory) {
        return memory.error();
    }
    std::unique_ptr<Bus> bus(new Bus(inboxes, std::move(*memory)));
    for (Inbox& inbox : bus->inboxes_) {
        int ends[2];
        if (Error error = os::packet_pair(ends)) {
            return error;
        }
        inbox.read_fd = ends[0];
        inbox.write_fd = ends[1];
    }
    return bus;
}

Bus::Bus(uint32_t inboxes, os::SharedMemory memory)
    : inboxes_(inboxes), memory_(std::move(memory)) {
    for (uint32_t i = 0; i < inboxes; i++) {
        new (&shared(i)) Shared();
    }
    new (&counter()) std::atomic<uint64_t>(0);
}

Bus::Shared& Bus::shared(uint32_t inbox) const {
    return static_cast<Shared*>(memory_.data())[inbox];
}

// After those of the inboxes.
std::atomic<uint64_t>& Bus::counter() const {
    return *reinterpret_cast<std::atomic<uint64_t>*>(static_cast<Shared*>(memory_.data()) +
                                                     inboxes_.size());
}

Bus::~Bus() {
    close();
    for (Inbox& inbox : inboxes_) {
        os::close_fd(inbox.read_fd);
        os::close_fd(inbox.write_fd);
    }
}

void Bus::attach(loop::Loop& loop) { loop_ = &loop; }

// Both may be linked into the parent's loop, which this process does not run: they stay as they
// are.
void Bus::abandon() {
    for (Inbox& inbox : inboxes_) {
        if (inbox.reader != nullptr) {
            closed_.push_back(std::move(inbox.reader));
        }
        if (inbox.outbox != nullptr) {
            inbox.outbox->waiting.clear();
            abandoned_.push_back(std::move(inbox.outbox));
        }
    }
    files_.abandon();
    if (kept_timer_ != nullptr) {
        abandoned_timers_.push_back(std::move(kept_timer_));
    }
    loop_ = nullptr;
    waiting_ = 0;
}

Error Bus::open(loop::Loop& loop, uint32_t inbox, Receiver receiver, void* argument, Old old) {
    attach(loop);
    Inbox& place = inboxes_[inbox];
    if (old == Old::kForget) {
        char packet[sizeof(PacketHead)];
        os::Fd attached;
        while (os::receive_packet(place.read_fd, packet, sizeof(packet), attached) > 0) {
            attached.reset();
        }
        large(inbox).store(0);
    }
    place.reader = std::make_unique<InboxWatch>();
    InboxWatch& reader = *place.reader;
    reader.bus = this;
    reader.receiver = receiver;
    reader.argument = argument;
    reader.number = inbox;
    reader.fd = place.read_fd;
    reader.interest = loop::kReadable;
    reader.on_ready = [](loop::Watch& watch, uint32_t) {
        auto& self = static_cast<InboxWatch&>(watch);
        (void)self.bus->receive(self);
    };
    Error error = loop.watch(reader);
    if (error) {
        place.reader.reset();
    } else {
        loop.ignore_for_liveness(1, 0);
    }
    return error;
}

void Bus::pause(uint32_t inbox) {
    InboxWatch* reader = inboxes_[inbox].reader.get();
    if (reader != nullptr && !reader->paused) {
        reader->paused = true;
        (void)loop_->set_interest(*reader, 0);
    }
}

void Bus::resume(uint32_t inbox) {
    InboxWatch* reader = inboxes_[inbox].reader.get();
    if (reader != nullptr && reader->paused) {
        reader->paused = false;
        (void)loop_->set_interest(*reader, loop::kReadable);
    }
}

bool Bus::has_messages(uint32_t inbox) const {
    return os::poll_one(inboxes_[inbox].read_fd, os::PollFor::kReading, 0) > 0;
}

void Bus::close(uint32_t inbox) {
    std::unique_ptr<InboxWatch>& reader = inboxes_[inbox].reader;
    if (reader != nullptr) {
        loop_->unwatch(*reader);
        loop_->ignore_for_liveness(-1, 0);
        // Its receiver may be what calls this.
        reader->receiver = nullptr;
        closed_.push_back(std::move(reader));
    }
}

void Bus::close() {
    if (loop_ == nullptr) {
        return;
    }
    if (kept_timer_ != nullptr && kept_timer_->armed()) {
        loop_->disarm(*kept_timer_);
        loop_->ignore_for_liveness(0, -1);
    }
    for (uint32_t i = 0; i < size(); i++) {
        close(i);
        std::unique_ptr<Outbox>& outbox = inboxes_[i].outbox;
        if (outbox != nullptr && outbox->watched) {
            loop_->unwatch(*outbox);
        }
        if (outbox != nullptr) {
            shared(i).senders.fetch_sub(static_cast<int32_t>(outbox->waiting.size()));
        }
        outbox.reset();
    }
    loop_ = nullptr;
    waiting_ = 0;
}

Bus::Outbox& Bus::outbox_of(uint32_t inbox) {
    std::unique_ptr<Outbox>& outbox = inboxes_[inbox].outbox;
    if (outbox == nullptr) {
        outbox = std::make_unique<Outbox>();
        outbox->bus = this;
        outbox->inbox = inbox;
        outbox->fd = inboxes_[inbox].write_fd;
        outbox->interest = loop::kWritable;
        outbox->on_ready = [](loop::Watch& watch, uint32_t) {
            auto& self = static_cast<Outbox&>(watch);
            self.bus->flush_outbox(self);
        };
    }
    return *outbox;
}

bool Bus::send(uint32_t inbox, std::string_view head, std::string_view body) {
    if (!send_uncounted(inbox, head, body)) {
        return false;
    }
    counter().fetch_add(1, std::memory_order_relaxed);
    return true;
}

bool Bus::send_uncounted(uint32_t inbox, std::string_view head, std::string_view body) {
    uint64_t total = head.size() + body.size();
    if (loop_ == nullptr || inbox >= inboxes_.size() || total > kMostMessage) {
        return false;
    }
    if (total > kInline) {
        return send_large(inbox, head, body);
    }
    Outbox& outbox = outbox_of(inbox);
    PacketHead packet_head = {total};
    std::string_view front(reinterpret_cast<const char*>(&packet_head), sizeof(packet_head));
    if (outbox.waiting.empty()) {
        if (os::send_packet(outbox.fd, {front, head, body}, -1)) {
            return true;
        }
        if (!may_pass(errno)) {
            return false;
        }
    } else if (outbox.bytes + total > kMostWaiting) {
        return false;
    }
    Packet packet;
    packet.bytes.reserve(front.size() + total);
    packet.bytes.append(front).append(head).append(body);
    return post(outbox, std::move(packet));
}

bool Bus::send_descriptor(uint32_t inbox, std::string_view head, std::string_view body,
                          os::Fd descriptor) {
    uint64_t total = head.size() + body.size();
    if (loop_ == nullptr || inbox >= inboxes_.size() || total > kMostWithDescriptor) {
        return false;
    }
    Outbox& outbox = outbox_of(inbox);
    PacketHead packet_head = {total};
    std::string_view front(reinterpret_cast<const char*>(&packet_head), sizeof(packet_head));
    bool is_gone =
        outbox.waiting.empty() && os::send_packet(outbox.fd, {front, head, body}, descriptor.get());
    if (!is_gone) {
        if (outbox.waiting.empty() && !may_pass(errno)) {
            return false;
        }
        Packet packet;
        packet.bytes.append(front).append(head).append(body);
        packet.attached = std::move(descriptor);
        is_gone = post(outbox, std::move(packet));
    }
    counter().fetch_add(is_gone ? 1 : 0, std::memory_order_relaxed);
    return is_gone;
}

bool Bus::send_large(uint32_t inbox, std::string_view head, std::string_view body) {
    auto total = static_cast<int64_t>(head.size() + body.size());
    std::atomic<int64_t>& on_their_way = large(inbox);
    int64_t before = on_their_way.fetch_add(total);
    if (before > 0 && before + total > kMostLarge) {
        on_their_way.fetch_sub(total);
        return false;
    }
    Result<os::Fd> file = files_.write(head, body);
    if (file) {
        note_kept_memory();
        Outbox& outbox = outbox_of(inbox);
        PacketHead packet_head = {static_cast<uint64_t>(total)};
        std::string front(reinterpret_cast<const char*>(&packet_head), sizeof(packet_head));
        front.append(head.substr(0, kMostFront));  // for begin_taking()
        if (outbox.waiting.empty() && os::send_packet(outbox.fd, {front}, file->get())) {
            return true;
        }
        if ((!outbox.waiting.empty() || may_pass(errno)) &&
            post(outbox, {std::move(front), std::move(*file)})) {
            return true;
        }
    }
    on_their_way.fetch_sub(total);
    return false;
}

// After what waits already.
bool Bus::post(Outbox& outbox, Packet packet) {
    if (!outbox.watched) {
        if (loop_->watch(outbox)) {
            return false;
        }
        outbox.watched = true;
    }
    outbox.bytes += packet.bytes.size();
    outbox.waiting.push_back(std::move(packet));
    begin_sending(outbox.inbox);
    waiting_++;
    return true;
}

void Bus::flush_outbox(Outbox& outbox) {
    while (!outbox.waiting.empty()) {
        const Packet& packet = outbox.waiting.front();
        if (!os::send_packet(outbox.fd, {packet.bytes}, packet.attached.get()) && may_pass(errno)) {
            return;
        }
        outbox.bytes -= packet.bytes.size();
        outbox.waiting.pop_front();
        end_sending(outbox.inbox);
        waiting_--;
    }
    loop_->unwatch(outbox);
    outbox.watched = false;
}

bool Bus::sent_all(uint32_t inbox) const {
    const Outbox* outbox = inboxes_[inbox].outbox.get();
    return outbox == nullptr || outbox->waiting.empty();
}

bool Bus::flush(Nanos deadline) {
    while (waiting_ > 0) {
        Outbox* full = nullptr;
        for (Inbox& inbox : inboxes_) {
            if (inbox.outbox != nullptr && inbox.outbox->watched) {
                flush_outbox(*inbox.outbox);
                full = inbox.outbox->watched ? inbox.outbox.get() : full;
            }
        }
        Nanos now = monotonic_now();
        if (full != nullptr && now >= deadline) {
            return false;
        }
        if (full != nullptr) {
            (void)os::poll_one(full->fd, os::PollFor::kWriting, std::min(deadline, now + kLook));
        }
    }
    return true;
}

bool Bus::wait(uint32_t inbox, Nanos deadline) {
    InboxWatch* reader = inboxes_[inbox].reader.get();
    if (reader == nullptr) {
        return false;
    }
    for (;;) {
        (void)flush(0);  // what is waited for may be the response to what waits here
        if (receive(*reader)) {
            return true;
        }
        Nanos now = monotonic_now();
        if (now >= deadline) {
            return false;
        }
        Nanos until = waiting_ > 0 ? std::min(deadline, now + kLook) : deadline;
        (void)os::poll_one(reader->fd, os::PollFor::kReading, until);
    }
}

// The beginning of the next message of an inbox.
std::string_view Bus::peek(int fd, char (&packet)[sizeof(PacketHead) + kMostFront]) {
    int64_t size = os::peek_packet(fd, packet, sizeof(packet));
    auto head = static_cast<int64_t>(sizeof(PacketHead));
    return size <= head ? std::string_view()
                        : std::string_view(packet + head, static_cast<size_t>(size - head));
}

bool Bus::begin_turn(uint32_t inbox) {
    std::atomic<uint32_t>& taker = shared(inbox).taker;
    auto self = static_cast<uint32_t>(os::own_pid());
    uint32_t present = 0;
    for (int i = 0; !taker.compare_exchange_strong(present, self); i++) {
        if (i == kTries) {
            os::futex_wait(taker, present, kPause);  // nobody wakes it: the caller comes again
            return false;
        }
        present = 0;
    }
    return true;
}

// Between the note that begins() leaves and the end of the call that takes the message, a kill
// leaves the note and this process as the taker. Whether the message is still the first of the
// inbox says then which came first, because nobody else takes one.
bool Bus::begin_taking(const InboxWatch& reader) {
    if (!begin_turn(reader.number)) {
        return false;
    }
    char packet[sizeof(PacketHead) + kMostFront];
    std::string_view front = peek(reader.fd, packet);
    if (front.empty() && !has_messages(reader.number)) {
        end_turn(reader.number);
        return false;
    }
    reader.taking->begins(reader.argument, front);
    return true;
}

std::string Bus::settle(uint32_t inbox, pid_t ended) {
    if (!has_turn(inbox, ended)) {
        return {};
    }
    char packet[sizeof(PacketHead) + kMostFront];
    std::string front(peek(inboxes_[inbox].read_fd, packet));
    end_turn(inbox);
    return front;
}

// Whether anything has come.
bool Bus::receive(InboxWatch& reader) {
    constexpr size_t kRoom = sizeof(PacketHead) + kInline;
    if (buffer_ == nullptr) {
        buffer_.reset(new char[kRoom]);
    }
    bool found = false;
    held_ = false;
    const Taking* taking = reader.taking;
    for (int i = 0; i < kAtOnce && reader.receiver != nullptr && !reader.paused && !held_; i++) {
        if (taking != nullptr && !begin_taking(reader)) {
            break;
        }
        os::Fd attached;
        int64_t size = os::receive_packet(reader.fd, buffer_.get(), kRoom, attached);
        if (taking != nullptr) {
            end_turn(reader.number);
        }
        if (size <= 0) {
            break;
        }
        found = true;
        if (!take(reader, {buffer_.get(), static_cast<size_t>(size)}, std::move(attached)) &&
            taking != nullptr) {
            taking->failed(reader.argument);
        }
    }
    return found;
}

// False: it cannot be read.
bool Bus::take(InboxWatch& reader, std::string_view packet, os::Fd attached) {
    PacketHead head;
    if (packet.size() < sizeof(head)) {
        return false;
    }
    std::memcpy(&head, packet.data(), sizeof(head));
    packet.remove_prefix(sizeof(head));
    if (head.size <= kInline) {
        if (packet.size() != head.size) {
            return false;
        }
        attached_ = std::move(attached);
        reader.receiver(reader.argument, packet);
        attached_.reset();
        return true;
    }
    large(reader.number).fetch_sub(static_cast<int64_t>(head.size));
    if (!attached || head.size > kMostMessage) {
        return false;
    }
    // A receiver that waits for another message must not find this one's place.
    std::unique_ptr<char[]> room = std::move(large_buffer_);
    auto message = os::ReceivedMessage::read(attached.get(), head.size, room);
    attached.reset();
    if (message) {
        reader.receiver(reader.argument, message->bytes());
    }
    large_buffer_ = std::move(room);
    note_kept_memory();
    return static_cast<bool>(message);
}

// What large messages have needed is kept for the next ones for some seconds.
void Bus::note_kept_memory() {
    if (kept_timer_ == nullptr) {
        kept_timer_ = std::make_unique<KeptTimer>();
        kept_timer_->bus = this;
        kept_timer_->on_fire = [](loop::Timer& timer) {
            Bus& bus = *static_cast<KeptTimer&>(timer).bus;
            bus.loop_->ignore_for_liveness(0, -1);
            bus.drop_kept_memory();
        };
    }
    kept_timer_->used = true;
    if (loop_ != nullptr && !kept_timer_->armed()) {
        loop_->ignore_for_liveness(0, 1);
        loop_->arm(*kept_timer_, kKeeping);
    }
}

void Bus::drop_kept_memory() {
    bool is_kept = files_.drop_unused();
    if (!std::exchange(kept_timer_->used, false)) {
        large_buffer_.reset();
    }
    if (is_kept || large_buffer_ != nullptr) {
        loop_->ignore_for_liveness(0, 1);
        loop_->arm(*kept_timer_, kKeeping);
    }
}

}  // namespace stampede::proc
