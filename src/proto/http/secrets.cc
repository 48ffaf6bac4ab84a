#include "proto/http/secrets.h"

#include <algorithm>
#include <array>

#include "proto/http/uri.h"

namespace stampede::proto::http {

namespace {

constexpr size_t kLongestName = 256;  // what follows decides nothing

// Anywhere in a name, whatever stands between its letters.
constexpr auto kParts = std::to_array<std::string_view>(
    {"auth",     "cookie",     "token",      "secret",    "passw",      "passphrase",
     "passcode", "pwd",        "apikey",     "accesskey", "privatekey", "signature",
     "session",  "sessid",     "csrf",       "xsrf",      "credential", "jwt",
     "bearer",   "creditcard", "cardnumber", "iban",      "signedurl",  "otp"});
// As one of the words of a name.
constexpr auto kWords =
    std::to_array<std::string_view>({"pass", "sid", "sig", "code", "card", "key", "pin", "cvv",
                                     "cvc", "ssn", "nonce", "state", "hash", "hmac"});

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter_or_digit(char c) { return is_upper(c) || is_lower(c) || (c >= '0' && c <= '9'); }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_secret_word(std::string_view word) {
    return std::ranges::find(kWords, word) != kWords.end();
}

// The text without its separators in lower case, and whether one of its words is secret.
struct Name {
    std::string letters;
    bool has_secret_word = false;

    explicit Name(std::string_view text) {
        size_t word = 0;  // where the present one begins in `letters`
        auto end_word = [&] {
            has_secret_word =
                has_secret_word || is_secret_word(std::string_view(letters).substr(word));
            word = letters.size();
        };
        for (size_t i = 0; i < text.size(); i++) {
            if (!is_letter_or_digit(text[i]) ||
                (i > 0 && is_upper(text[i]) && is_lower(text[i - 1]))) {
                end_word();
            }
            if (is_letter_or_digit(text[i])) {
                letters.push_back(lower(text[i]));
            }
        }
        end_word();
    }
};

void append_parameter(std::string& out, std::string_view parameter) {
    size_t equals = parameter.find('=');
    std::string_view name = parameter.substr(0, equals);
    char decoded[kLongestName];
    size_t size = percent_decode(name.substr(0, sizeof(decoded)), decoded, Plus::kSpace);
    if (equals == parameter.npos || !is_secret_name({decoded, size})) {
        out.append(parameter);
        return;
    }
    out.append(name).append("=").append(kHiddenValue);
}

}  // namespace

bool is_secret_name(std::string_view text) {
    Name name(text.substr(0, kLongestName));
    return name.has_secret_word || std::ranges::any_of(kParts, [&](std::string_view part) {
               return name.letters.find(part) != std::string::npos;
           });
}

std::string hide_secrets(std::string_view query) {
    std::string out;
    out.reserve(query.size());
    for (;;) {
        size_t end = query.find_first_of("&;#?");
        append_parameter(out, query.substr(0, end));
        if (end == query.npos) {
            return out;
        }
        out.push_back(query[end]);
        query.remove_prefix(end + 1);
    }
}

std::string hide_secrets_of_url(std::string_view url) {
    std::string out;
    size_t scheme = url.find("://");
    size_t host = scheme == url.npos ? 0 : scheme + 3;
    size_t path = std::min(url.find_first_of("/?#", host), url.size());
    size_t at = scheme == url.npos ? url.npos : url.substr(0, path).rfind('@');
    if (at != url.npos && at >= host) {
        out.append(url.substr(0, host)).append(kHiddenValue);
        url.remove_prefix(at);
    }
    size_t query = url.find_first_of("?#");
    if (query == url.npos) {
        return out.append(url);
    }
    return out.append(url.substr(0, query + 1)).append(hide_secrets(url.substr(query + 1)));
}

}  // namespace stampede::proto::http
