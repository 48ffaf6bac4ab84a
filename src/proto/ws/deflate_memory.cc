#include "proto/ws/deflate_memory.h"

#include <utility>

#include "proto/ws/deflate.h"

namespace stampede::proto::ws {

std::unique_ptr<Compressor> Compressor::create(uint8_t bits, int level) {
    auto self = std::make_unique<Compressor>();
    self->bits = bits;
    self->level = level;
    bool made =
        deflateInit2(&self->stream, level, Z_DEFLATED, -bits, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    return made ? std::move(self) : nullptr;
}

std::unique_ptr<Decompressor> Decompressor::create(uint8_t bits) {
    auto self = std::make_unique<Decompressor>();
    self->bits = bits;
    return inflateInit2(&self->stream, -bits) == Z_OK ? std::move(self) : nullptr;
}

void DeflateMemory::note(DeflateUse& use) {
    use.unlink();
    uses_.push_back(use);
    use.is_recent = true;
}

// A connection in the middle of a message keeps what it has, so the amount may be exceeded by as
// much as such connections have.
void DeflateMemory::make_room(const DeflateUse& for_this, size_t bytes) {
    for (DeflateUse* use = uses_.front(); use != nullptr && used_ + bytes > most_;) {
        DeflateUse* next = uses_.after(*use);
        if (use != &for_this) {
            use->deflate->rest();
        }
        use = next;
    }
}

std::unique_ptr<Compressor> DeflateMemory::lend_compressor(DeflateUse& to, uint8_t bits,
                                                           int level) {
    make_room(to, Compressor::cost(bits));
    std::unique_ptr<Compressor> state = std::move(spare_compressor_);
    if (state == nullptr || state->bits != bits || state->level != level) {
        state = Compressor::create(bits, level);
    }
    used_ += state != nullptr ? Compressor::cost(bits) : 0;
    return state;
}

std::unique_ptr<Decompressor> DeflateMemory::lend_decompressor(DeflateUse& to, uint8_t bits) {
    make_room(to, Decompressor::cost(bits));
    std::unique_ptr<Decompressor> state = std::move(spare_decompressor_);
    if (state == nullptr || state->bits != bits) {
        state = Decompressor::create(bits);
    }
    used_ += state != nullptr ? Decompressor::cost(bits) : 0;
    return state;
}

void DeflateMemory::take_back(std::unique_ptr<Compressor> state) {
    used_ -= Compressor::cost(state->bits);
    if (deflateReset(&state->stream) == Z_OK) {
        spare_compressor_ = std::move(state);
    }
}

void DeflateMemory::take_back(std::unique_ptr<Decompressor> state) {
    used_ -= Decompressor::cost(state->bits);
    if (inflateReset(&state->stream) == Z_OK) {
        spare_decompressor_ = std::move(state);
    }
}

void DeflateMemory::trim() {
    for (DeflateUse* use = uses_.front(); use != nullptr;) {
        DeflateUse* next = uses_.after(*use);
        if (!std::exchange(use->is_recent, false)) {
            use->deflate->rest();
        }
        use = next;
    }
    spare_compressor_.reset();
    spare_decompressor_.reset();
}

// Not destroyed: connections may end after the destructors of a process have begun.
DeflateMemory& deflate_memory() {
    static auto* const memory = new DeflateMemory;
    return *memory;
}

}  // namespace stampede::proto::ws
