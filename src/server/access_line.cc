#include "server/access_line.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>

#include "os/log_object.h"
#include "proto/http/secrets.h"

namespace stampede::server {

namespace {

// A line stays below what pipes take as a whole (4 KiB), also when everything is escaped.
constexpr size_t kMostTarget = 2000;
constexpr size_t kMostField = 600;
constexpr size_t kMostOfSeveral = kMostField / 2;  // of fields that come together
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
            plain = os::character_length(text);
            // U+0080 to U+009F are control characters of terminals too.
            bool control = plain == 2 && c == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
            out.append(plain == 0 || control ? std::string_view("\\ufffd") : text.substr(0, plain));
            plain = plain == 0 ? 1 : plain;
        }
        text.remove_prefix(plain);
    }
}

namespace {

struct FieldName {
    std::string_view name;
    LogField field;
};

constexpr FieldName kFieldNames[] = {
    {"time", LogField::kTime},
    {"level", LogField::kLevel},
    {"worker", LogField::kWorker},
    {"remote_addr", LogField::kRemoteAddress},
    {"client", LogField::kClient},
    {"method", LogField::kMethod},
    {"target", LogField::kTarget},
    {"path", LogField::kPath},
    {"query", LogField::kQuery},
    {"protocol", LogField::kProtocol},
    {"status", LogField::kStatus},
    {"bytes", LogField::kBytes},
    {"duration_us", LogField::kMicroseconds},
    {"ms", LogField::kMilliseconds},
    {"https", LogField::kHttps},
    {"host", LogField::kHost},
    {"referer", LogField::kReferer},
    {"user_agent", LogField::kUserAgent},
    {"request_id", LogField::kRequestId},
    {"trace_id", LogField::kTraceId},
};

std::string_view name_of(LogField field) { return kFieldNames[static_cast<size_t>(field)].name; }

std::string_view level_of(int status) { return status >= 500 ? "error" : "info"; }

void append_milliseconds(Buffer& out, Nanos duration) {
    auto hundredths = static_cast<uint64_t>(duration / (10 * kMicrosecond));
    append_number(out, hundredths / 100);
    char rest[3] = {'.', static_cast<char>('0' + hundredths / 10 % 10),
                    static_cast<char>('0' + hundredths % 10)};
    out.append({rest, sizeof(rest)});
}

// The value of a field as text, numbers apart.
void append_value(Buffer& out, const LogEntry& entry, LogField field,
                  void (*escape)(Buffer&, std::string_view)) {
    auto text = [&](std::string_view value, size_t most) { append_cut(out, value, most, escape); };
    switch (field) {
        case LogField::kTime:
            return text(entry.time, kMostMethod);
        case LogField::kLevel:
            return text(level_of(entry.status), kMostMethod);
        case LogField::kRemoteAddress:
        case LogField::kClient:
            return text(entry.address, kMostMethod);
        case LogField::kMethod:
            return text(entry.method, kMostMethod);
        case LogField::kTarget:
            return text(entry.target, kMostTarget);
        case LogField::kPath:
            return text(entry.path, kMostTarget);
        case LogField::kQuery:
            return text(proto::http::hide_secrets(entry.query), kMostField);
        case LogField::kProtocol:
            return text(entry.protocol, kMostMethod);
        case LogField::kHost:
            return text(entry.host, kMostOfSeveral);
        case LogField::kReferer:
            return text(proto::http::hide_secrets_of_url(entry.referer), kMostOfSeveral);
        case LogField::kUserAgent:
            return text(entry.user_agent, kMostOfSeveral);
        case LogField::kRequestId:
            return text(entry.request_id, kMostMethod * 2);
        case LogField::kTraceId:
            return text(entry.trace_id, kMostMethod);
        default:
            return;
    }
}

// False: it is none of the numbers.
bool append_if_number(Buffer& out, const LogEntry& entry, LogField field) {
    switch (field) {
        case LogField::kStatus:
            append_number(out, static_cast<uint64_t>(entry.status));
            return true;
        case LogField::kBytes:
            append_number(out, entry.bytes);
            return true;
        case LogField::kMicroseconds:
            append_number(out, static_cast<uint64_t>(entry.duration / kMicrosecond));
            return true;
        case LogField::kMilliseconds:
            append_milliseconds(out, entry.duration);
            return true;
        case LogField::kWorker:
            append_number(out, static_cast<uint64_t>(std::max(entry.worker, 0)));
            return true;
        case LogField::kHttps:
            out.append(entry.https ? "true" : "false");
            return true;
        default:
            return false;
    }
}

bool is_left_out(const LogEntry& entry, LogField field) {
    return (field == LogField::kTraceId && entry.trace_id.empty()) ||
           (field == LogField::kWorker && entry.worker < 0) ||
           (field == LogField::kRequestId && entry.request_id.empty());
}

}  // namespace

