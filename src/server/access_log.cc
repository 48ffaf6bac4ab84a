#include "server/access_log.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "os/log.h"
#include "proto/http/known_fields.h"
#include "proto/http/message.h"
#include "server/origin.h"
#include "server/request_id.h"
#include "server/service.h"

namespace stampede::server {

namespace {

using proto::http::KnownField;

constexpr Nanos kFlushAfter = kSecond / 10;
constexpr Nanos kFlushTextAfter = kMillisecond;  // somebody looks on
constexpr Nanos kComplainAfter = 10 * kSecond;
constexpr int kError = 400;

bool is_for_people(LogFormat format) {
    return format == LogFormat::kText || format == LogFormat::kColoured;
}

// The trace of "00-<32 hexadecimal digits>-..." (W3C Trace Context); empty: there is none.
std::string_view trace_of(std::string_view traceparent) {
    std::string_view trace = traceparent.size() >= 55 ? traceparent.substr(3, 32) : "";
    auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    return std::ranges::all_of(trace, is_digit) ? trace : std::string_view();
}

void read_fields(const Exchange& exchange, LogEntry& entry) {
    for (const proto::http::Field& field : exchange.head) {
        if (field.id == KnownField::kReferer) {
            entry.referer = exchange.text(field.value);
        } else if (field.id == KnownField::kUserAgent) {
            entry.user_agent = exchange.text(field.value);
        } else if (field.id == KnownField::kOther &&
                   proto::http::equals_ignoring_case(exchange.text(field.name), "traceparent")) {
            entry.trace_id = trace_of(exchange.text(field.value));
        }
    }
}

}  // namespace

AccessLog::AccessLog(loop::Loop& loop, os::LineWriter& writer, AccessLogSettings settings)
    : loop_(loop),
      writer_(writer),
      settings_(std::move(settings)),
      has_request_id_(std::ranges::find(settings_.fields, LogField::kRequestId) !=
                      settings_.fields.end()) {
    timer_.log = this;
    timer_.on_fire = [](loop::Timer& timer) { static_cast<FlushTimer&>(timer).log->on_timer(); };
}

AccessLog::~AccessLog() { loop_.disarm(timer_); }

void AccessLog::flush() { writer_.flush(); }

// Once more after the last line: by then its fate is known.
void AccessLog::on_timer() {
    armed_ = !writer_.empty();
    flush();
    if (armed_) {
        loop_.arm(timer_, kFlushAfter);
    }
    uint64_t lost = writer_.take_lost();
    if (lost == 0) {
        return;
    }
    lost_->add(lost);
    unsaid_ += lost;
    if (loop_.iteration_time() >= say_after_) {
        say_after_ = loop_.iteration_time() + kComplainAfter;
        os::Log::get().write(os::LogLevel::kWarning,
                             "%llu lines of the access log were lost: it cannot be written",
                             static_cast<unsigned long long>(std::exchange(unsaid_, 0)));
    }
}

std::string_view AccessLog::time() {
    Nanos wall = wall_now();
    if (wall >= time_until_ || wall < time_until_ - kSecond) {
        renew_time(wall);
    }
    if (settings_.format == LogFormat::kJson) {  // "....000+00:00"
        auto milliseconds = static_cast<unsigned>(wall % kSecond / kMillisecond);
        for (size_t i = 0; i < 3; i++, milliseconds /= 10) {
            time_[22 - i] = static_cast<char>('0' + milliseconds % 10);
        }
    }
    return {time_, time_size_};
}

// One conversion a second. Not by strftime(): the application's locale has no say in it.
void AccessLog::renew_time(Nanos wall) {
    static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t seconds = static_cast<time_t>(wall / kSecond);
    tm at;
    localtime_r(&seconds, &at);
    char sign = at.tm_gmtoff < 0 ? '-' : '+';
    int zone = static_cast<int>(std::abs(at.tm_gmtoff) / 60);
    int size = 0;
    if (settings_.format == LogFormat::kJson) {
        size = snprintf(time_, sizeof(time_), "%04d-%02d-%02dT%02d:%02d:%02d.000%c%02d:%02d",
                        (at.tm_year + 1900) % 10000, at.tm_mon + 1, at.tm_mday, at.tm_hour,
                        at.tm_min, at.tm_sec, sign, zone / 60, zone % 60);
    } else if (is_for_people(settings_.format)) {
        size = snprintf(time_, sizeof(time_), "%02d:%02d:%02d", at.tm_hour, at.tm_min, at.tm_sec);
    } else {
        size = snprintf(time_, sizeof(time_), "%02d/%s/%04d:%02d:%02d:%02d %c%02d%02d", at.tm_mday,
                        kMonths[at.tm_mon % 12], at.tm_year + 1900, at.tm_hour, at.tm_min,
                        at.tm_sec, sign, zone / 60, zone % 60);
    }
    time_size_ = std::min(static_cast<size_t>(size), sizeof(time_) - 1);
    time_until_ = wall - wall % kSecond + kSecond;
}

bool AccessLog::wants(int status, Nanos duration) {
    const LogFilter& filter = settings_.filter;
    if (status < filter.least_status || duration < filter.least_time) {
        return false;
    }
    if (filter.share >= 1.0 || status >= kError) {
        return true;
    }
    sampled_ += filter.share;
    if (sampled_ < 1.0) {
        return false;
    }
    sampled_ -= 1.0;
    return true;
}

void AccessLog::write(Service& service, const net::Connection& connection, Exchange* exchange,
                      int status) {
    lost_ = &service.line().access_log_lost;
    LogEntry entry;
    entry.status = status != 0 ? status : 200;
    entry.duration = exchange == nullptr ? 0 : monotonic_now() - exchange->received_at();
    if (!wants(entry.status, entry.duration)) {
        return;
    }
    entry.worker = static_cast<int>(service.settings().worker);
    char address[INET6_ADDRSTRLEN];
    char id[kRequestIdSize];
    if (exchange == nullptr) {
        proto::proxy::Address peer = connection.peer;
        entry.address = format_address(peer, address);
        entry.https = connection.transport().encrypted();
    } else {
        Arrival arrival = arrival_of(connection);
        Origin origin = origin_of(service.settings().proxies, *exchange, arrival);
        entry.address = format_address(origin.client, address);
        entry.https = origin.https;
        const auto& head = exchange->head;
        entry.method = exchange->text(head.method_text);
        entry.target = exchange->text(head.target);
        entry.path = head.path.empty() ? "/" : exchange->text(head.path);
        entry.query = exchange->text(head.query);
        entry.protocol = exchange->stream_id() != 0 ? "HTTP/2.0"
                         : head.minor_version == 0  ? "HTTP/1.0"
                                                    : "HTTP/1.1";
        entry.host = exchange->text(head.host);
        entry.bytes = exchange->response_bytes();
        read_fields(*exchange, entry);
        if (has_request_id_) {
            entry.request_id = request_id(*exchange, arrival.peer, id);
        }
    }
    append(entry);
    if (writer_.wants_flush()) {
        flush();
    } else if (!armed_) {
        armed_ = true;
        loop_.arm(timer_, is_for_people(settings_.format) ? kFlushTextAfter : kFlushAfter);
    }
}

void AccessLog::append(LogEntry& entry) {
    entry.time = time();
    switch (settings_.format) {
        case LogFormat::kCombined:
            append_combined(writer_.lines(), entry);
            break;
        case LogFormat::kJson:
            append_json(writer_.lines(), entry, settings_.fields);
            break;
        case LogFormat::kText:
        case LogFormat::kColoured:
            append_text(writer_.lines(), entry, settings_.fields,
                        settings_.format == LogFormat::kColoured);
    }
    writer_.count_line();
}

}  // namespace stampede::server
