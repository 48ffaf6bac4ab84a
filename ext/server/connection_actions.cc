#include "ext/server/connection_actions.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "ext/server/remote_responses.h"
#include "ext/server/websocket_hub.h"
#include "ext/server/worker.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/log.h"
#include "server/service.h"
#include "server/stream_session.h"

namespace stampede::classes {

namespace {

// Below, a copy costs less than one more piece in the queue of what is to be written.
constexpr size_t kShareFrom = 16 * 1024;
// Senders elsewhere stop when they see that as much waits as socket_buffer_size allows. What they
// sent before, and messages that are large by themselves, come on top of it.
constexpr uint64_t kMostForOthers = 64u << 20;
constexpr uint64_t kWrittenNow = 1u << 20;

void note_sent(net::Connection& connection) {
    if (server::StreamSession* session = stream_of(connection)) {
        session->last_sent_at = connection.hub().loop().iteration_time();
    }
    connection.mark_dirty();
}

void send_for_others(net::Connection& connection, std::string_view body) {
    if (keeps_up(connection)) {
        connection.cork().append(body);
        note_sent(connection);
        count_for_others(connection);
    }
}

void send_file_for_others(net::Connection& connection, std::string_view body) {
    FilePart part;
    if (body.size() <= sizeof(part)) {
        return;
    }
    memcpy(&part, body.data(), sizeof(part));
    std::string path(body.substr(sizeof(part)));
    net::FileRange file;
    if (open_part(path.c_str(), part, file)) {
        send_file_here(connection, file);
        count_for_others(connection);
        return;
    }
    os::Log::get().write(os::LogLevel::kWarning,
                         "connection#%lld is closed: cannot send the file \"%s\": %s",
                         static_cast<long long>(connection.id()), path.c_str(),
                         errno != 0 ? strerror(errno) : "it has become shorter");
    connection.close_with_reset(net::CloseCause::kServer);
}

}  // namespace

server::StreamSession* stream_of(const net::Connection& connection) {
    return worker_service()->connections().find_stream(static_cast<int64_t>(connection.id()));
}

bool keeps_up(net::Connection& connection) {
    uint64_t room = kMostForOthers;
    if (server::StreamSession* session = stream_of(connection)) {
        room = std::max(room, 4 * session->rules().room);
    }
    if (connection.pending() <= room) {
        return true;
    }
    os::Log::get().write(os::LogLevel::kWarning,
                         "connection#%lld is closed: it does not read what other workers send "
                         "(%llu bytes wait)",
                         static_cast<long long>(connection.id()),
                         static_cast<unsigned long long>(connection.pending()));
    connection.close_with_reset(net::CloseCause::kServer);
    return false;
}

// Once the connection is blocked, its session tells of each change. Until then nothing is known of
// how much the peer takes, so what is much is written now.
void count_for_others(net::Connection& connection) {
    WebSocketHub* hub = websocket_hub();
    auto id = static_cast<zend_long>(connection.id());
    bool tells = stream_of(connection) != nullptr || (hub != nullptr && hub->established(id));
    if (connection.write_blocked() && tells) {
        worker_service()->publish_unsent(connection);
    } else if (connection.pending() > kWrittenNow) {
        connection.flush();
    }
}

void send_here(net::Connection& connection, zend_string* data) {
    if (ZSTR_LEN(data) < kShareFrom) {
        connection.cork().append({ZSTR_VAL(data), ZSTR_LEN(data)});
    } else {
        net::BytesRef bytes;
        bytes.bytes = {ZSTR_VAL(data), ZSTR_LEN(data)};
        bytes.owner = zend_string_copy(data);
        bytes.release = [](void* owner) { zend_string_release(static_cast<zend_string*>(owner)); };
        connection.write_ref(bytes);
    }
    note_sent(connection);
}

bool open_part(const char* path, FilePart part, net::FileRange& out) {
    os::FileInfo file = os::open_regular(path);
    if (file.fd < 0) {
        return false;
    }
    if (part.offset > file.size || part.length > file.size - part.offset) {
        os::close_fd(file.fd);
        errno = 0;
        return false;
    }
    uint64_t rest = file.size - part.offset;
    out = {file.fd, static_cast<off_t>(part.offset), part.length > 0 ? part.length : rest};
    return true;
}

void send_file_here(net::Connection& connection, const net::FileRange& file) {
    if (file.length > 0) {
        connection.write_file(file);
        note_sent(connection);
    } else {
        int fd = file.fd;
        os::close_fd(fd);
    }
}

bool act_here(net::Connection& connection, Action action, uint32_t number) {
    server::StreamSession* session = stream_of(connection);
    if (session == nullptr) {
        return false;
    }
    switch (action) {
        case Action::kPause:
            session->pause();
            return true;
        case Action::kResume:
            session->resume();
            return true;
        case Action::kProtect:
        case Action::kUnprotect:
            session->guarded = action == Action::kProtect;
            return true;
        case Action::kBind: {
            bool first = session->uid == 0;
            session->uid = first ? number : session->uid;
            return first;
        }
        default:
            return false;
    }
}

void act_for_others(zend_long fd, Action action, uint32_t number, std::string_view body) {
    server::Service* service = worker_service();
    net::Connection* connection = service != nullptr ? service->connections().find(fd) : nullptr;
    if (connection == nullptr || connection->closing()) {
        return;
    }
    if (action == Action::kSend) {
        send_for_others(*connection, body);
    } else if (action >= Action::kRespondHead) {
        respond_for_others(*connection, action, number, body);
    } else if (action == Action::kSendFile) {
        send_file_for_others(*connection, body);
    } else {
        (void)act_here(*connection, action, number);
    }
}

std::string part_message(const FilePart& part, std::string_view path) {
    std::string message(reinterpret_cast<const char*>(&part), sizeof(part));
    message.append(path);
    return message;
}

}  // namespace stampede::classes
