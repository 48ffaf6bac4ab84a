// TLS over one non-blocking descriptor (OpenSSL). Nothing here waits: a call that needs the peer
// first says which readiness it needs. Shared by coroutine streams and the server's connections.
// Owned by the stream or connection that owns the descriptor; any one thread; never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

using SSL = struct ssl_st;

namespace stampede::tls {

class Context;

enum class Step : uint8_t {
    kDone,
    kWantRead,
    kWantWrite,
    kClosed,  // the peer ended the stream
    kFailed,  // see Session::failure()
};

enum class Role : uint8_t { kClient, kServer };

class Session {
public:
    // Null when memory is short. host: for SNI and verification, may be empty.
    static std::unique_ptr<Session> create(Context& context, int fd, Role role, const char* host);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Step handshake();
    // count is what was moved when the step is kDone.
    Step read(char* out, size_t capacity, size_t& count);
    Step write(const char* data, size_t size, size_t& count);
    // close_notify, as far as it goes without waiting.
    void say_goodbye();
    // Decrypted bytes that wait inside: the descriptor will not become readable for them.
    bool has_pending() const;

    // One sentence about what went wrong, for logs and errMsg.
    std::string failure() const;
    unsigned long failure_code() const { return failure_; }
    // The protocol agreed on by ALPN, empty = none.
    std::string_view alpn() const;
    std::string peer_certificate_pem() const;  // empty = none
    SSL* native() { return ssl_; }

private:
    explicit Session(SSL* ssl) : ssl_(ssl) {}
    Step step_of(int result);

    SSL* ssl_;
    unsigned long failure_ = 0;
};

}  // namespace stampede::tls
