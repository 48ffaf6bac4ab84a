// A connected byte stream as a coroutine sees it: plain or TLS over one descriptor. Every call
// waits in the calling coroutine at most until its absolute deadline and fails with a code: an
// errno value or one of the API's SWOOLE_ERROR_ numbers; partial results are said. Owned by the
// object of a class; it closes what it holds. PHP thread; parks.
#pragma once

#include <memory>
#include <string_view>

#include "io/descriptor.h"
#include "os/socket.h"
#include "tls/session.h"

namespace stampede::io {

class Stream {
public:
    Stream() = default;
    explicit Stream(int fd) : descriptor_(fd) {}
    ~Stream() { close(); }

    bool is_open() const { return descriptor_.fd() >= 0; }
    int fd() const { return descriptor_.fd(); }
    Descriptor& descriptor() { return descriptor_; }
    tls::Session* tls() { return tls_.get(); }
    // Why the last call failed; 0 = it did not.
    int error() const { return error_; }

    // A new non-blocking stream socket to the address, bound to `from` when it has a family.
    bool dial(const os::Address& address, const os::Address& from, Nanos deadline);
    // The next of these fail as cancelled when the stream is closed meanwhile.
    bool start_tls(std::unique_ptr<tls::Session> session, Nanos deadline);

    // What has come, at least a byte; 0 at the peer's end; -1 with error().
    long receive(char* out, size_t capacity, Nanos deadline);
    // Exactly so much; fewer when the peer ended or with error().
    size_t receive_exactly(char* out, size_t size, Nanos deadline);
    // What fits at once, at least a byte; -1 with error().
    long send(const char* data, size_t size, Nanos deadline);
    // How much went out: all, or less with error().
    size_t send_all(std::string_view bytes, Nanos deadline);
    size_t send_vector(const iovec* parts, int count, Nanos deadline);
    // From a regular file, by sendfile where the stream is plain.
    uint64_t send_file(int file, uint64_t offset, uint64_t count, Nanos deadline);
    // What is there without waiting and without taking it; 0 also when nothing is; -1 with error().
    long peek(char* out, size_t capacity);
    // False when the peer has ended or the connection broke; never waits.
    bool is_alive();

    // Whoever waits is woken with an error. TLS says goodbye when it can without waiting.
    void close();

private:
    bool wait(Direction direction, Nanos deadline);

    Descriptor descriptor_;
    std::unique_ptr<tls::Session> tls_;
    int error_ = 0;
};

// The error code that a wait which did not end with kReady stands for (ETIMEDOUT, ECANCELED, ...).
int error_of(runtime::WakeReason reason);

}  // namespace stampede::io
