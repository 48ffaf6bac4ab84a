// Checks UTF-8 (RFC 3629) in pieces cut anywhere. A value of its owner. Any thread, never parks.
#pragma once

#include <cstdint>
#include <string_view>

namespace stampede::proto::ws {

class Utf8Check {
public:
    // False as soon as no continuation could make the text valid.
    bool feed(std::string_view text);
    // Whether the text may end here.
    bool complete() const { return missing_ == 0; }
    void reset() { *this = Utf8Check(); }

private:
    bool step(unsigned char byte);

    uint8_t missing_ = 0;  // continuation bytes still to come
    uint8_t low_ = 0x80;   // bounds of the next one
    uint8_t high_ = 0xbf;
};

bool is_utf8(std::string_view text);

}  // namespace stampede::proto::ws
