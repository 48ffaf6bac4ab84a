// A request as a line of the access log: in the form of Apache and nginx, as an object of JSON, or
// for people. No byte of a client can end a line or steer a terminal. Pure functions that append to
// a buffer.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/buffer.h"
#include "base/clock.h"

namespace stampede::server {

enum class LogFormat : uint8_t {
    kCombined,  // that of Apache and nginx
    kJson,      // an object a line
    kText,      // for people
    kColoured,  // for people at a terminal
};

// What a line may have. Of kCombined the parts are given.
enum class LogField : uint8_t {
    kTime,
    kLevel,
    kWorker,
    kRemoteAddress,
    kClient,  // the same by a shorter name
    kMethod,
    kTarget,
    kPath,
    kQuery,  // without secrets
    kProtocol,
    kStatus,
    kBytes,
    kMicroseconds,
    kMilliseconds,
    kHttps,
    kHost,
    kReferer,
    kUserAgent,
    kRequestId,
    kTraceId,  // of the field traceparent; left out when there is none
};
// Null: there is no such field.
const LogField* find_log_field(std::string_view name);

struct LogEntry {
    std::string_view time;  // in the form of the log
    std::string_view address;
    std::string_view method;
    std::string_view target;
    std::string_view path;
    std::string_view query;
    std::string_view protocol;
    std::string_view host;
    std::string_view referer;
    std::string_view user_agent;
    std::string_view request_id;
    std::string_view trace_id;
    int status = 200;
    int worker = -1;
    uint64_t bytes = 0;
    Nanos duration = 0;
    bool https = false;
};

void append_combined(Buffer& out, const LogEntry& entry);
void append_json(Buffer& out, const LogEntry& entry, std::span<const LogField> fields);
// The fields follow what each such line has: time, status, method, path and duration.
void append_text(Buffer& out, const LogEntry& entry, std::span<const LogField> fields,
                 bool coloured);

// Bytes of peers between quotation marks, so that they cannot end the line or steer a terminal:
// what is not printable ASCII, '"' and '\' as \xHH.
void append_escaped(Buffer& out, std::string_view text);
// The inside of a JSON string, always valid UTF-8.
void append_json_text(Buffer& out, std::string_view text);

}  // namespace stampede::server
