// TLS over one non-blocking descriptor (OpenSSL). Nothing here waits: a call that needs the peer
// first says which readiness it needs. Shared by coroutine streams and the server's connections.
// Owned by the stream or connection that owns the descriptor; any one thread; never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/buffer.h"
#include "tls/context.h"

using SSL = struct ssl_st;

namespace stampede::tls {

enum class Step : uint8_t {
    kDone,
    kWantRead,
    kWantWrite,
    kClosed,  // the peer ended the stream
    kFailed,  // see Session::failure()
};

class Session {
public:
    // Null when memory is short. host: for SNI and verification, may be null or empty.
    static std::unique_ptr<Session> create(Context& context, int fd, Role role, const char* host);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Step handshake();
    bool established() const { return established_; }
    // It goes on with the keys of an earlier connection.
    bool is_resumed() const;
    // In TLS 1.3 a server's messages after the handshake are only tickets, and may wait. Before 1.3
    // its last message is the end of it.
    bool ends_with_tickets() const;
    // count is what was moved when the step is kDone.
    Step read(char* out, size_t capacity, size_t& count);
    // The same, and the bytes stay.
    Step peek(char* out, size_t capacity, size_t& count);
    // After kWantWrite and kWantRead the next call must offer the same bytes again.
    Step write(const char* data, size_t size, size_t& count);
    // What is written becomes records in output, for the caller to send; null: they go to the
    // descriptor, each by itself. Nothing is diverted while the kernel may make the records.
    void divert(Buffer* output);
    // From here on the kernel makes the records: what is written to the descriptor, also by
    // sendfile(), is encrypted there, and must not be given to write(). Decided in the handshake,
    // when the options ask for it. The keys stay the first: a peer that asks for others (TLS 1.3)
    // is served with these, since the kernel takes no second ones.
    bool kernel_sends() const { return kernel_sends_; }
    // close_notify, as far as it goes without waiting.
    void say_goodbye();
    // Decrypted bytes that wait inside: the descriptor will not become readable for them.
    bool has_pending() const;

    // Takes from the descriptor what is there, not record by record: cheaper where bytes that wait
    // inside are never forgotten (see drained()).
    void read_ahead();
    // Nothing waits inside, and the descriptor had no more than what was taken from it.
    bool drained() const;
    // Bytes taken from the descriptor, decrypted or not yet, wait inside.
    bool holds_bytes() const;

    // One sentence about what went wrong, for logs and errMsg.
    std::string failure() const;
    unsigned long failure_code() const { return failure_; }
    // The errno value when it was the descriptor that failed, 0 = the protocol did.
    int system_error() const { return system_error_; }
    // The certificate is why the handshake failed, or would be if verification were on.
    bool peer_is_refused() const;
    // Why it is; empty = it is trusted, and matches the name that was asked for.
    std::string verdict(Verification verification) const;
    // The peer broke the connection off without close_notify: what was read may be cut short.
    bool was_cut_off() const { return cut_off_; }
    // The protocol agreed on by ALPN, empty = none.
    std::string_view alpn() const;
    std::string peer_certificate_pem() const;  // empty = none
    SSL* native() { return ssl_; }

private:
    explicit Session(SSL* ssl) : ssl_(ssl) {}
    Step step_of(int result);
    void let_kernel_send(int fd);
    void settle_who_sends();

    SSL* ssl_;
    unsigned long failure_ = 0;
    int system_error_ = 0;
    bool established_ = false;
    bool cut_off_ = false;
    bool kernel_may_send_ = false;
    bool kernel_sends_ = false;
};

}  // namespace stampede::tls
