#include "log_message.h"

#include <syslog.h>

#include <cstdint>
#include <cstdio>
#include <ctime>

#include "ini.h"
#include "php.h"
#include "subsystems.h"

#include "SAPI.h"

namespace stampede::zend {
namespace {

constexpr size_t kLongest = 16 * 1024;
constexpr std::string_view kCut = " ... (cut)";

// Bytes of the character of UTF-8 that the text begins with; 0: it begins with none.
size_t character_length(std::string_view text) {
    auto first = static_cast<uint8_t>(text[0]);
    size_t length = first < 0x80                    ? 1
                    : first >= 0xc2 && first < 0xe0 ? 2
                    : first >= 0xe0 && first < 0xf0 ? 3
                    : first >= 0xf0 && first < 0xf5 ? 4
                                                    : 0;
    if (length > text.size()) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((static_cast<uint8_t>(text[i]) & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

bool is_control(std::string_view character) {
    auto first = static_cast<uint8_t>(character[0]);
    bool of_latin = first == 0xc2 && static_cast<uint8_t>(character[1]) < 0xa0;
    return first < 0x20 || first == 0x7f || of_latin;
}

std::string_view cut(std::string_view message) {
    if (message.size() <= kLongest) {
        return message;
    }
    size_t end = kLongest;
    while (end > kLongest - 4 && (static_cast<uint8_t>(message[end]) & 0xc0) == 0x80) {
        end--;
    }
    return message.substr(0, end);
}

void append_escape(std::string& out, std::string_view character, const char* format) {
    char escape[8];
    auto code = static_cast<uint8_t>(character.back());
    snprintf(escape, sizeof(escape), format, static_cast<unsigned>(code));
    out += escape;
}

void append_json(std::string& out, std::string_view text) {
    while (!text.empty()) {
        size_t length = character_length(text);
        std::string_view character = text.substr(0, length == 0 ? 1 : length);
        text.remove_prefix(character.size());
        if (length == 0) {
            out += "\\ufffd";
        } else if (character == "\n") {
            out += "\\n";
        } else if (is_control(character)) {
            append_escape(out, character, "\\u%04x");
        } else {
            out += character == "\"" || character == "\\" ? "\\" : "";
            out += character;
        }
    }
}

// Where the log goes to: the standard error of this process, whatever the SAPI makes of it.
void write_log(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);  // at once: it has no buffer
}

std::string_view level_name(int level) {
    return level <= LOG_ERR ? "error" : level == LOG_WARNING ? "warning" : "notice";
}

void write_lines(const char* message, int) { write_log(log_lines(message)); }

void write_object(const char* message, int level) {
    write_log(log_object(message, level_name(level)));
}

}  // namespace

std::string log_lines(std::string_view message) {
    std::string out;
    std::string_view text = cut(message);
    while (!text.empty()) {
        size_t length = character_length(text);
        std::string_view character = text.substr(0, length == 0 ? 1 : length);
        text.remove_prefix(character.size());
        if (character == "\n") {
            out += text.empty() ? "" : "\n    ";
        } else if (length == 0 || (is_control(character) && character != "\t")) {
            append_escape(out, character, "\\x%02x");
        } else {
            out += character;
        }
    }
    out += cut(message).size() < message.size() ? kCut : "";
    return out + "\n";
}

std::string log_object(std::string_view message, std::string_view level) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    tm local{};
    localtime_r(&now.tv_sec, &local);
    char date[32];
    char zone[8];
    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &local);
    strftime(zone, sizeof(zone), "%z", &local);  // +0200, in RFC 3339 +02:00
    char begin[80];
    snprintf(begin, sizeof(begin), "{\"time\":\"%s.%03ld%.3s:%.2s\",\"level\":\"", date,
             now.tv_nsec / 1'000'000, zone, zone + 3);
    std::string out(begin);
    out += level;
    out += "\",\"message\":\"";
    append_json(out, cut(message));
    out += cut(message).size() < message.size() ? kCut : "";
    return out + "\"}\n";
}

}  // namespace stampede::zend

namespace stampede::ext {

// Not when the module starts: another one may still replace what the SAPI does.
zend_result log_messages_rinit(int, int) {
    std::string_view format = settings().log_messages == nullptr ? "" : settings().log_messages;
    if (format == "text") {
        sapi_module.log_message = zend::write_lines;
    } else if (format == "json") {
        sapi_module.log_message = zend::write_object;
    }
    return SUCCESS;
}

}  // namespace stampede::ext
