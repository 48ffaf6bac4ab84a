#include "os/log_object.h"

#include <cstdint>
#include <cstdio>
#include <ctime>

namespace stampede::os {

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
    auto second = static_cast<uint8_t>(length > 1 ? text[1] : 0);
    bool too_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    bool surrogate = first == 0xed && second >= 0xa0;
    bool beyond = first == 0xf4 && second >= 0x90;
    return too_long || surrogate || beyond ? 0 : length;
}

bool is_control(std::string_view character) {
    auto first = static_cast<uint8_t>(character[0]);
    bool of_latin = first == 0xc2 && static_cast<uint8_t>(character[1]) < 0xa0;
    return first < 0x20 || first == 0x7f || of_latin;
}

std::string_view cut_message(std::string_view message) {
    if (message.size() <= kLongestMessage) {
        return message;
    }
    size_t end = kLongestMessage;
    while (end > kLongestMessage - 4 && (static_cast<uint8_t>(message[end]) & 0xc0) == 0x80) {
        end--;
    }
    return message.substr(0, end);
}

namespace {

void append_escape(std::string& out, std::string_view character) {
    char escape[8];
    auto code = static_cast<uint8_t>(character.back());
    snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(code));
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
            append_escape(out, character);
        } else {
            out += character == "\"" || character == "\\" ? "\\" : "";
            out += character;
        }
    }
}

void append_text(std::string& out, const char* name, std::string_view text) {
    out.append(",\"").append(name).append("\":\"");
    append_json(out, cut_message(text));
    out += cut_message(text).size() < text.size() ? kCutMark : "";
    out += '"';
}

}  // namespace

std::string log_object(std::string_view message, const LogFacts& facts) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    tm local{};
    localtime_r(&now.tv_sec, &local);
    char date[32];
    char zone[8];
    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &local);
    strftime(zone, sizeof(zone), "%z", &local);  // +0200, in RFC 3339 +02:00
    char begin[80];
    snprintf(begin, sizeof(begin), "{\"time\":\"%s.%03ld%.3s:%.2s\"", date, now.tv_nsec / 1'000'000,
             zone, zone + 3);
    std::string out(begin);
    append_text(out, "level", facts.level);
    if (facts.worker >= 0) {
        out += ",\"worker\":" + std::to_string(facts.worker);
    }
    if (!facts.source.empty()) {
        append_text(out, "source", facts.source);
    }
    if (!facts.request_id.empty()) {
        append_text(out, "request_id", facts.request_id);
    }
    append_text(out, "message", message);
    return out + "}\n";
}

}  // namespace stampede::os
