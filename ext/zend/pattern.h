// Regular expressions of PHP, for code that is given one as a setting. PHP thread, never parks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stampede::zend {

enum class Match : uint8_t { kFits, kFitsNot, kNoPattern };

// The first place where the pattern (with delimiters, as preg_match() takes it) fits. groups: what
// it and its parentheses cover. Without a message, whatever the pattern is.
Match match_pattern(std::string_view pattern, std::string_view subject,
                    std::vector<std::string>& groups);

}  // namespace stampede::zend
