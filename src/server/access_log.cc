#include "server/access_log.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "base/utf8.h"
#include "os/log.h"
#include "proto/http/known_fields.h"
#include "server/origin.h"
#include "server/service.h"

namespace stampede::server {

namespace {

using proto::http::KnownField;

constexpr Nanos kFlushAfter = kSecond;
constexpr Nanos kComplainAfter = 10 * kSecond;
// A line stays below what pipes take as a whole (4 KiB), also when everything is escaped.
constexpr size_t kMostTarget = 2000;
constexpr size_t kMostField = 600;
constexpr size_t kMostMethod = 64;

void append_number(Buffer& out, uint64_t number) {
    char digits[20];
    char* end = std::to_chars(digits, std::end(digits), number).ptr;
    out.append({digits, static_cast<size_t>(end - digits)});
}

constexpr char kHex[] = "0123456789abcdef";

// Cut where the escaped text would become longer than `most`.
template <typename Append>
void append_cut(Buffer& out, std::string_view text, size_t most, Append&& append) {
    size_t before = out.size();
    append(out, text.substr(0, most));
    while (out.size() - before > most && !text.empty()) {
        out.unwrite(out.size() - before);
        text = text.substr(0, std::min(text.size(), most) / 2);
        append(out, text);
    }
}

}  // namespace

void append_escaped(Buffer& out, std::string_view text) {
    size_t plain = 0;
    for (size_t i = 0; i < text.size(); i++) {
        auto c = static_cast<unsigned char>(text[i]);
        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') {
            continue;
        }
        out.append(text.substr(plain, i - plain));
        char escape[4] = {'\\', 'x', kHex[c >> 4], kHex[c & 15]};
        out.append({escape, sizeof(escape)});
        plain = i + 1;
    }
    out.append(text.substr(plain));
}

void append_json_text(Buffer& out, std::string_view text) {
    while (!text.empty()) {
        auto c = static_cast<unsigned char>(text[0]);
        size_t plain = 0;
        while (plain < text.size()) {
            auto next = static_cast<unsigned char>(text[plain]);
            if (next < 0x20 || next >= 0x7f || next == '"' || next == '\\') {
                break;
            }
            plain++;
        }
        if (plain > 0) {
            out.append(text.substr(0, plain));
        } else if (c == '"' || c == '\\') {
            char escape[2] = {'\\', static_cast<char>(c)};
            out.append({escape, sizeof(escape)});
            plain = 1;
        } else if (c < 0x80) {
            char escape[6] = {'\\', 'u', '0', '0', kHex[c >> 4], kHex[c & 15]};
            out.append({escape, sizeof(escape)});
            plain = 1;
        } else {
            plain = utf8_character_size(text);
            // U+0080 to U+009F are control characters of terminals too.
            bool control = plain == 2 && c == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
            out.append(plain == 0 || control ? std::string_view("\\ufffd") : text.substr(0, plain));
            plain = plain == 0 ? 1 : plain;
        }
        text.remove_prefix(plain);
    }
}

struct AccessLog::Entry {
    std::string_view address;
    std::string_view method;
    std::string_view target;
    std::string_view protocol;
    std::string_view host;
    std::string_view referer;
    std::string_view user_agent;
    int status;
    uint64_t bytes = 0;
    Nanos duration = 0;
    bool https = false;
};

