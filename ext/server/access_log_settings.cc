#include "ext/server/access_log_settings.h"

#include <unistd.h>

#include <charconv>
#include <string_view>

#include "os/log.h"

namespace stampede::classes {

namespace {

using server::LogField;
using server::LogFormat;

constexpr int kFirstError = 400;
constexpr std::string_view kSlow = "slow:";

struct FormatName {
    std::string_view name;
    LogFormat format;
};
constexpr FormatName kFormats[] = {{"combined", LogFormat::kCombined},
                                   {"json", LogFormat::kJson},
                                   {"text", LogFormat::kText},
                                   {"coloured", LogFormat::kColoured}};

const FormatName* find_format(std::string_view name) {
    for (const FormatName& format : kFormats) {
        if (format.name == name) {
            return &format;
        }
    }
    return nullptr;
}

// Milliseconds; below 0: the filter is not one of slow requests.
int64_t slow_from(std::string_view filter) {
    int64_t milliseconds = -1;
    if (filter.starts_with(kSlow)) {
        filter.remove_prefix(kSlow.size());
        const char* end = filter.data() + filter.size();
        auto [stop, error] = std::from_chars(filter.data(), end, milliseconds);
        if (error != std::errc() || stop != end) {
            return -1;
        }
    }
    return milliseconds;
}

}  // namespace

std::string check_access_log(const ServerSettings& settings) {
    const std::string& format = settings.access_log_format;
    if (format != "off" && find_format(format) == nullptr) {
        return "access_log_format must be \"combined\", \"json\", \"text\", \"coloured\" or "
               "\"off\", not \"" +
               format + "\"";
    }
    const std::string& filter = settings.access_log_filter;
    if (filter != "all" && filter != "errors" && slow_from(filter) < 0) {
        return "access_log_filter must be \"all\", \"errors\" or \"slow:MILLISECONDS\", not \"" +
               filter + "\"";
    }
    if (settings.access_log_sample > 1) {
        return "access_log_sample must be from 0 to 1: the share of requests that have a line";
    }
    for (const std::string& name : settings.access_log_fields) {
        if (server::find_log_field(name) == nullptr) {
            return "access_log_fields: there is no field \"" + name + "\"";
        }
    }
    if (format == "combined" && !settings.access_log_fields.empty()) {
        return "access_log_fields has no effect with the format \"combined\"";
    }
    return {};
}

server::AccessLogSettings access_log_settings(const ServerSettings& settings) {
    server::AccessLogSettings log;
    const FormatName* format = find_format(settings.access_log_format);
    log.format = format != nullptr ? format->format : LogFormat::kCombined;
    for (const std::string& name : settings.access_log_fields) {
        log.fields.push_back(*server::find_log_field(name));
    }
    if (log.fields.empty() && log.format == LogFormat::kJson) {
        log.fields = {LogField::kTime,   LogField::kRemoteAddress, LogField::kMethod,
                      LogField::kTarget, LogField::kProtocol,      LogField::kStatus,
                      LogField::kBytes,  LogField::kMicroseconds,  LogField::kHttps,
                      LogField::kHost,   LogField::kReferer,       LogField::kUserAgent};
    }
    int64_t slow = slow_from(settings.access_log_filter);
    log.filter.least_status = settings.access_log_filter == "errors" ? kFirstError : 0;
    log.filter.least_time = slow > 0 ? slow * kMillisecond : 0;
    log.filter.share = settings.access_log_sample;
    return log;
}

// Where what programs print is collected, standard error is not where lines go.
Result<std::unique_ptr<os::LineWriter>> open_access_lines(const ServerSettings& settings) {
    if (settings.access_log.empty() || settings.access_log_format == "off") {
        return std::unique_ptr<os::LineWriter>();
    }
    int objects = os::Log::get().objects_fd();
    bool is_collected = settings.access_log == "stderr" && objects != STDERR_FILENO;
    return is_collected ? os::LineWriter::open(objects) : os::LineWriter::open(settings.access_log);
}

}  // namespace stampede::classes
