// The connection of an HTTP/2 client: bytes of the session out, bytes of the server in.
#include <algorithm>
#include <cerrno>

#include "classes/client/http2_client.h"
#include "error_numbers.h"
#include "zend/throw.h"

namespace stampede::classes::client {

namespace {

bool fail_leaving(Http2Client& client) {
    proto::http2::ErrorCode error = client.connection->goaway_error();
    std::string text = "the server went away: ";
    text += proto::http2::error_name(error);
    return fail_h2(client, static_cast<int>(error), text);
}

bool broken(Http2Client& client, long count) {
    int error = client.stream.error();
    if (count < 0 && (error == ETIMEDOUT || error == ECANCELED)) {
        return fail_h2(client, error, {});  // the connection is as good as before
    }
    if (client.connection->going_away()) {
        fail_leaving(client);
    } else if (count < 0) {
        fail_h2(client, error, client.stream.error_text());
    } else {
        fail_h2(client, ECONNRESET, {});
    }
    close_h2(client);
    return false;
}

bool fail_broken_protocol(Http2Client& client) {
    close_h2(client);
    return fail_h2(client, api_error::kHttp2InternalError, "the server broke the HTTP/2 protocol");
}

bool receive_some(Http2Client& client, Nanos deadline) {
    // One for all clients: it is empty again before anybody waits.
    static char bytes[16 * 1024];
    uint32_t incarnation = client.incarnation;
    long count = client.stream.receive(bytes, sizeof(bytes), deadline);
    if (incarnation != client.incarnation || client.connection == nullptr) {
        return fail_h2(client, ECANCELED, {});
    }
    if (count <= 0) {
        return broken(client, count);
    }
    bool fine = client.connection->feed({bytes, static_cast<size_t>(count)});
    put_h2_long(client, H2Slot::kServerLastStreamId, client.connection->last_seen_stream());
    if (!flush_h2(client)) {
        return false;
    }
    return fine || fail_broken_protocol(client);
}

}  // namespace

bool fail_h2(Http2Client& client, int code, std::string_view text) {
    put_h2_long(client, H2Slot::kErrCode, code);
    put_h2_text(client, H2Slot::kErrMsg, text.empty() ? io::error_text(code) : text);
    zend::set_last_error(code);
    return false;
}

bool flush_h2(Http2Client& client) {
    if (client.connection == nullptr) {
        return fail_h2(client, api_error::kClientNoConnection, "client is not connected to server");
    }
    if (client.sending) {
        return true;
    }
    client.sending = true;
    uint32_t incarnation = client.incarnation;
    for (;;) {
        std::string_view bytes = client.connection->pending();
        if (bytes.empty()) {
            break;
        }
        size_t sent = client.stream.send_all(bytes, io::deadline_in(client.times.write));
        if (incarnation != client.incarnation) {
            return fail_h2(client, ECANCELED, {});
        }
        if (sent < bytes.size()) {
            int code = client.stream.error();
            std::string text = client.stream.error_text();
            close_h2(client);
            return fail_h2(client, code, text);
        }
    }
    client.sending = false;
    return !client.connection->protocol_is_broken() || fail_broken_protocol(client);
}

bool may_request_h2(Http2Client& client) {
    if (!client.connection->going_away()) {
        return true;
    }
    fail_leaving(client);
    if (!client.connection->awaits_responses()) {
        close_h2(client);
    }
    return false;
}

bool connect_h2(Http2Client& client) {
    close_h2(client);
    if (client.plan.tls && client.plan.ssl.options.alpn.empty()) {
        client.plan.ssl.options.alpn.emplace_back("h2");
    }
    Nanos deadline = std::min(io::deadline_in(client.times.connect), io::deadline_in(client.total));
    if (!dial(client.stream, client.plan, deadline, client.failure)) {
        return fail_h2(client, client.failure.code, client.failure.text);
    }
    if (client.plan.tls && client.stream.tls()->alpn() != "h2") {
        close_h2(client);
        return fail_h2(client, api_error::kHttp2InternalError,
                       "the server does not speak HTTP/2 (ALPN h2)");
    }
    client.connection = http2::Connection::create(client.settings, client.limits);
    if (client.connection == nullptr) {
        close_h2(client);
        return fail_h2(client, ENOMEM, {});
    }
    zval yes;
    ZVAL_TRUE(&yes);
    put_h2(client, H2Slot::kConnected, &yes);
    put_h2_long(client, H2Slot::kSock, client.stream.fd());
    return flush_h2(client);
}

void close_h2(Http2Client& client) {
    client.incarnation++;
    client.sending = false;
    client.stream.close();
    client.connection.reset();
    zval no;
    ZVAL_FALSE(&no);
    put_h2(client, H2Slot::kConnected, &no);
    put_h2_long(client, H2Slot::kSock, -1);
}

int32_t await_h2(Http2Client& client, http2::Wanted wanted, Nanos deadline) {
    for (;;) {
        if (client.connection == nullptr) {
            fail_h2(client, api_error::kClientNoConnection, "client is not connected to server");
            return 0;
        }
        if (int32_t id = client.connection->next_ready(wanted)) {
            return id;
        }
        if (client.connection->going_away() && !client.connection->awaits_responses()) {
            broken(client, 0);
            return 0;
        }
        client.receiver = runtime::Runtime::get().current();
        bool received = receive_some(client, deadline);
        client.receiver = nullptr;
        if (!received && (client.connection == nullptr || !client.connection->has_ready())) {
            return 0;
        }
    }
}

bool receive_to_write_h2(Http2Client& client, Nanos deadline) {
    client.receiver = runtime::Runtime::get().current();
    client.writer_receives = true;
    bool received = receive_some(client, deadline);
    client.receiver = nullptr;
    client.writer_receives = false;
    return received || (client.connection != nullptr && client.connection->has_ready());
}

}  // namespace stampede::classes::client
