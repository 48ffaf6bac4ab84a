#include "ext/server/response_spool.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "os/mapped_temporary.h"
#include "server/stall.h"

namespace stampede::classes {

ResponseSpool& ResponseSpool::get() {
    static ResponseSpool spool;
    return spool;
}

void ResponseSpool::set(size_t most, std::string folder) {
    most_ = most;
    folder_ = std::move(folder);
}

ResponseSpool::Segment* ResponseSpool::segment_for(size_t bytes) {
    if (present_ != nullptr && present_->size - present_->used >= bytes) {
        return present_;
    }
    size_t size = std::max((bytes + kSegment - 1) / kSegment, size_t{1}) * kSegment;
    if (size > most_ || total_ > most_ - size) {
        return nullptr;
    }
    Result<char*> memory = os::map_temporary(folder_, size);
    if (!memory) {
        return nullptr;
    }
    total_ += size;
    Segment* former = std::exchange(present_, new Segment{this, *memory, size, 0, 1});
    if (former != nullptr) {
        drop(*former);
    }
    return present_;
}

void ResponseSpool::drop(Segment& segment) {
    if (--segment.references > 0) {
        // Only the next piece would need the rest of it, and the disk is there without it as well.
        if (segment.references == 1 && segment.owner->present_ == &segment) {
            segment.owner->present_ = nullptr;
            drop(segment);
        }
        return;
    }
    os::unmap_temporary(segment.memory, segment.size);
    segment.owner->total_ -= segment.size;
    segment.owner->is_full_ = false;
    delete &segment;
}

void ResponseSpool::send(server::Exchange& exchange, const net::BytesRef& piece) {
    if (takes(exchange, piece.bytes)) {
        piece.release(piece.owner);
        return;
    }
    keep(exchange, piece);
    if (kept_ > kMost && !has_room() && exchange.connection() != nullptr) {
        server::log_no_room(*exchange.connection());
        exchange.abort();
    }
}

bool ResponseSpool::takes(server::Exchange& exchange, std::string_view bytes) {
    if (!has_room()) {
        return false;
    }
    if (bytes.size() > most_of_each()) {
        send_large(exchange, bytes);
        return true;
    }
    bool is_counted = bytes.size() >= kLargePiece;
    uint64_t most = is_counted ? most_of_each() : std::min(most_of_each(), kUncounted);
    return exchange.pending() > most && send_when_full(exchange, bytes, most);
}

bool ResponseSpool::send_when_full(server::Exchange& exchange, std::string_view bytes,
                                   uint64_t most) {
    exchange.connection()->flush();
    if (exchange.pending() <= most) {
        return false;
    }
    Segment* segment = segment_for(bytes.size());
    if (segment == nullptr) {
        is_full_ = true;
        return false;
    }
    char* at = segment->memory + segment->used;
    std::memcpy(at, bytes.data(), bytes.size());
    // Else a worker is replaced for its memory although what it has is on the disk.
    os::part_with_temporary(at, bytes.size());
    segment->used += bytes.size();
    segment->references++;
    net::BytesRef piece;
    piece.bytes = {at, bytes.size()};
    piece.owner = segment;
    piece.release = [](void* owner) { drop(*static_cast<Segment*>(owner)); };
    exchange.send_body_ref(piece);
    return true;
}

// By copies: what a slow peer leaves of it would keep the whole of it in the memory of PHP, whose
// limit is that of all requests.
void ResponseSpool::send_large(server::Exchange& exchange, std::string_view bytes) {
    constexpr uint64_t kPart = 256 * 1024;
    while (!bytes.empty() && exchange.connection() != nullptr) {
        if (uint64_t most = most_of_each(); exchange.pending() > most) {
            if (send_when_full(exchange, bytes, most)) {
                return;
            }
            if (!has_room()) {
                keep_copy(exchange, bytes);
                return;
            }
            continue;
        }
        std::string_view part = bytes.substr(0, std::min(kPart, most_of_each()));
        keep_copy(exchange, part);
        bytes.remove_prefix(part.size());
        if (exchange.connection() != nullptr) {
            exchange.connection()->flush();
        }
    }
}

// ---- in memory ---------------------------------------------------------------------------------

struct ResponseSpool::Kept {
    ResponseSpool* owner;
    net::BytesRef piece;
};

// Counted first: the connection may let go of it at once.
void ResponseSpool::keep(server::Exchange& exchange, const net::BytesRef& piece) {
    kept_ += piece.bytes.size();
    net::BytesRef counted;
    counted.bytes = piece.bytes;
    counted.owner = new Kept{this, piece};
    counted.release = [](void* owner) {
        auto* kept = static_cast<Kept*>(owner);
        kept->owner->kept_ -= kept->piece.bytes.size();
        kept->piece.release(kept->piece.owner);
        delete kept;
    };
    exchange.send_body_ref(counted);
}

void ResponseSpool::keep_copy(server::Exchange& exchange, std::string_view bytes) {
    auto* copy = new std::string(bytes);
    net::BytesRef piece;
    piece.bytes = *copy;
    piece.owner = copy;
    piece.release = [](void* owner) { delete static_cast<std::string*>(owner); };
    keep(exchange, piece);
}

}  // namespace stampede::classes
