#include "os/log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "base/clock.h"
#include "os/fd.h"
#include "os/log_object.h"
#include "os/socket_io.h"

namespace stampede::os {

namespace {

const char* level_name(LogLevel level) {
    static const char* const kNames[] = {"DEBUG", "TRACE", "INFO", "NOTICE", "WARNING", "ERROR"};
    int index = static_cast<int>(level);
    return index >= 0 && index < 6 ? kNames[index] : "NONE";
}

const char* rotation_suffix(LogRotation rotation) {
    switch (rotation) {
        case LogRotation::kMonthly:
            return ".%Y%m";
        case LogRotation::kDaily:
            return ".%Y%m%d";
        case LogRotation::kHourly:
            return ".%Y%m%d%H";
        case LogRotation::kEveryMinute:
            return ".%Y%m%d%H%M";
        case LogRotation::kSingle:
            return "";
    }
    return "";
}

std::string format_now(const char* format) {
    time_t now = static_cast<time_t>(wall_now() / kSecond);
    tm parts;
    localtime_r(&now, &parts);
    char text[64];
    size_t size = strftime(text, sizeof(text), format, &parts);
    return std::string(text, size);
}

// What peers sent may be in a line: it must not be able to begin another one, which an entry does
// with its date, or to steer a terminal. Further lines of one entry (a stack trace) begin with a
// tab.
void append_printable(std::string& line, const char* text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        unsigned char c = static_cast<unsigned char>(text[i]);
        bool is_control = c == 0xc2 && i + 1 < size &&
                          static_cast<unsigned char>(text[i + 1]) >= 0x80 &&
                          static_cast<unsigned char>(text[i + 1]) < 0xa0;
        if (c == '\n') {
            line += i + 1 < size ? "\n\t" : "";
        } else if (is_control || (c < 0x20 && c != '\t') || c == 0x7f) {
            char escaped[8];
            snprintf(escaped, sizeof(escaped), "\\x%02x", c);
            line += escaped;
        } else {
            line += static_cast<char>(c);
        }
    }
}

}  // namespace

Log& Log::get() {
    static Log log;
    return log;
}

std::string Log::present_name() const {
    return settings_.file + format_now(rotation_suffix(settings_.rotation));
}

bool Log::open_file() {
    std::string name = present_name();
    int fd = ::open(name.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) {
        return false;
    }
    if (fd_ > 2) {
        close_fd(fd_);
    }
    fd_ = fd;
    opened_name_ = name;
    pass_on_output();
    return true;
}

void Log::write_objects(int fd) {
    writes_objects_ = true;
    objects_fd_ = fd;
}

void Log::take_output() {
    takes_output_ = true;
    pass_on_output();
}

void Log::pass_on_output() const {
    if (takes_output_ && fd_ > 2) {
        (void)::dup2(fd_, 1);
        (void)::dup2(fd_, 2);
    }
}

bool Log::configure(const LogSettings& settings) {
    LogSettings before = settings_;
    settings_ = settings;
    if (settings_.file.empty()) {
        if (fd_ > 2) {
            close_fd(fd_);
        }
        fd_ = 1;
        return true;
    }
    if (settings_.file == before.file && settings_.rotation == before.rotation && fd_ > 2) {
        return true;
    }
    if (!open_file()) {
        settings_ = before;
        return false;
    }
    return true;
}

void Log::reopen() {
    if (!settings_.file.empty()) {
        (void)open_file();  // when it fails, the lines go on to the old file
    }
}

bool Log::discards(LogLevel level) const {
    constexpr unsigned kMemoryDevices = 1, kNull = 3;  // the numbers of /dev/null
    struct stat info;
    return !enabled(level) || (::fstat(fd_, &info) == 0 && S_ISCHR(info.st_mode) &&
                               info.st_rdev == makedev(kMemoryDevices, kNull));
}

void Log::write(LogLevel level, const char* format, ...) {
    if (!enabled(level)) {
        return;
    }
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (size > 0) {
        size_t length =
            static_cast<size_t>(size) < sizeof(text) ? static_cast<size_t>(size) : sizeof(text) - 1;
        write_text(level, text, length);
    }
}

void Log::write_lines(std::string_view lines) {
    constexpr Nanos kPatience = kSecond;
    while (!lines.empty()) {
        long count = write_some(objects_fd_, lines.data(), lines.size());
        if (count > 0) {
            lines.remove_prefix(static_cast<size_t>(count));
        } else if (errno != EAGAIN ||
                   poll_one(objects_fd_, PollFor::kWriting, monotonic_now() + kPatience) <= 0) {
            lost_++;
            return;
        }
    }
}

void Log::write_object(LogLevel level, std::string_view text) {
    std::string name = level_name(level);
    for (char& letter : name) {
        letter = static_cast<char>(letter | 0x20);
    }
    std::string line = log_object(text, {.level = name, .source = {}, .worker = worker_});
    int fd = settings_.file.empty() ? objects_fd_ : fd_;
    if (write_some(fd, line.data(), line.size()) != static_cast<long>(line.size())) {
        lost_++;
    }
}

void Log::write_text(LogLevel level, const char* text, size_t size) {
    if (!enabled(level)) {
        return;
    }
    if (settings_.rotation != LogRotation::kSingle && fd_ > 2 && present_name() != opened_name_) {
        (void)open_file();
    }
    if (writes_objects_) {
        write_object(level, {text, size});
        return;
    }
    std::string line = "[" + format_now(settings_.date_format.c_str());
    char head[64];
    if (settings_.microseconds) {
        snprintf(head, sizeof(head), "<.%06ld>", static_cast<long>(wall_now() / 1000 % 1000000));
        line += head;
    }
    if (worker_ >= 0) {
        snprintf(head, sizeof(head), " #%d.%d]\t%s\t", getpid(), worker_, level_name(level));
    } else {
        snprintf(head, sizeof(head), " *%d]\t%s\t", getpid(), level_name(level));
    }
    line += head;
    append_printable(line, text, size);
    line += '\n';
    if (write_some(fd_, line.data(), line.size()) != static_cast<long>(line.size())) {
        lost_++;
    }
}

}  // namespace stampede::os
