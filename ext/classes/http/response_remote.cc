// Responses to requests that another worker has given up with detach(): that worker is told what to
// send (remote_responses.h). PHP thread; sending may park.
#include "classes/http/response_carrier.h"
#include "error_numbers.h"
#include "ext/server/peers.h"
#include "ext/server/remote_responses.h"
#include "ext/server/sending.h"
#include "os/fd.h"
#include "zend/last_error.h"
#include "zend/throw.h"
#include "zend/view.h"

namespace stampede::classes {

using server::ResponseState;
using zend::view;

namespace {

shm::WorkerLine& line_of(ServerState& state, zend_long fd) {
    return state.board->line(state.presence->owner_of(fd));
}

class RemoteCarrier final : public ResponseCarrier {
public:
    RemoteCarrier(zend_long fd, uint32_t request, uint32_t number)
        : fd_(fd), request_(request), number_(number) {}

    bool is_open() const override { return standing_of(fd_) == shm::Standing::kOpen; }
    bool write(ResponseObject& response, std::string_view bytes) override;
    bool end(ResponseObject& response, std::string_view bytes) override;
    bool send_file(ResponseObject& response, const ServedFile& file) override;
    bool close() override { return close_elsewhere(fd_, false); }

private:
    using Parts = std::vector<ResponsePart>;

    bool begin(ResponseObject& response, uint64_t length, std::string_view type, Parts& out);
    static void add_end(const ResponseObject& response, Parts& out);
    bool claim();
    bool send(const Parts& parts) const;

    zend_long fd_;
    uint32_t request_;  // 0: its worker has more of them than it can name
    uint32_t number_;
};

bool RemoteCarrier::begin(ResponseObject& response, uint64_t length, std::string_view type,
                          Parts& out) {
    if (state_ != ResponseState::kNone) {
        return true;
    }
    struct {
        std::string head;
        uint32_t request;
    } packed{{}, request_};
    Buffer unused;
    describe_head(
        response, {false, length, type}, &packed,
        [](void* context, const server::ResponseHead& wanted, uint64_t told, Buffer&) {
            auto* to = static_cast<decltype(packed)*>(context);
            to->head = pack_head(wanted, told, to->request);
        },
        unused);
    std::string& head = packed.head;
    if (head.size() > kMostRemoteHead) {
        zend::warning("the fields of a response from another process are at most %zu bytes",
                      kMostRemoteHead);
        return false;
    }
    if (!claim()) {
        return false;
    }
    state_ = ResponseState::kStreaming;
    out.push_back({Action::kRespondHead, std::move(head)});
    return true;
}

// A second response to the request, or one that comes when its client has left or it has got one,
// must not become that of a later request.
bool RemoteCarrier::claim() {
    ServerState* state = running_server();
    if (state == nullptr || request_ == 0 ||
        shm::claim_request(line_of(*state, fd_), fd_, request_, number_)) {
        return true;
    }
    state_ = ResponseState::kEnded;
    zend::set_last_error(api_error::kSessionClosed);
    zend::warning("the request of connection#" ZEND_LONG_FMT
                  " that this response was made for has a response, or waits for none any more",
                  fd_);
    return false;
}

void RemoteCarrier::add_end(const ResponseObject& response, Parts& out) {
    std::vector<server::FieldRef> trailers;
    for (uint32_t i = 0; i < response.trailers.count; i++) {
        const ResponseField& field = response.trailers.items[i];
        if (Z_TYPE(field.value) == IS_STRING) {
            trailers.push_back({view(field.name), view(Z_STR(field.value))});
        }
    }
    out.push_back({Action::kRespondEnd, pack_trailers(trailers)});
}

// The carrier may be gone when a part has waited. A response of which a part is missing is cut off,
// or its peer would wait.
bool RemoteCarrier::send(const Parts& parts) const {
    ServerState* state = running_server();
    zend_long fd = fd_;
    uint32_t number = number_;
    uint32_t request = request_;
    if (state != nullptr && !has_living_worker(fd)) {
        zend::set_last_error(api_error::kSessionNotExist);
        return false;
    }
    for (const ResponsePart& part : parts) {
        if (part.bytes.empty() && part.action == Action::kRespondBody) {
            continue;
        }
        if (state == nullptr || !respond_elsewhere(*state, fd, number, part)) {
            if (state != nullptr && part.action == Action::kRespondHead) {
                shm::unclaim_request(line_of(*state, fd), fd, request, number);
            } else if (state != nullptr) {
                (void)close_elsewhere(fd, true);
            }
            return false;
        }
    }
    return true;
}

bool RemoteCarrier::write(ResponseObject& response, std::string_view bytes) {
    Parts parts;
    if (!is_unfinished() || !begin(response, server::kUnknownLength, "text/html", parts)) {
        return false;
    }
    parts.push_back({Action::kRespondBody, std::string(bytes)});
    return send(parts);
}

bool RemoteCarrier::end(ResponseObject& response, std::string_view bytes) {
    Parts parts;
    uint64_t length = response.trailers.count > 0 ? server::kUnknownLength : bytes.size();
    if (!is_unfinished() || !begin(response, length, "text/html", parts)) {
        return false;
    }
    parts.push_back({Action::kRespondBody, std::string(bytes)});
    add_end(response, parts);
    state_ = ResponseState::kEnded;
    return send(parts);
}

// The worker opens the file itself.
bool RemoteCarrier::send_file(ResponseObject& response, const ServedFile& file) {
    net::FileRange range = file.range;
    os::close_fd(range.fd);
    Parts parts;
    if (!begin(response, range.length, file.type, parts)) {
        return false;
    }
    char* full = expand_filepath(ZSTR_VAL(file.path), nullptr);
    if (full != nullptr && range.length > 0) {
        FilePart part{static_cast<uint64_t>(range.offset), range.length};
        parts.push_back({Action::kRespondFile, part_message(part, full)});
    }
    if (full != nullptr) {
        efree(full);
    }
    add_end(response, parts);
    state_ = ResponseState::kEnded;
    return send(parts);
}

}  // namespace

zend_object* make_remote_response(ServerState& state, zend_long fd, int32_t stream_id) {
    if (!has_living_worker(fd)) {
        return nullptr;
    }
    shm::OfferedRequest request = shm::find_offered(line_of(state, fd), fd, stream_id);
    if (request.found != shm::OfferedRequest::Found::kOne) {
        return nullptr;
    }
    return make_carried_response(
        fd, std::make_unique<RemoteCarrier>(fd, request.number, next_remote_response(state)));
}

}  // namespace stampede::classes
