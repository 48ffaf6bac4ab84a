// A socket with what the API's classes put around it: its kind, time limits, packets, TLS, proxies.
// One for Coroutine\Socket, Coroutine\Client and Client; streams, datagrams and descriptors of any
// other kind. A call fails with error(); timeouts are seconds as the API takes them: 0 = the
// setting, negative = without limit. Embedded in a PHP object; PHP thread; parks in a coroutine,
// blocks outside. Its own are the beginning and the end of a socket and listening; the rest is done
// by its parts.
#pragma once

#include "io/endpoint_dialer.h"
#include "io/endpoint_receiver.h"
#include "io/endpoint_sender.h"

namespace stampede::io {

class Endpoint {
public:
    explicit Endpoint(const os::SocketKind& kind) : state_(kind) {}
    ~Endpoint() { close(); }
    Endpoint(const Endpoint&) = delete;
    Endpoint& operator=(const Endpoint&) = delete;

    // A new socket of the kind.
    bool open();
    // A descriptor that is open, made non-blocking.
    bool adopt(int fd);
    // The stream was connected by somebody else.
    void take_over_connection();
    bool is_open() const { return state_.stream().is_open(); }
    int fd() const { return state_.fd(); }
    const os::SocketKind& kind() const { return state_.kind(); }
    bool is_stream() const { return state_.is_stream(); }
    Stream& stream() { return state_.stream(); }
    Descriptor& descriptor() { return state_.descriptor(); }

    EndpointDialer& dialer() { return dialer_; }
    EndpointReceiver& receiver() { return receiver_; }
    EndpointSender& sender() { return sender_; }

    int error() const { return state_.error(); }
    const std::string& error_text() const { return state_.error_text(); }
    bool fail(int error) { return state_.fail(error); }
    // Another text than the usual one of the error.
    void explain(std::string text) { state_.explain(std::move(text)); }
    void clear_error() { state_.clear_error(); }

    EndpointSettings& settings() { return state_.settings(); }
    bool has_framing() const {
        return state_.settings_or_null() != nullptr &&
               state_.settings_or_null()->rules.kind != proto::frame::Kind::kNone;
    }
    bool has_length_function() const {
        return state_.settings_or_null() != nullptr &&
               static_cast<bool>(state_.settings_or_null()->length_function);
    }
    // Packets and TLS as the listening endpoint that accepted this one has them.
    void inherit(const Endpoint& listener);
    // Takes over what the API's array says, false with an exception when it makes no sense.
    bool configure(HashTable* options);
    Timeouts& timeouts() { return state_.timeouts(); }

    bool bind_to(std::string_view address, int port);
    // As the settings say, where they say something.
    bool bind_as_set();
    bool start_listening(int backlog);
    // A descriptor, -1 with error().
    int take_connection(double timeout);
    // Bound as set, by the dialer.
    bool connect_to(std::string_view host, int port, double timeout);

    // shutdown(): 0 = receiving, 1 = sending, 2 = both. Once for each direction, also when the peer
    // has ended the connection meanwhile.
    bool end_direction(int how);
    bool is_alive();
    // A waiting coroutine fails with ECANCELED.
    void close() { state_.stream().close(); }

private:
    EndpointState state_;
    EndpointDialer dialer_{state_};
    EndpointReceiver receiver_{state_};
    EndpointSender sender_{state_};
};

}  // namespace stampede::io
