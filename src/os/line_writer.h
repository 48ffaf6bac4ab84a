// Lines for a file or a pipe, written by a thread of their own in large pieces: the caller never
// waits for a disk or a reader. What cannot be written is dropped and counted. Owned by its user,
// whose thread calls everything here; never parks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/error.h"

namespace stampede::os {

class LineWriter {
public:
    // "stdout", "stderr" or a path; a file is appended to, and made when it is not there. No thread
    // runs before the first flush(), so that it can be opened before a fork.
    static Result<std::unique_ptr<LineWriter>> open(const std::string& target);
    // An open descriptor, which stays the caller's; reopen() has no effect then.
    static Result<std::unique_ptr<LineWriter>> open(int fd);
    // Writes what is left, and waits for it, but not for long.
    ~LineWriter();
    LineWriter(const LineWriter&) = delete;
    LineWriter& operator=(const LineWriter&) = delete;

    // Where a line is appended, with its end.
    Buffer& lines() { return lines_; }
    void count_line() { line_count_++; }
    bool wants_flush() const { return lines_.size() >= kFlushFrom; }
    bool empty() const { return lines_.empty(); }
    // Hands what is there to the thread.
    void flush();
    // After a rotation: the same name is opened again before the next line is written. When that
    // fails, the lines go on to the old file.
    void reopen();
    // Lines that were dropped since the last call.
    uint64_t take_lost();

private:
    static constexpr size_t kFlushFrom = 64 * 1024;
    static constexpr size_t kMostWaiting = 4u << 20;
    struct Shared;

    static Result<std::unique_ptr<LineWriter>> make(const std::string& target, int fd);
    LineWriter(const std::string& target, int fd);
    bool start();

    Shared* shared_;  // with the thread; the last one frees it
    Buffer lines_;
    uint64_t line_count_ = 0;
    uint64_t lost_ = 0;
    int pid_ = 0;  // whose process the thread is in
};

}  // namespace stampede::os
