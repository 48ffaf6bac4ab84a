// A line for every request that was responded to, refused or given up, written by a thread of its
// own. Owned by the service; loop thread; never parks.
#pragma once

#include <memory>
#include <string_view>

#include "base/clock.h"
#include "loop/loop.h"
#include "os/line_writer.h"
#include "server/exchange.h"
#include "shm/scoreboard.h"

namespace stampede::server {

class Service;

enum class LogFormat : uint8_t {
    kCombined,  // that of Apache and nginx
    kJson,      // an object a line
};

// For peers that close before their response began, as nginx writes it.
inline constexpr int kStatusClientGone = 499;

class AccessLog {
public:
    AccessLog(loop::Loop& loop, os::LineWriter& writer, LogFormat format);
    ~AccessLog();
    AccessLog(const AccessLog&) = delete;
    AccessLog& operator=(const AccessLog&) = delete;

    // exchange: null when its head could not be read.
    void write(Service& service, const net::Connection& connection, const Exchange* exchange,
               int status);
    void flush();
    void reopen() { writer_.reopen(); }

private:
    struct FlushTimer : loop::Timer {
        AccessLog* log;
    };
    struct Entry;

    void write_combined(const Entry& entry);
    void write_json(const Entry& entry);
    void renew_time();
    void on_timer();

    loop::Loop& loop_;
    os::LineWriter& writer_;
    LogFormat format_;
    FlushTimer timer_;
    bool armed_ = false;
    shm::Counter* lost_ = nullptr;
    uint64_t unsaid_ = 0;
    Nanos say_after_ = 0;
    Nanos time_until_ = 0;
    char time_[64];  // as the format has it
    size_t time_size_ = 0;
};

// Bytes of peers between quotation marks, so that they cannot end the line or steer a terminal:
// what is not printable ASCII, '"' and '\' as \xHH.
void append_escaped(Buffer& out, std::string_view text);
// The inside of a JSON string, always valid UTF-8.
void append_json_text(Buffer& out, std::string_view text);

}  // namespace stampede::server
