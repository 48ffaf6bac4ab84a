// The process's log: one line per call, written whole, to standard output or a file that can be
// reopened and rotated. A line that cannot be written is counted, never waited for. One per
// process, inherited by fork; own thread only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stampede::os {

// Values of the API's SWOOLE_LOG_* constants.
enum class LogLevel : int {
    kDebug = 0,
    kTrace = 1,
    kInfo = 2,
    kNotice = 3,
    kWarning = 4,
    kError = 5,
    kNone = 6
};

enum class LogRotation : int {
    kSingle = 0,
    kMonthly = 1,
    kDaily = 2,
    kHourly = 3,
    kEveryMinute = 4
};

struct LogSettings {
    LogLevel level = LogLevel::kInfo;
    std::string file;  // empty: standard output
    LogRotation rotation = LogRotation::kSingle;
    std::string date_format = "%Y-%m-%d %H:%M:%S";
    bool microseconds = false;
};

class Log {
public:
    static Log& get();

    // False when the file cannot be opened (errno says why); the old destination then stays.
    bool configure(const LogSettings& settings);
    const LogSettings& settings() const { return settings_; }
    // What this process and its children print goes to the file, too, from now on; nothing when
    // there is none.
    void take_output();
    // After an external rotation: opens the same name again.
    void reopen();
    bool enabled(LogLevel level) const {
        return level >= settings_.level && level < LogLevel::kNone;
    }
    // Nobody will see a line of this level.
    bool discards(LogLevel level) const;
    void set_worker(int worker) { worker_ = worker; }
    int worker() const { return worker_; }
    // Lines are objects of JSON from now on, and go to this descriptor where they have no file.
    void write_objects(int fd);
    int objects_fd() const { return objects_fd_; }
    // Objects that somebody else has made. Waits a moment for a reader that is late.
    void write_lines(std::string_view lines);
    // "*" master, "$" manager, a number for workers: how a line names its process.
    void write(LogLevel level, const char* format, ...) __attribute__((format(printf, 3, 4)));
    void write_text(LogLevel level, const char* text, size_t size);
    uint64_t lost() const { return lost_; }

private:
    bool open_file();
    void write_object(LogLevel level, std::string_view text);
    void pass_on_output() const;
    std::string present_name() const;

    LogSettings settings_;
    std::string opened_name_;
    int fd_ = 1;
    int objects_fd_ = 2;
    bool writes_objects_ = false;
    bool takes_output_ = false;
    int worker_ = -1;
    uint64_t lost_ = 0;
};

}  // namespace stampede::os