AccessLog::AccessLog(loop::Loop& loop, os::LineWriter& writer, LogFormat format)
    : loop_(loop), writer_(writer), format_(format) {
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

// One conversion a second. Not by strftime(): the application's locale has no say in it.
void AccessLog::renew_time() {
    if (loop_.iteration_time() < time_until_) {
        return;
    }
    static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    Nanos wall = wall_now();
    time_t seconds = static_cast<time_t>(wall / kSecond);
    tm at;
    localtime_r(&seconds, &at);
    char sign = at.tm_gmtoff < 0 ? '-' : '+';
    int zone = static_cast<int>(std::abs(at.tm_gmtoff) / 60);
    int size = format_ == LogFormat::kJson
                   ? snprintf(time_, sizeof(time_), "%04d-%02d-%02dT%02d:%02d:%02d%c%02d:%02d",
                              at.tm_year + 1900, at.tm_mon + 1, at.tm_mday, at.tm_hour, at.tm_min,
                              at.tm_sec, sign, zone / 60, zone % 60)
                   : snprintf(time_, sizeof(time_), "%02d/%s/%04d:%02d:%02d:%02d %c%02d%02d",
                              at.tm_mday, kMonths[at.tm_mon % 12], at.tm_year + 1900, at.tm_hour,
                              at.tm_min, at.tm_sec, sign, zone / 60, zone % 60);
    time_size_ = std::min(static_cast<size_t>(size), sizeof(time_) - 1);
    time_until_ = loop_.iteration_time() + kSecond - wall % kSecond;
}

void AccessLog::write(Service& service, const net::Connection& connection, const Exchange* exchange,
                      int status) {
    lost_ = &service.line().access_log_lost;
    Entry entry;
    entry.status = status != 0 ? status : 200;
    char address[INET6_ADDRSTRLEN];
    if (exchange == nullptr) {
        proto::proxy::Address peer = connection.peer;
        entry.address = format_address(peer, address);
        entry.https = connection.transport().encrypted();
    } else {
        Origin origin = origin_of(service.settings().proxies, *exchange, arrival_of(connection));
        entry.address = format_address(origin.client, address);
        entry.https = origin.https;
        const auto& head = exchange->head;
        entry.method = exchange->text(head.method_text);
        entry.target = exchange->text(head.target);
        entry.protocol = exchange->stream_id() != 0 ? "HTTP/2.0"
                         : head.minor_version == 0  ? "HTTP/1.0"
                                                    : "HTTP/1.1";
        entry.host = exchange->text(head.host);
        for (const proto::http::Field& field : head) {
            if (field.id == KnownField::kReferer) {
                entry.referer = exchange->text(field.value);
            } else if (field.id == KnownField::kUserAgent) {
                entry.user_agent = exchange->text(field.value);
            }
        }
        entry.bytes = exchange->response_bytes();
        entry.duration = monotonic_now() - exchange->received_at();
    }
    renew_time();
    if (format_ == LogFormat::kJson) {
        write_json(entry);
    } else {
        write_combined(entry);
    }
    writer_.count_line();
    if (writer_.wants_flush()) {
        flush();
    } else if (!armed_) {
        armed_ = true;
        loop_.arm(timer_, kFlushAfter);
    }
}

void AccessLog::write_combined(const Entry& entry) {
    Buffer& out = writer_.lines();
    auto quoted = [&](std::string_view text) {
        out.append(" \"");
        if (text.empty()) {
            out.append('-');
        } else {
            append_cut(out, text, kMostField, append_escaped);
        }
        out.append('"');
    };
    out.append(entry.address.empty() ? std::string_view("unix:") : entry.address);
    out.append(" - - [");
    out.append({time_, time_size_});
    out.append("] \"");
    if (entry.method.empty()) {
        out.append('-');
    } else {
        append_cut(out, entry.method, kMostMethod, append_escaped);
        out.append(' ');
        append_cut(out, entry.target, kMostTarget, append_escaped);
        out.append(' ');
        out.append(entry.protocol);
    }
    out.append("\" ");
    append_number(out, static_cast<uint64_t>(entry.status));
    out.append(' ');
    append_number(out, entry.bytes);
    quoted(entry.referer);
    quoted(entry.user_agent);
    out.append('\n');
}

void AccessLog::write_json(const Entry& entry) {
    Buffer& out = writer_.lines();
    auto text = [&](std::string_view name, std::string_view value, size_t most) {
        out.append(",\"");
        out.append(name);
        out.append("\":\"");
        append_cut(out, value, most, append_json_text);
        out.append('"');
    };
    auto number = [&](std::string_view name, uint64_t value) {
        out.append(",\"");
        out.append(name);
        out.append("\":");
        append_number(out, value);
    };
    out.append("{\"time\":\"");
    out.append({time_, time_size_});
    out.append('"');
    text("remote_addr", entry.address, kMostField);
    text("method", entry.method, kMostMethod);
    text("target", entry.target, kMostTarget);
    text("protocol", entry.protocol, kMostMethod);
    number("status", static_cast<uint64_t>(entry.status));
    number("bytes", entry.bytes);
    number("duration_us", static_cast<uint64_t>(entry.duration / kMicrosecond));
    out.append(entry.https ? ",\"https\":true" : ",\"https\":false");
    text("host", entry.host, kMostField / 2);
    text("referer", entry.referer, kMostField / 2);
    text("user_agent", entry.user_agent, kMostField / 2);
    out.append("}\n");
}

}  // namespace stampede::server
