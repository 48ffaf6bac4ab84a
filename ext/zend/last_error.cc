// See last_error.h.
#include "zend/last_error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "constants_table.h"

namespace stampede::zend {
namespace {

constexpr std::string_view kPrefix = "SWOOLE_ERROR_";
constexpr size_t kMaxIgnored = 32;

int last = 0;
std::array<int, kMaxIgnored> ignored{};
size_t ignored_count = 0;

}  // namespace

int last_error() { return last; }

void set_last_error(int code) { last = code; }

bool is_ignored_error(int code) {
    return std::find(ignored.begin(), ignored.begin() + ignored_count, code) !=
           ignored.begin() + ignored_count;
}

void ignore_error(int code) {
    if (ignored_count < kMaxIgnored && !is_ignored_error(code)) {
        ignored[ignored_count++] = code;
    }
}

// The names of the constants say what went wrong: SWOOLE_ERROR_SESSION_NOT_EXIST reads "session not
// exist".
// The text stays until the next call, as strerror() has it: callers copy it at once.
const char* api_error_text(int code) {
    static std::array<char, 64> text;
    for (const ext::IntegerConstant& constant : ext::kIntegerConstants) {
        std::string_view name = constant.name;
        if (constant.value != code || !name.starts_with(kPrefix)) {
            continue;
        }
        name.remove_prefix(kPrefix.size());
        size_t length = std::min(name.size(), text.size() - 1);
        std::transform(name.begin(), name.begin() + length, text.begin(), [](unsigned char c) {
            return c == '_' ? ' ' : static_cast<char>(tolower(c));
        });
        text[length] = '\0';
        return text.data();
    }
    return nullptr;
}

}  // namespace stampede::zend
