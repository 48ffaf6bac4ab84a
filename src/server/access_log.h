// A line for every request that was responded to, refused or given up, written by a thread of its
// own. Owned by the service; loop thread; never parks.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "loop/loop.h"
#include "os/line_writer.h"
#include "server/access_line.h"
#include "server/exchange.h"
#include "shm/scoreboard.h"

namespace stampede::server {

class Service;

// For peers that close before their response began, as nginx writes it.
inline constexpr int kStatusClientGone = 499;

// Which requests have a line.
struct LogFilter {
    int least_status = 0;  // only from this status on
    Nanos least_time = 0;  // only those that took so long
    double share = 1.0;    // of those that pass and are no errors
};

struct AccessLogSettings {
    LogFormat format = LogFormat::kCombined;
    std::vector<LogField> fields;  // of JSON; of text those that follow
    LogFilter filter;
};

class AccessLog {
public:
    AccessLog(loop::Loop& loop, os::LineWriter& writer, AccessLogSettings settings);
    ~AccessLog();
    AccessLog(const AccessLog&) = delete;
    AccessLog& operator=(const AccessLog&) = delete;

    // exchange: null when its head could not be read.
    void write(Service& service, const net::Connection& connection, Exchange* exchange, int status);
    void flush();
    void reopen() { writer_.reopen(); }

private:
    struct FlushTimer : loop::Timer {
        AccessLog* log;
    };

    bool wants(int status, Nanos duration);
    void append(LogEntry& entry);
    // The time of the wall in the form of the log, valid until the next call.
    std::string_view time();
    void renew_time(Nanos wall);
    void on_timer();

    loop::Loop& loop_;
    os::LineWriter& writer_;
    AccessLogSettings settings_;
    bool has_request_id_;
    FlushTimer timer_;
    bool armed_ = false;
    shm::Counter* lost_ = nullptr;
    uint64_t unsaid_ = 0;
    Nanos say_after_ = 0;
    double sampled_ = 0;    // below 1: what is left to the next line
    Nanos time_until_ = 0;  // of the wall's second
    char time_[64];         // as the format has it
    size_t time_size_ = 0;
};

}  // namespace stampede::server