const LogField* find_log_field(std::string_view name) {
    const auto* found = std::ranges::find(kFieldNames, name, &FieldName::name);
    return found == std::end(kFieldNames) ? nullptr : &found->field;
}

void append_combined(Buffer& out, const LogEntry& entry) {
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
    out.append(entry.time);
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

void append_json(Buffer& out, const LogEntry& entry, std::span<const LogField> fields) {
    char separator = '{';
    for (LogField field : fields) {
        if (is_left_out(entry, field)) {
            continue;
        }
        out.append(separator);
        separator = ',';
        out.append('"');
        out.append(name_of(field));
        out.append("\":");
        if (!append_if_number(out, entry, field)) {
            out.append('"');
            append_value(out, entry, field, append_json_text);
            out.append('"');
        }
    }
    out.append(separator == '{' ? "{}\n" : "}\n");
}

namespace {

constexpr int kUpgraded = 101;
constexpr int kDim = 2;

// By the first digit of the status.
int colour_of_status(int status) {
    constexpr int kColours[] = {0, 35, 32, 36, 33, 31};
    size_t kind = static_cast<size_t>(status) / 100;
    return kind < std::size(kColours) ? kColours[kind] : 0;
}

int colour_of_duration(const LogEntry& entry) {
    if (entry.status == kUpgraded) {  // a WebSocket lasts
        return kDim;
    }
    return entry.duration >= kSecond ? 31 : entry.duration >= kSecond / 5 ? 33 : kDim;
}

// Of people: 12.3 ms, 12.3 s, 12 min.
void append_duration(Buffer& out, Nanos duration) {
    auto tenths = [&](Nanos unit, std::string_view name) {
        auto number = static_cast<uint64_t>((duration * 10 + unit / 2) / unit);
        append_number(out, number / 10);
        char rest[2] = {'.', static_cast<char>('0' + number % 10)};
        out.append({rest, sizeof(rest)});
        out.append(name);
    };
    if (duration < 10 * kSecond) {
        tenths(kMillisecond, " ms");
    } else if (duration < 120 * kSecond) {
        tenths(kSecond, " s");
    } else {
        append_number(out, static_cast<uint64_t>(duration / (60 * kSecond)));
        out.append(" min");
    }
}

// Colours what is appended while it lives.
class Coloured {
public:
    Coloured(Buffer& out, int colour) : out_(out), colour_(colour) {
        if (colour_ != 0) {
            out_.append("\x1b[");
            append_number(out_, static_cast<uint64_t>(colour_));
            out_.append('m');
        }
    }
    ~Coloured() {
        if (colour_ != 0) {
            out_.append("\x1b[0m");
        }
    }
    Coloured(const Coloured&) = delete;
    Coloured& operator=(const Coloured&) = delete;

private:
    Buffer& out_;
    int colour_;
};

}  // namespace

void append_text(Buffer& out, const LogEntry& entry, std::span<const LogField> fields,
                 bool coloured) {
    {
        Coloured dim(out, coloured ? kDim : 0);
        out.append(entry.time);
    }
    out.append(' ');
    {
        Coloured status(out, coloured ? colour_of_status(entry.status) : 0);
        append_number(out, static_cast<uint64_t>(entry.status));
    }
    out.append(' ');
    size_t before = out.size();
    append_cut(out, entry.method.empty() ? "-" : entry.method, kMostMethod, append_escaped);
    constexpr std::string_view kPadding = "      ";  // of the usual methods
    out.append(kPadding.substr(std::min(out.size() - before, kPadding.size())));
    out.append(' ');
    append_cut(out, entry.path.empty() ? "-" : entry.path, kMostTarget, append_escaped);
    out.append(' ');
    {
        Coloured speed(out, coloured ? colour_of_duration(entry) : 0);
        append_duration(out, entry.duration);
    }
    for (LogField field : fields) {
        if (is_left_out(entry, field)) {
            continue;
        }
        out.append(' ');
        out.append(name_of(field));
        out.append('=');
        if (!append_if_number(out, entry, field)) {
            out.append('"');
            append_value(out, entry, field, append_escaped);
            out.append('"');
        }
    }
    out.append('\n');
}

}  // namespace stampede::server
