// Finding the byte that ends a method, target, name or value, 16 or 32 bytes at a time where the
// processor can. A Block is one load; its masks have one bit per byte. The parser is a template
// over it, compiled once for each. Pure functions, any thread, never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "proto/http/byte_classes.h"

#if defined(STAMPEDE_SCAN_SSSE3) || defined(STAMPEDE_SCAN_AVX2)
#include <immintrin.h>
#endif

namespace stampede::proto::http1::scan {

// Whether bytes after the end may be read.
enum class Padding : uint8_t { kPadded, kExact };

using http::class_of;
using http::is_name_odd;
using http::is_name_plain;
using http::kControl;
using http::kNameOdd;
using http::kNameStop;
using http::kTargetSpecial;
using http::kTargetStop;

// One byte at a time by table: for other processors, and to measure the others against.
class TableScanner {
public:
    static constexpr const char* kName = "portable";

    explicit TableScanner(const char* end) : end_(end) {}

    const char* find_control(const char* p) {
        while (p < end_ && (class_of(*p) & kControl) == 0) {
            p++;
        }
        return p;
    }
    const char* find_name_end(const char* p, uint64_t& odd) {
        uint8_t seen = 0;
        while (p < end_ && (class_of(*p) & kNameStop) == 0) {
            seen |= class_of(*p++);
        }
        odd |= seen & kNameOdd;
        return p;
    }
    const char* find_target_end(const char* p, uint64_t& special) {
        uint8_t seen = 0;
        while (p < end_ && (class_of(*p) & kTargetStop) == 0) {
            seen |= class_of(*p++);
        }
        special |= seen & kTargetSpecial;
        return p;
    }

private:
    const char* end_;
};

// For a shuffle: bit (c >> 4) of entry (c & 15) says that c is of the wanted kind. Only rows 2 to 7
// can be.
template <typename Wanted>
constexpr std::array<uint8_t, 16> make_rows(Wanted wanted) {
    std::array<uint8_t, 16> rows{};
    for (int c = 0x20; c < 0x80; c++) {
        if (wanted(c)) {
            rows[static_cast<size_t>(c & 15)] |= static_cast<uint8_t>(1 << (c >> 4));
        }
    }
    return rows;
}

alignas(16) inline constexpr std::array<uint8_t, 16> kTokenRows = make_rows([](int c) {
    return is_name_plain(c) || is_name_odd(c);
});
alignas(16) inline constexpr std::array<uint8_t, 16> kOddRows = make_rows(is_name_odd);
alignas(16) inline constexpr std::array<uint8_t, 16> kRowBits = {1, 2, 4, 8, 16, 32, 64, 128};

#if defined(STAMPEDE_SCAN_SSSE3)
class Block16 {
public:
    static constexpr size_t kWidth = 16;
    static constexpr const char* kName = "ssse3";

    explicit Block16(const char* p)
        : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))) {}

    uint64_t control() const {
        __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes_, _mm_set1_epi8(0x1f)), bytes_);
        low = _mm_andnot_si128(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8('\t')), low);
        return mask(_mm_or_si128(low, _mm_cmpeq_epi8(bytes_, _mm_set1_epi8(0x7f))));
    }
    uint64_t target_stop() const {
        // As signed bytes, 0x80 and above are negative, that is below 0x21.
        __m128i low = _mm_cmplt_epi8(bytes_, _mm_set1_epi8(0x21));
        return mask(_mm_or_si128(low, _mm_cmpeq_epi8(bytes_, _mm_set1_epi8(0x7f))));
    }
    uint64_t target_special() const {
        __m128i found = _mm_cmpeq_epi8(bytes_, _mm_set1_epi8('?'));
        found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes_, _mm_set1_epi8('%')));
        found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes_, _mm_set1_epi8('\\')));
        return mask(_mm_or_si128(found, _mm_cmpeq_epi8(bytes_, _mm_set1_epi8('#'))));
    }
    uint64_t name_stop() const {
        return mask(_mm_cmpeq_epi8(in_rows(kTokenRows), _mm_setzero_si128()));
    }
    uint64_t name_odd() const {
        return 0xffff & ~mask(_mm_cmpeq_epi8(in_rows(kOddRows), _mm_setzero_si128()));
    }

