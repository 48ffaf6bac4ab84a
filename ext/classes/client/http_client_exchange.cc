// A request's way to the server and its response's way back: connecting, sending, receiving,
// sending again on another connection where the one kept from before was dead.
#include <cerrno>
#include <cstring>

#include "classes/client/http_client.h"
#include "error_numbers.h"
#include "zend/throw.h"

namespace stampede::classes::client {

namespace {

using http1::AtClose;
using http1::Step;

enum class Outcome : uint8_t {
    kDone,
    kFailed,  // said
    kLost,    // the connection ended before the first byte of a response; not reported yet
};

constexpr size_t kHeadRead = 8 * 1024;
constexpr size_t kBodyRead = 64 * 1024;

Nanos sooner(Nanos a, Nanos b) { return a < b ? a : b; }

Nanos phase_deadline(const HttpClient& client, Nanos time) {
    return sooner(client.deadline, io::deadline_in(time));
}

bool open_connection(HttpClient& client) {
    client.in.clear();
    client.ws.reset();
    if (dial(begin_socket(client), client.plan,
             phase_deadline(client, client.settings.times.connect), client.failure)) {
        show_socket(client);
        put_bool(client, Slot::kConnected, true);
        return true;
    }
    drop_socket(client);
    put_bool(client, Slot::kConnected, false);
    return fail(client, kConnectFailed, client.failure.code, client.failure.text);
}

bool send_part(HttpClient& client, const BodyPart& part, Nanos deadline) {
    if (part.bytes != nullptr) {
        std::string_view bytes(ZSTR_VAL(part.bytes), ZSTR_LEN(part.bytes));
        return client.stream().send_all(bytes, deadline) == bytes.size();
    }
    return client.stream().send_file(part.file, part.offset, part.length, deadline) == part.length;
}

bool send_request(HttpClient& client) {
    Nanos deadline = phase_deadline(client, client.settings.times.write);
    std::string_view head = client.head.view();
    if (client.stream().send_all(head, deadline) < head.size()) {
        return false;
    }
    for (const BodyPart& part : client.parts) {
        if (!send_part(client, part, phase_deadline(client, client.settings.times.write))) {
            return false;
        }
    }
    return true;
}

bool refuse_response(HttpClient& client, int code, std::string_view text) {
    disconnect(client);
    return fail(client, kServerReset, code, text);
}

Outcome say(HttpClient& client, BodyProblem problem) {
    switch (problem) {
        case BodyProblem::kTooLarge:
            refuse_response(client, api_error::kPackageTooLarge,
                            "the body of the response is larger than package_max_length");
            break;
        case BodyProblem::kRefused:
            refuse_response(client, ECANCELED, "write_func wants no more of the body");
            break;
        default:
            refuse_response(client, errno != 0 ? errno : EIO, "cannot write the downloaded file");
            break;
    }
    return Outcome::kFailed;
}

// The response is not valid.
Outcome say(HttpClient& client, Step step) {
    refuse_response(
        client, api_error::kHttpInvalidProtocol,
        step == Step::kBadCoding ? "the body of the response is not what its Content-Encoding says"
        : step == Step::kBadChunks ? "the chunks of the response's body are not valid"
                                   : "the server's response is no valid HTTP/1 response");
    return Outcome::kFailed;
}

// The connection ended or failed while a response was awaited.
Outcome broken(HttpClient& client, long count) {
    bool ended =
        count == 0 || client.stream().error() == ECONNRESET || client.stream().error() == EPIPE;
    if (ended && client.reader.at_close(client.in) == AtClose::kUnbegun) {
        return Outcome::kLost;
    }
    if (count == 0) {
        refuse_response(client, ECONNRESET,
                        "the server closed the connection inside of its response");
    } else {
        bool late = client.stream().error() == ETIMEDOUT;
        fail_by_stream(client, late ? kRequestTimeout : kServerReset);
    }
    return Outcome::kFailed;
}

BodyProblem begin_response(HttpClient& client) {
    show_head(client);
    client.agreed = http1::judge_upgrade(
        client.reader.head(), client.in.data(),
        {{client.upgrade_key, sizeof(client.upgrade_key)}, client.settings.compress_messages},
        client.deflate_terms);
    return begin_body(client);
}

// What follows a response: the connection is kept when both sides want that and nothing is unclear.
void settle(HttpClient& client) {
    if (!client.settings.keep_alive || !client.reader.keeps_connection(client.in)) {
        disconnect(client);
    }
    client.in.release();
}

Outcome end_response(HttpClient& client, Step step) {
    if (step != Step::kDone) {
        return say(client, step);
    }
    if (client.reader.head().status != 101) {
        show_trailer(client);
        show_body(client);
        settle(client);
    }
    return Outcome::kDone;
}

Outcome receive_response(HttpClient& client) {
    client.reader.begin({client.method, client.upgrading, client.settings.decode_body});
    BodyProblem problem = BodyProblem::kNone;
    size_t wanted = kHeadRead;
    for (;;) {
        Step step = client.reader.advance(client.in, [&](std::string_view piece) {
            problem = store(client, piece);
            return problem == BodyProblem::kNone;
        });
        if (step == Step::kHead) {
            problem = begin_response(client);
            wanted = kBodyRead;
        }
        if (problem != BodyProblem::kNone) {
            return say(client, problem);
        }
        if (step == Step::kHead) {
            continue;
        }
        if (step != Step::kNeedMore) {
            return end_response(client, step);
        }
        Nanos deadline = phase_deadline(client, client.settings.times.read);
        size_t rest = plain_rest_of_body(client);
        long count = rest > 0 ? receive_plain_body(client, rest, deadline)
                              : receive_more(client, wanted, deadline);
        if (count == 0 && client.reader.at_close(client.in) == AtClose::kComplete) {
            return end_response(client, client.reader.finish());
        }
        if (count <= 0) {
            return broken(client, count);
        }
    }
}

bool lost(HttpClient& client, int status) {
    disconnect(client);
    return fail(client, status, ECONNRESET, {});
}

bool may_repeat(const HttpClient& client, uint32_t attempt) {
    return client.reused && client.repeatable && attempt < client.settings.max_retries;
}

bool ready_to_send(HttpClient& client) {
    client.reused = client.stream().is_open() && client.in.empty() && client.stream().is_alive();
    if (client.reused) {
        return true;
    }
    disconnect(client);
    return open_connection(client);
}

bool stream_ended(HttpClient& client) {
    int error = client.stream().error();
    return error == EPIPE || error == ECONNRESET || error == ENOTCONN;
}

// A server that wants no more of a body may have said why before it closed.
bool responded_early(HttpClient& client) {
    client.failure.code = client.stream().error();
    client.failure.text = client.stream().error_text();
    if (stream_ended(client)) {
        Outcome outcome = receive_response(client);
        if (outcome != Outcome::kLost) {
            disconnect(client);  // half a request is in it
            return outcome == Outcome::kDone;
        }
    }
    disconnect(client);
    bool late = client.failure.code == ETIMEDOUT;
    return fail(client, late ? kRequestTimeout : kSendFailed, client.failure.code,
                client.failure.text);
}

}  // namespace

long receive_more(HttpClient& client, size_t wanted, Nanos deadline) {
    long count = client.stream().receive(client.in.reserve(wanted), wanted, deadline);
    if (count > 0) {
        client.in.commit(static_cast<size_t>(count));
    }
    return count;
}

void disconnect(HttpClient& client) {
    drop_socket(client);
    client.in.release();
    drop_body(client);
    client.ws.reset();
    put_bool(client, Slot::kConnected, false);
}

bool fail(HttpClient& client, int status, int code, std::string_view text) {
    if (status != 0) {
        put_long(client, Slot::kStatusCode, status);
    }
    put_long(client, Slot::kErrCode, code);
    put_text(client, Slot::kErrMsg, text.empty() ? io::error_text(code) : text);
    zend::set_last_error(code);
    return false;
}

bool fail_by_stream(HttpClient& client, int status) {
    client.failure.code = client.stream().error();
    client.failure.text = client.stream().error_text();
    disconnect(client);
    return fail(client, status, client.failure.code, client.failure.text);
}

bool exchange(HttpClient& client, Begin begin, Until until) {
    for (uint32_t attempt = 0;; attempt++) {
        if (begin == Begin::kSend || attempt > 0) {
            if (!ready_to_send(client)) {
                return false;
            }
            if (!send_request(client)) {
                if (stream_ended(client) && may_repeat(client, attempt)) {
                    disconnect(client);
                    continue;
                }
                return responded_early(client);
            }
            if (until == Until::kSent) {
                return true;
            }
        }
        Outcome outcome = receive_response(client);
        if (outcome != Outcome::kLost) {
            return outcome == Outcome::kDone;
        }
        if (!may_repeat(client, attempt)) {
            return lost(client, kServerReset);
        }
        disconnect(client);
    }
}

}  // namespace stampede::classes::client
