// Responses to requests whose worker was killed by this process: the last bytes of their
// connections. PHP thread; blocks it for a peer that does not read, for a short time.
#include <sys/socket.h>

#include <cerrno>

#include "classes/http/response_carrier.h"
#include "error_numbers.h"
#include "ext/server/killed_requests.h"
#include "ext/server/metrics.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/socket_io.h"
#include "zend/last_error.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

constexpr Nanos kPatience = 200 * kMillisecond;

class KilledCarrier final : public Http1Carrier {
public:
    explicit KilledCarrier(KilledRequest& request)
        : Http1Carrier(nullptr), socket_(std::move(request.socket)) {
        request.is_taken = true;
        is_last();
        if (request.is_head) {
            has_no_body();
        }
    }

    bool is_open() const override { return static_cast<bool>(socket_); }
    bool close() override {
        bool was_open = is_open();
        socket_.reset();
        return was_open;
    }

protected:
    bool is_ready() override { return true; }
    bool send(const Buffer& out) override;
    bool send_with_file(const Buffer& head, const ServedFile& file) override;

private:
    bool send_bytes(std::string_view bytes);
    static int status_of(std::string_view response);

    bool is_counted_ = false;
    os::Fd socket_;
};

// Of the status line that it begins with.
int KilledCarrier::status_of(std::string_view response) {
    constexpr size_t kBefore = std::string_view("HTTP/1.1 ").size();
    return response.size() > kBefore + 3 ? (response[kBefore] - '0') * 100 : 500;
}

bool KilledCarrier::send_bytes(std::string_view bytes) {
    Nanos deadline = monotonic_now() + kPatience;
    while (!bytes.empty()) {
        long sent = os::send_with(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (sent > 0) {
            bytes.remove_prefix(static_cast<size_t>(sent));
        } else if (errno != EAGAIN ||
                   os::poll_one(socket_.get(), os::PollFor::kWriting, deadline) <= 0) {
            socket_.reset();
            zend::set_last_error(api_error::kSessionClosed);
            return false;
        }
    }
    return true;
}

bool KilledCarrier::send(const Buffer& out) {
    if (!is_counted_) {
        is_counted_ = true;
        count_response_for_killed(status_of(out.view()));
    }
    bool sent = send_bytes(out.view());
    if (sent && ends_connection()) {
        // What the client sends meanwhile must not reset the connection before it has read this.
        (void)os::shutdown_socket(socket_.get(), SHUT_WR);
        linger(std::move(socket_));
    }
    return sent;
}

bool KilledCarrier::send_with_file(const Buffer& head, const ServedFile& file) {
    (void)head;
    int fd = file.range.fd;
    os::close_fd(fd);
    zend::warning("a response for a request whose worker was killed can have no file: use end()");
    return false;
}

}  // namespace

zend_object* make_killed_response(zend_long fd) {
    KilledRequest* request = killed_request(fd);
    return request != nullptr ? make_carried_response(fd, std::make_unique<KilledCarrier>(*request))
                              : nullptr;
}

}  // namespace stampede::classes