private:
    static uint64_t mask(__m128i v) { return static_cast<uint32_t>(_mm_movemask_epi8(v)); }
    static __m128i table(const std::array<uint8_t, 16>& rows) {
        return _mm_load_si128(reinterpret_cast<const __m128i*>(rows.data()));
    }
    __m128i in_rows(const std::array<uint8_t, 16>& rows) const {
        // A shuffle gives 0 where the index has its top bit set, which is right for 0x80 and above.
        __m128i high = _mm_and_si128(_mm_srli_epi16(bytes_, 4), _mm_set1_epi8(0x0f));
        return _mm_and_si128(_mm_shuffle_epi8(table(rows), bytes_),
                             _mm_shuffle_epi8(table(kRowBits), high));
    }

    __m128i bytes_;
};
#endif

#if defined(STAMPEDE_SCAN_AVX2)
class Block32 {
public:
    static constexpr size_t kWidth = 32;
    static constexpr const char* kName = "avx2";

    explicit Block32(const char* p)
        : bytes_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))) {}

    uint64_t control() const {
        __m256i low = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes_, _mm256_set1_epi8(0x1f)), bytes_);
        low = _mm256_andnot_si256(_mm256_cmpeq_epi8(bytes_, _mm256_set1_epi8('\t')), low);
        return mask(_mm256_or_si256(low, _mm256_cmpeq_epi8(bytes_, _mm256_set1_epi8(0x7f))));
    }
    uint64_t target_stop() const {
        __m256i low = _mm256_cmpgt_epi8(_mm256_set1_epi8(0x21), bytes_);
        return mask(_mm256_or_si256(low, _mm256_cmpeq_epi8(bytes_, _mm256_set1_epi8(0x7f))));
    }
    uint64_t target_special() const {
        __m256i found = _mm256_cmpeq_epi8(bytes_, _mm256_set1_epi8('?'));
        found = _mm256_or_si256(found, _mm256_cmpeq_epi8(bytes_, _mm256_set1_epi8('%')));
        found = _mm256_or_si256(found, _mm256_cmpeq_epi8(bytes_, _mm256_set1_epi8('\\')));
        return mask(_mm256_or_si256(found, _mm256_cmpeq_epi8(bytes_, _mm256_set1_epi8('#'))));
    }
    uint64_t name_stop() const {
        return mask(_mm256_cmpeq_epi8(in_rows(kTokenRows), _mm256_setzero_si256()));
    }
    uint64_t name_odd() const {
        return 0xffffffff & ~mask(_mm256_cmpeq_epi8(in_rows(kOddRows), _mm256_setzero_si256()));
    }

private:
    static uint64_t mask(__m256i v) { return static_cast<uint32_t>(_mm256_movemask_epi8(v)); }
    static __m256i table(const std::array<uint8_t, 16>& rows) {
        return _mm256_broadcastsi128_si256(
            _mm_load_si128(reinterpret_cast<const __m128i*>(rows.data())));
    }
    __m256i in_rows(const std::array<uint8_t, 16>& rows) const {
        __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes_, 4), _mm256_set1_epi8(0x0f));
        return _mm256_and_si256(_mm256_shuffle_epi8(table(rows), bytes_),
                                _mm256_shuffle_epi8(table(kRowBits), high));
    }

    __m256i bytes_;
};
#endif

// The bits below the lowest set bit of a mask that is not 0.
inline uint64_t bits_before(uint64_t stop) { return (stop - 1) & ~stop; }

// The masks of 64 bytes at a time. Finding the next stop in them is a shift and a count, so that a
// head full of short fields does not wait for one load after the other. Bits at and after the end
// of the input are set in every stop mask.
template <typename Block, Padding P>
class Window {
public:
    static constexpr size_t kBytes = 64;
    static constexpr const char* kName = Block::kName;

    explicit Window(const char* end) : end_(end) {}

    // Each finder returns the first stop in [p, end), or end. p never goes back.
    [[gnu::always_inline]] const char* find_control(const char* p) {
        auto offset = static_cast<size_t>(p - base_);
        if (offset < kBytes && (control_ >> offset) != 0) {
            return p + __builtin_ctzll(control_ >> offset);
        }
        return find_control_further(p);
    }

