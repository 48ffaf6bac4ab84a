#include <arpa/inet.h>

#include "proto/proxy/handshake.h"

namespace stampede::proto::proxy {

namespace {

constexpr char kVersion = 5;
constexpr char kLoginVersion = 1;
constexpr uint8_t kNoLogin = 0;
constexpr uint8_t kPassword = 2;
constexpr char kCommandConnect = 1;
constexpr char kIpv4 = 1;
constexpr char kName = 3;
constexpr char kIpv6 = 4;
constexpr size_t kLongest = 255;

// The address type and the address.
std::string encode_host(const std::string& host) {
    char raw[16];
    if (::inet_pton(AF_INET, host.c_str(), raw) == 1) {
        return kIpv4 + std::string(raw, 4);
    }
    if (::inet_pton(AF_INET6, host.c_str(), raw) == 1) {
        return kIpv6 + std::string(raw, 16);
    }
    return std::string{kName, static_cast<char>(host.size())} + host;
}

}  // namespace

Socks5::Socks5(const Target& target, const Credentials& credentials)
    : target_(target), credentials_(credentials) {
    if (target.host.empty() || target.host.size() > kLongest ||
        credentials.user.size() > kLongest || credentials.password.size() > kLongest) {
        fail(Failure::kTooLong);
        return;
    }
    // A login is offered only when there is one, and then it is the only offer.
    say({kVersion, 1, static_cast<char>(credentials.user.empty() ? kNoLogin : kPassword)},
        Expect::kMethod, 2);
}

void Socks5::fail(Failure failure) {
    state_ = State::kFailed;
    failure_ = failure;
}

void Socks5::say(std::string text, Expect response, size_t size) {
    output_ = std::move(text);
    expect_ = response;
    wanted_ = size;
    input_.clear();
    state_ = State::kSend;
}

void Socks5::sent() {
    output_.clear();
    state_ = State::kReceive;
}

size_t Socks5::feed(std::string_view bytes) {
    size_t used = 0;
    while (state_ == State::kReceive && used < bytes.size()) {
        size_t missing = wanted_ - input_.size();
        std::string_view part = bytes.substr(used, missing);
        input_.append(part);
        used += part.size();
        if (input_.size() == wanted_) {
            on_response();
        }
    }
    return used;
}

void Socks5::on_response() {
    bool login = expect_ == Expect::kLogin;
    if (expect_ != Expect::kReplyAddress && input_[0] != (login ? kLoginVersion : kVersion)) {
        fail(Failure::kNotThisProtocol);
        return;
    }
    switch (expect_) {
        case Expect::kMethod:
            on_method(static_cast<uint8_t>(input_[1]));
            return;
        case Expect::kLogin:
            input_[1] == 0 ? ask_for_target() : fail(Failure::kRefusedLogin);
            return;
        case Expect::kReplyHead:
            on_reply_head();
            return;
        case Expect::kReplyAddress:
            state_ = State::kDone;
            return;
    }
}

void Socks5::on_method(uint8_t method) {
    bool has_login = !credentials_.user.empty();
    if (method == kNoLogin && !has_login) {
        ask_for_target();
    } else if (method == kPassword && has_login) {
        std::string text{kLoginVersion, static_cast<char>(credentials_.user.size())};
        text += credentials_.user;
        text += static_cast<char>(credentials_.password.size());
        text += credentials_.password;
        say(std::move(text), Expect::kLogin, 2);
    } else {
        fail(Failure::kNoMethod);
    }
}

void Socks5::ask_for_target() {
    std::string text{kVersion, kCommandConnect, 0};
    text += encode_host(target_.host);
    text += static_cast<char>(target_.port >> 8);
    text += static_cast<char>(target_.port & 0xff);
    // Version, status, nothing, address type and the first byte of the address.
    say(std::move(text), Expect::kReplyHead, 5);
}

void Socks5::on_reply_head() {
    status_ = static_cast<uint8_t>(input_[1]);
    if (status_ != 0) {
        fail(Failure::kRefusedTarget);
        return;
    }
    size_t address;
    switch (input_[3]) {
        case kIpv4:
            address = 4;
            break;
        case kIpv6:
            address = 16;
            break;
        case kName:
            address = 1 + static_cast<size_t>(static_cast<uint8_t>(input_[4]));
            break;
        default:
            fail(Failure::kNotThisProtocol);
            return;
    }
    expect_ = Expect::kReplyAddress;
    wanted_ = 4 + address + 2;
}

}  // namespace stampede::proto::proxy
