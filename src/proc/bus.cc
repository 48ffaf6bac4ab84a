#include "proc/bus.h"

#include <cerrno>
#include <cstring>

#include "os/fd.h"
#include "os/packet_pair.h"

namespace stampede::proc {

Result<std::unique_ptr<Bus>> Bus::create(uint32_t lines) {
    std::unique_ptr<Bus> bus(new Bus(lines));
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

Bus::~Bus() {
    close();
    for (Inbox& inbox : inboxes_) {
        os::close_fd(inbox.read_fd);
        os::close_fd(inbox.write_fd);
    }
}

Error Bus::open(loop::Loop& loop, uint32_t line, Receiver receiver, void* argument) {
    loop_ = &loop;
    line_ = line;
    receiver_ = receiver;
    argument_ = argument;
    partial_.resize(inboxes_.size());
    char packet[sizeof(PieceHead) + kPiece];
    while (os::receive_packet(inboxes_[line].read_fd, packet, sizeof(packet)) > 0) {
    }
    watch_.bus = this;
    watch_.fd = inboxes_[line].read_fd;
    watch_.interest = loop::kReadable;
    watch_.on_ready = [](loop::Watch& watch, uint32_t) {
        static_cast<InboxWatch&>(watch).bus->receive();
    };
    Error error = loop.watch(watch_);
    if (!error) {
        loop.ignore_for_liveness(1, 0);
    }
    return error;
}

void Bus::close() {
    if (loop_ == nullptr) {
        return;
    }
    for (auto& outbox : outboxes_) {
        if (outbox != nullptr && outbox->watched) {
            loop_->unwatch(*outbox);
        }
    }
    outboxes_.clear();
    loop_->unwatch(watch_);
    loop_->ignore_for_liveness(-1, 0);
    loop_ = nullptr;
}

bool Bus::send(uint32_t line, std::string_view head, std::string_view body) {
    uint64_t total = head.size() + body.size();
    if (loop_ == nullptr || line >= inboxes_.size() || total > kMostMessage) {
        return false;
    }
    outboxes_.resize(inboxes_.size());
    if (outboxes_[line] == nullptr) {
        outboxes_[line] = std::make_unique<Outbox>();
        outboxes_[line]->bus = this;
    }
    Outbox& outbox = *outboxes_[line];
    if (outbox.bytes + total > kMostWaiting && outbox.bytes > 0) {
        return false;
    }
    std::string packet;
    uint64_t offset = 0;
    do {
        PieceHead piece = {line_, 0, total, offset};
        packet.assign(reinterpret_cast<const char*>(&piece), sizeof(piece));
        if (offset < head.size()) {
            packet.append(head.substr(offset, kPiece));
        }
        size_t room = kPiece + sizeof(piece) - packet.size();
        uint64_t in_body = offset > head.size() ? offset - head.size() : 0;
        packet.append(body.substr(in_body, room));
        offset += packet.size() - sizeof(piece);
        if (!post(outbox, inboxes_[line].write_fd, packet)) {
            return false;
        }
    } while (offset < total);
    return true;
}

// At once, or behind what waits already.
bool Bus::post(Outbox& outbox, int fd, std::string_view packet) {
    if (outbox.waiting.empty()) {
        if (os::send_packet(fd, packet)) {
            return true;
        }
        if (errno != EAGAIN && errno != ENOBUFS) {
            return false;
        }
        // A descriptor of our own, since others may watch theirs with the same loop.
        outbox.fd = fd;
        outbox.interest = loop::kWritable;
        outbox.on_ready = [](loop::Watch& watch, uint32_t) {
            auto& self = static_cast<Outbox&>(watch);
            self.bus->flush(self);
        };
        if (loop_->watch(outbox)) {
            return false;
        }
        outbox.watched = true;
    }
    outbox.bytes += packet.size();
    outbox.waiting.emplace_back(packet);
    return true;
}

void Bus::flush(Outbox& outbox) {
    while (!outbox.waiting.empty()) {
        const std::string& packet = outbox.waiting.front();
        if (!os::send_packet(outbox.fd, packet)) {
            if (errno == EAGAIN || errno == ENOBUFS) {
                return;
            }
            break;
        }
        outbox.bytes -= packet.size();
        outbox.waiting.pop_front();
    }
    outbox.waiting.clear();
    outbox.bytes = 0;
    loop_->unwatch(outbox);
    outbox.watched = false;
}

void Bus::receive() {
    char packet[sizeof(PieceHead) + kPiece];
    // Others get their turn too.
    for (int i = 0; i < 64 && loop_ != nullptr; i++) {
        int64_t size = os::receive_packet(watch_.fd, packet, sizeof(packet));
        if (size <= 0) {
            return;
        }
        take({packet, static_cast<size_t>(size)});
    }
}

void Bus::take(std::string_view packet) {
    PieceHead piece;
    if (packet.size() < sizeof(piece)) {
        return;
    }
    std::memcpy(&piece, packet.data(), sizeof(piece));
    packet.remove_prefix(sizeof(piece));
    if (piece.sender >= partial_.size() || piece.total > kMostMessage) {
        return;
    }
    if (piece.offset == 0 && packet.size() == piece.total) {
        partial_[piece.sender].clear();
        receiver_(argument_, packet);
        return;
    }
    // A sender that ended in the middle of a message leaves a piece behind.
    std::string& message = partial_[piece.sender];
    if (piece.offset == 0) {
        message.clear();
    } else if (piece.offset != message.size()) {
        return;
    }
    message.append(packet);
    if (message.size() >= piece.total) {
        std::string whole = std::move(message);
        message.clear();
        receiver_(argument_, whole);
    }
}

}  // namespace stampede::proc
