// Time: monotonic for every deadline, wall clock only for dates and logs. Any thread, never parks.
#pragma once

#include <cstdint>
#include <ctime>

namespace stampede {

// Nanoseconds on the monotonic clock.
using Nanos = int64_t;

inline constexpr Nanos kMicrosecond = 1000;
inline constexpr Nanos kMillisecond = 1000 * kMicrosecond;
inline constexpr Nanos kSecond = 1000 * kMillisecond;
inline constexpr Nanos kNever = INT64_MAX;

// Of a time span in two parts, of which the second is less than a second; never when it is longer
// than any clock says.
inline Nanos span_of(int64_t seconds, Nanos rest) {
    constexpr int64_t kLongest = 9'000'000'000;
    return seconds > kLongest ? kNever : seconds * kSecond + rest;
}

inline Nanos monotonic_now() {
    timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * kSecond + ts.tv_nsec;
}

inline Nanos wall_now() {
    timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    return ts.tv_sec * kSecond + ts.tv_nsec;
}

// What this thread has computed: a call of the kernel, unlike the others.
inline Nanos thread_cpu_now() {
    timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return ts.tv_sec * kSecond + ts.tv_nsec;
}

}  // namespace stampede
