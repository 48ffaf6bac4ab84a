// Messages of a log as objects of JSON, one a line: text of any kind can neither end its object nor
// begin another one, and is not endless. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace stampede::os {

struct LogFacts {
    std::string_view level;
    std::string_view source;           // of what a program has printed; else empty
    int worker = -1;                   // -1: none
    std::string_view request_id = {};  // of the request that it is about; else empty
};

// Bytes of a message beyond which it is cut.
inline constexpr size_t kLongestMessage = 16 * 1024;

// Bytes of the character of UTF-8 that the text begins with; 0: it begins with none.
size_t character_length(std::string_view text);
// One that steers a terminal or ends a line, also of Latin-1.
bool is_control(std::string_view character);
// The beginning that is kept; no half character is at its end.
std::string_view cut_message(std::string_view message);
inline constexpr std::string_view kCutMark = " ... (cut)";

// With the end of the line.
std::string log_object(std::string_view message, const LogFacts& facts);

}  // namespace stampede::os
