// A socket with what the API's classes put around it: its kind, time limits, packets, TLS, proxies.
// One for Coroutine\Socket, Coroutine\Client and Client; streams, datagrams and descriptors of any
// other kind. A call fails with error(); timeouts are seconds as the API takes them: 0 = the
// setting, negative = without limit. Embedded in a PHP object; PHP thread; parks in a coroutine,
// blocks outside.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/buffer.h"
#include "io/proxy.h"
#include "io/resolver.h"
#include "io/ssl_options.h"
#include "io/stream.h"
#include "os/socket_io.h"
#include "proto/frame/frame.h"
#include "zend/call.h"

namespace stampede::io {

struct Timeouts {  // seconds
    double connect = 2;
    double read = -1;
    double write = -1;
};

// What set() and setProtocol() collect.
struct EndpointSettings {
    proto::frame::Rules rules;
    SslSettings ssl;
    ProxySettings proxy;
    zend::Callable length_function = zend::Callable::none();
    std::string bind_address;
    zend_long bind_port = 0;
    size_t buffer_size = 0;  // of the kernel, both ways; 0 = its choice
    bool open_ssl = false;
    bool nodelay = true;

    EndpointSettings() = default;
    ~EndpointSettings();
    EndpointSettings(const EndpointSettings&) = delete;
    EndpointSettings& operator=(const EndpointSettings&) = delete;
};

class Endpoint {
public:
    explicit Endpoint(const os::SocketKind& kind) : kind_(kind) {}
    ~Endpoint() { close(); }
    Endpoint(const Endpoint&) = delete;
    Endpoint& operator=(const Endpoint&) = delete;

    // A new socket of the kind.
    bool open();
    // A descriptor that is open, made non-blocking.
    bool adopt(int fd);
    // The stream was connected by somebody else.
    void take_over_connection();
    bool is_open() const { return stream_.is_open(); }
    int fd() const { return stream_.fd(); }
    const os::SocketKind& kind() const { return kind_; }
    bool is_stream() const { return kind_.type == SOCK_STREAM; }
    Stream& stream() { return stream_; }
    Descriptor& descriptor() { return stream_.descriptor(); }

    int error() const { return error_; }
    const std::string& error_text() const { return error_text_; }
    bool fail(int error);
    // Another text than the usual one of the error.
    void explain(std::string text) { error_text_ = std::move(text); }
    void clear_error() {
        if (error_ != 0) {
            fail(0);
        }
    }

    EndpointSettings& settings();
    bool has_framing() const {
        return settings_ != nullptr && settings_->rules.kind != proto::frame::Kind::kNone;
    }
    bool has_length_function() const {
        return settings_ != nullptr && static_cast<bool>(settings_->length_function);
    }
    // Packets and TLS as the listening endpoint that accepted this one has them.
    void inherit(const Endpoint& listener);
    // Takes over what the API's array says, false with an exception when it makes no sense.
    bool configure(HashTable* options);
    Timeouts& timeouts() { return timeouts_; }

    bool bind_to(std::string_view address, int port);
    // As the settings say, where they say something.
    bool bind_as_set();
    bool start_listening(int backlog);
    // A descriptor, -1 with error().
    int take_connection(double timeout);
    // Proxy and TLS included, where they are set.
    bool connect_to(std::string_view host, int port, double timeout);
    // The name or number that was connected to.
    const std::string& dialled_host() const { return dialled_host_; }
    // On a connection that is there; host may be empty.
    bool start_tls(tls::Role role, std::string_view host);

    // A string of at most size bytes, empty at the peer's end; null with error().
    zend_string* receive(size_t size, double timeout);
    // The same until it is full or the peer has ended. Cut short by an error it is what has come,
    // with error(); null when that is nothing.
    zend_string* receive_all(size_t size, double timeout);
    zend_string* receive_line(size_t size, double timeout);
    // Reads ahead into a buffer of its own.
    zend_string* receive_buffered(size_t size, double timeout);
    zend_string* receive_packet(double timeout);
    zend_string* receive_from(size_t size, os::Address& peer, double timeout);
    zend_string* peek(size_t size);
    // Bytes that went into the parts; -1 with error() when none did.
    long receive_vector(iovec* parts, int count, double timeout);
    long receive_vector_all(iovec* parts, int count, double timeout);

    // Bytes that went out; -1 with error() when none did.
    long send(std::string_view bytes, double timeout);
    long send_all(std::string_view bytes, double timeout);
    long send_vector(const iovec* parts, int count, double timeout);
    long send_vector_all(const iovec* parts, int count, double timeout);
    long send_to(std::string_view host, int port, std::string_view bytes);
    // count 0 = to the end of the file.
    bool send_file(const char* path, zend_long offset, zend_long count);

    // shutdown(): 0 = receiving, 1 = sending, 2 = both. Once for each direction, also when the peer
    // has ended the connection meanwhile.
    bool end_direction(int how);
    bool is_alive();
    // A waiting coroutine fails with ECANCELED.
    void close();

private:
    Nanos deadline(double timeout, double setting) const {
        double seconds = timeout == 0 ? setting : timeout;
        return seconds <= 0 ? kNever : deadline_in(static_cast<Nanos>(seconds * 1e9));
    }
    Nanos read_deadline(double timeout) const { return deadline(timeout, timeouts_.read); }
    Nanos write_deadline(double timeout) const { return deadline(timeout, timeouts_.write); }
    bool check_open();
    bool stream_failed();
    bool look_up(std::string_view host, int port, Nanos until, AddressList& out);
    bool connect_to_any(std::string_view host, int port, Nanos until);
    bool start_tls_until(tls::Role role, std::string_view host, Nanos until);
    bool tell_proxy(std::string_view host, int port, Nanos until);
    long receive_bytes(char* out, size_t capacity, Nanos until);
    long receive_datagram(char* out, size_t capacity, os::Address* peer, Nanos until);
    long receive_record(iovec* parts, int count, Nanos until);
    zend_string* receive_large(size_t size, Nanos until);
    zend_string* take_buffered(size_t size);
    zend_string* take_packet();
    proto::frame::Verdict look_for_packet();
    static int64_t ask_length_function(void* self, std::string_view bytes);
    void read_framing(HashTable* options);
    bool read_length_function(HashTable* options);

    Stream stream_;
    os::SocketKind kind_;
    Timeouts timeouts_;
    std::unique_ptr<EndpointSettings> settings_;
    std::unique_ptr<proto::frame::Framer> framer_;
    Buffer buffer_;
    std::string dialled_host_;
    std::string error_text_;
    int error_ = 0;
    bool connected_ = false;  // it was once, or it came from somebody else
    bool ended_[2] = {};      // receiving, sending
    bool measuring_ = false;  // the length function runs
    int unframeable_ = 0;     // the error of a packet that could not be; those after it are lost
};

}  // namespace stampede::io
