#include "proto/coding/crc32.h"

#include <zlib.h>

#include <cstddef>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace stampede::proto::coding {

namespace {

uint32_t by_table(uint32_t crc, std::string_view bytes) {
    if (bytes.empty()) {
        return crc;  // zlib begins anew when there is no place either
    }
    return static_cast<uint32_t>(
        crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

#if defined(__x86_64__)

constexpr size_t kLane = 16;
constexpr size_t kLanes = 4;
constexpr size_t kBlock = kLane * kLanes;

// What lies so many bits before the end of a message counts as much as its product with
// x^(bits + 32) and x^(bits - 32) modulo the polynomial does at the end, here with the order of
// bits reversed: for the lower and the upper half of a lane.
struct Fold {
    uint64_t lower, upper;
};
constexpr Fold kOverBlock{0x154442bd4, 0x1c6e41596};  // 512 bits
constexpr Fold kOverLane{0x1751997d0, 0x0ccaa009e};   // 128 bits

__attribute__((target("pclmul,sse4.1"))) __m128i folded(__m128i lane, __m128i by, __m128i onto) {
    __m128i lower = _mm_clmulepi64_si128(lane, by, 0x00);
    __m128i upper = _mm_clmulepi64_si128(lane, by, 0x11);
    return _mm_xor_si128(_mm_xor_si128(lower, upper), onto);
}

__attribute__((target("pclmul,sse4.1"))) __m128i lane_at(const char* bytes) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}

// Of at least a block. Four lanes side by side, since a product takes several cycles; then all into
// one lane, which stands for the whole message and is the table's.
__attribute__((target("pclmul,sse4.1"))) uint32_t by_products(uint32_t crc,
                                                              std::string_view bytes) {
    const char* at = bytes.data();
    const char* end = at + bytes.size();
    __m128i lanes[kLanes];
    for (size_t i = 0; i < kLanes; i++) {
        lanes[i] = lane_at(at + i * kLane);
    }
    lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128(static_cast<int>(~crc)));
    auto by = [](const Fold& fold) __attribute__((target("pclmul,sse4.1"))) {
        return _mm_set_epi64x(static_cast<long long>(fold.upper),
                              static_cast<long long>(fold.lower));
    };
    __m128i over_block = by(kOverBlock);
    for (at += kBlock; static_cast<size_t>(end - at) >= kBlock; at += kBlock) {
        for (size_t i = 0; i < kLanes; i++) {
            lanes[i] = folded(lanes[i], over_block, lane_at(at + i * kLane));
        }
    }
    __m128i over_lane = by(kOverLane);
    __m128i all = lanes[0];
    for (size_t i = 1; i < kLanes; i++) {
        all = folded(all, over_lane, lanes[i]);
    }
    for (; static_cast<size_t>(end - at) >= kLane; at += kLane) {
        all = folded(all, over_lane, lane_at(at));
    }
    char last[kLane];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(last), all);
    constexpr uint32_t kNothingBefore = 0xffffffff;  // the register is its complement
    return by_table(by_table(kNothingBefore, {last, kLane}), {at, static_cast<size_t>(end - at)});
}

bool multiplies() {
    static const bool can =
        __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.1") != 0;
    return can;
}

#endif

}  // namespace

uint32_t crc32_of(uint32_t crc, std::string_view bytes) {
#if defined(__x86_64__)
    if (bytes.size() >= kBlock && multiplies()) {
        return by_products(crc, bytes);
    }
#endif
    return by_table(crc, bytes);
}

}  // namespace stampede::proto::coding
