// What the parts of an Endpoint share: its stream, kind, limits and settings, and why the last call
// failed. Owned by its Endpoint; PHP thread; looking up a name parks in a coroutine and blocks
// outside.
#pragma once

#include <cerrno>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "io/endpoint_settings.h"
#include "io/resolver.h"
#include "io/stream.h"
#include "os/socket_io.h"

namespace stampede::io {

class EndpointState {
public:
    explicit EndpointState(const os::SocketKind& kind) : kind_(kind) {}

    Stream& stream() { return stream_; }
    const Stream& stream() const { return stream_; }
    Descriptor& descriptor() { return stream_.descriptor(); }
    int fd() const { return stream_.fd(); }
    os::SocketKind& kind() { return kind_; }
    const os::SocketKind& kind() const { return kind_; }
    bool is_stream() const { return kind_.type == SOCK_STREAM; }
    bool is_internet_stream() const { return is_stream() && kind_.domain != AF_UNIX; }

    // Each that fails returns false.
    int error() const { return error_; }
    const std::string& error_text() const { return error_text_; }
    bool fail(int error);
    bool fail_as_stream();
    bool check_open() { return stream_.is_open() || fail(EBADF); }
    void explain(std::string text) { error_text_ = std::move(text); }
    void clear_error() {
        if (error_ != 0) {
            fail(0);
        }
    }
    // Parks until a try is worth it.
    bool wait(Direction direction, Nanos until) {
        return stream_.wait(direction, until) || fail_as_stream();
    }

    Timeouts& timeouts() { return timeouts_; }
    // timeout: seconds as the API takes them, 0 = the setting.
    Nanos connect_deadline(double timeout) const { return deadline(timeout, timeouts_.connect); }
    Nanos read_deadline(double timeout) const { return deadline(timeout, timeouts_.read); }
    Nanos write_deadline(double timeout) const { return deadline(timeout, timeouts_.write); }

    // Made when they are first asked for; null when nothing was set.
    EndpointSettings& settings();
    const EndpointSettings* settings_or_null() const { return settings_.get(); }

    bool look_up(std::string_view host, int port, Nanos until, AddressList& out);

    // Whether it is connected, or was once or elsewhere, and which directions were shut down here.
    bool was_connected() const { return connected_; }
    void set_connected() { connected_ = true; }
    void set_unconnected() { connected_ = false; }
    void reopen_directions() { ended_[0] = ended_[1] = false; }
    bool ended(Direction direction) const { return ended_[static_cast<int>(direction)]; }
    void end(Direction direction) { ended_[static_cast<int>(direction)] = true; }

private:
    static Nanos deadline(double timeout, double setting) {
        double seconds = timeout == 0 ? setting : timeout;
        return seconds <= 0 ? kNever : deadline_in(static_cast<Nanos>(seconds * 1e9));
    }

    Stream stream_;
    os::SocketKind kind_;
    Timeouts timeouts_;
    std::unique_ptr<EndpointSettings> settings_;
    std::string error_text_;
    int error_ = 0;
    bool connected_ = false;
    bool ended_[2] = {};
};

}  // namespace stampede::io