    // Sets bits in `odd` when the name has characters of that kind.
    [[gnu::always_inline]] const char* find_name_end(const char* p, uint64_t& odd) {
        auto offset = static_cast<size_t>(p - base_);
        if (offset < kBytes && (name_stop_ >> offset) != 0) {
            uint64_t stop = name_stop_ >> offset;
            odd |= (name_odd_ >> offset) & bits_before(stop);
            return p + __builtin_ctzll(stop);
        }
        return find_name_end_further(p, odd);
    }

    // Sets bits in `special` when the target has characters of that kind. Nothing else was looked
    // for before.
    const char* find_target_end(const char* p, uint64_t& special) {
        constexpr size_t kNeeded = P == Padding::kExact ? Block::kWidth : 1;
        while (p < end_ && static_cast<size_t>(end_ - p) >= kNeeded) {
            Block block(p);
            uint64_t stop = block.target_stop();
            uint64_t marks = block.target_special();
            if (stop != 0) {
                special |= marks & bits_before(stop);
                p += __builtin_ctzll(stop);
                return p < end_ ? p : end_;
            }
            special |= marks;
            p += Block::kWidth;
        }
        return p < end_ ? TableScanner(end_).find_target_end(p, special) : end_;
    }

private:
    // The window holds no stop at or after p, or has no masks for names yet.
    [[gnu::noinline]] const char* find_control_further(const char* p) {
        for (p = behind_window(p); p < end_; p = base_ + kBytes) {
            load(p);
            if (control_ != 0) {
                return p + __builtin_ctzll(control_);
            }
        }
        return end_;
    }

    [[gnu::noinline]] const char* find_name_end_further(const char* p, uint64_t& odd) {
        auto offset = static_cast<size_t>(p - base_);
        if (offset >= kBytes) {
            load(p);
            offset = 0;
        }
        for (; p < end_; p = base_, offset = 0) {
            load_names();
            uint64_t stop = name_stop_ >> offset;
            uint64_t marks = name_odd_ >> offset;
            if (stop != 0) {
                odd |= marks & bits_before(stop);
                return p + __builtin_ctzll(stop);
            }
            odd |= marks;
            load(base_ + kBytes);
        }
        return end_;
    }

    const char* behind_window(const char* p) const {
        return static_cast<size_t>(p - base_) < kBytes ? base_ + kBytes : p;
    }

    void load(const char* base) {
        base_ = base;
        source_ = base;
        name_stop_ = 0;
        if (base >= end_) {
            return;
        }
        if constexpr (P == Padding::kExact) {
            if (static_cast<size_t>(end_ - base) < kBytes) {
                source_ = tail_;
                std::memcpy(tail_, base, static_cast<size_t>(end_ - base));
            }
        }
        control_ = collect([](const Block& block) { return block.control(); }) | behind_end();
    }

    void load_names() {
        name_stop_ = collect([](const Block& block) { return block.name_stop(); }) | behind_end();
        name_odd_ = collect([](const Block& block) { return block.name_odd(); });
    }

    uint64_t behind_end() const {
        auto left = static_cast<size_t>(end_ - base_);
        return left < kBytes ? ~uint64_t{0} << left : 0;
    }

    // A block is loaded only when it begins before the end, so at most a block's width less one is
    // read after it.
    template <typename Mask>
    [[gnu::always_inline]] uint64_t collect(Mask mask) const {
        static_assert(Block::kWidth <= 32 && kBytes % Block::kWidth == 0);
        uint64_t result = 0;
        for (size_t i = 0; i < kBytes; i += Block::kWidth) {
            if (i == 0 || base_ + i < end_) {
                result |= mask(Block(source_ + i)) << i;
            }
        }
        return result;
    }

    const char* base_ = nullptr;
    const char* end_;
    const char* source_ = nullptr;
    uint64_t control_ = 0;
    uint64_t name_stop_ = 0;  // 0 until a name is looked for
    uint64_t name_odd_ = 0;
    char tail_[kBytes];
};

}  // namespace stampede::proto::http1::scan
