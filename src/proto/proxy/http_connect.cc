#include <algorithm>

#include "proto/proxy/handshake.h"

namespace stampede::proto::proxy {

namespace {

constexpr size_t kLongestHead = 16384;

std::string base64(std::string_view text) {
    constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (size_t at = 0; at < text.size(); at += 3) {
        size_t count = std::min<size_t>(3, text.size() - at);
        uint32_t group = 0;
        for (size_t i = 0; i < 3; i++) {
            group = group << 8 | (i < count ? static_cast<uint8_t>(text[at + i]) : 0U);
        }
        for (size_t i = 0; i < 4; i++) {
            out += i <= count ? kLetters[group >> (18 - 6 * i) & 63] : '=';
        }
    }
    return out;
}

// Nothing of the caller's may end the request line or make another field.
bool is_plain(std::string_view text) {
    return std::none_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; });
}

}  // namespace

HttpConnect::HttpConnect(const Target& target, const Credentials& credentials) {
    if (target.host.empty() || !is_plain(target.host)) {
        fail(Failure::kTooLong);
        return;
    }
    bool ipv6 = target.host.find(':') != std::string::npos && target.host.front() != '[';
    std::string authority = (ipv6 ? "[" + target.host + "]" : target.host) + ":";
    authority += std::to_string(target.port);
    output_ = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
    if (!credentials.user.empty()) {
        output_ += "Proxy-Authorization: Basic " +
                   base64(credentials.user + ":" + credentials.password) + "\r\n";
    }
    output_ += "\r\n";
}

void HttpConnect::fail(Failure failure) {
    state_ = State::kFailed;
    failure_ = failure;
}

// The response to a successful CONNECT ends with its head.
size_t HttpConnect::feed(std::string_view bytes) {
    size_t used = 0;
    while (state_ == State::kReceive && used < bytes.size()) {
        input_ += bytes[used++];
        if (input_.back() == '\n' && (input_.ends_with("\r\n\r\n") || input_.ends_with("\n\n"))) {
            on_head();
        } else if (input_.size() == kLongestHead) {
            fail(Failure::kNotThisProtocol);
        }
    }
    return used;
}

void HttpConnect::on_head() {
    constexpr std::string_view kStart = "HTTP/1.";
    bool good = input_.starts_with(kStart) && input_.size() > 12 && input_[8] == ' ';
    for (size_t i = 9; good && i < 12; i++) {
        good = input_[i] >= '0' && input_[i] <= '9';
    }
    if (!good) {
        fail(Failure::kNotThisProtocol);
        return;
    }
    status_ = (input_[9] - '0') * 100 + (input_[10] - '0') * 10 + (input_[11] - '0');
    if (status_ < 200) {
        input_.clear();  // there is more to come
    } else if (status_ == 401 || status_ == 407) {
        fail(Failure::kRefusedLogin);
    } else if (status_ < 300) {
        state_ = State::kDone;
    } else {
        fail(Failure::kRefusedTarget);
    }
}

}  // namespace stampede::proto::proxy
