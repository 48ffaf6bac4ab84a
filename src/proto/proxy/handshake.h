// What a client says to a SOCKS5 or HTTP proxy until bytes go through to the server after it, as
// machines over bytes: they say what to send and take what has come, and not a byte more than
// belongs to the proxy. Owned by the code that dials; any thread; never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stampede::proto::proxy {

struct Target {
    std::string host;  // a name is resolved by the proxy
    uint16_t port = 0;
};

struct Credentials {
    std::string user;  // empty = none
    std::string password;
};

enum class State : uint8_t {
    kSend,     // to_send(), then sent()
    kReceive,  // feed()
    kDone,
    kFailed,  // see failure()
};

enum class Failure : uint8_t {
    kNone,
    kNotThisProtocol,  // what came is not what such a proxy says
    kNoMethod,         // no way to log in that both know
    kRefusedLogin,
    kRefusedTarget,  // see status()
    kTooLong,        // host, user or password longer than the protocol can say
};

// RFC 1928, with user and password by RFC 1929.
class Socks5 {
public:
    Socks5(const Target& target, const Credentials& credentials);

    State state() const { return state_; }
    std::string_view to_send() const { return output_; }
    void sent();
    // Takes what it needs of the bytes and returns how many that was; the rest stays with the
    // caller.
    size_t feed(std::string_view bytes);
    Failure failure() const { return failure_; }
    uint8_t status() const { return status_; }  // the proxy's reply to the target

private:
    enum class Expect : uint8_t { kMethod, kLogin, kReplyHead, kReplyAddress };

    void fail(Failure failure);
    void say(std::string text, Expect response, size_t size);
    void on_response();
    void on_method(uint8_t method);
    void on_reply_head();
    void ask_for_target();

    Target target_;
    Credentials credentials_;
    State state_ = State::kSend;
    Failure failure_ = Failure::kNone;
    Expect expect_ = Expect::kMethod;
    uint8_t status_ = 0;
    size_t wanted_ = 0;
    std::string output_;
    std::string input_;
};

// CONNECT of HTTP/1.1, with Basic authentication.
class HttpConnect {
public:
    HttpConnect(const Target& target, const Credentials& credentials);

    State state() const { return state_; }
    std::string_view to_send() const { return output_; }
    void sent() { state_ = State::kReceive; }
    size_t feed(std::string_view bytes);
    Failure failure() const { return failure_; }
    int status() const { return status_; }  // of HTTP

private:
    void fail(Failure failure);
    void on_head();

    State state_ = State::kSend;
    Failure failure_ = Failure::kNone;
    int status_ = 0;
    std::string output_;
    std::string input_;
};

}  // namespace stampede::proto::proxy
