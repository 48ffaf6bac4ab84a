#include "server/http2/deadlines.h"

#include <algorithm>

#include "server/http2/intake.h"
#include "server/http2/shared.h"
#include "server/settings.h"

namespace stampede::server {

using proto::http2::ErrorCode;

void Http2Deadlines::check(Nanos now) {
    if (shared_.wire.over()) {
        return;
    }
    if (shared_.streams.count() == 0) {
        check_idle(now);
        return;
    }
    check_streams(now);
    if (shared_.streams.count() > 0) {
        shared_.wire.connection().set_deadline(next_check(now));
    }
}

void Http2Deadlines::check_idle(Nanos now) {
    Http2Wire& wire = shared_.wire;
    const HttpLimits& limits = wire.limits();
    bool between_requests = wire.greeted() && !shared_.frames.head_open();
    Nanos patience = between_requests ? limits.idle_time : limits.header_time;
    Nanos end = shared_.streams.idle_since() + patience;
    if (now < end) {
        wire.connection().set_deadline(end);
    } else {
        wire.end(ErrorCode::kNoError);
    }
}

Nanos Http2Deadlines::next_check(Nanos now) {
    Nanos next = now + shared_.streams.check_period();
    return std::max(std::min(next, shared_.lingering.first_end()), now + kMillisecond);
}

// A deadline of the connection stands for those of all its streams: they are looked at now and
// then, which is exact enough for limits of seconds and costs nothing for each stream that ends in
// time. A connection on which nothing else is under way ends with the streams that took too long,
// as it does with HTTP/1: the peer does not keep it by opening the next one.
void Http2Deadlines::check_streams(Nanos now) {
    shared_.lingering.check(now);
    Http2Streams& streams = shared_.streams;
    Http2Stream* next = nullptr;
    bool others = false;
    bool cut = false;
    for (Http2Stream* stream = streams.oldest(); stream != nullptr; stream = next) {
        next = streams.after(*stream);
        bool in_time = check_request(*stream, now) && check_response(*stream, now);
        if (!in_time) {
            shared_.wire.reset(*stream, ErrorCode::kCancel);
            streams.lose_exchange(*stream);
        }
        bool refused = stream->request.refusal == 408;
        cut = cut || !in_time || (refused && stream->response.end_sent);
        others = others || (in_time && !refused && !stream->dismissed);
    }
    if (cut && !others && !leaving_) {
        leaving_ = true;
        (void)shared_.wire.goaway(ErrorCode::kNoError, {});
    }
}

// False: the request takes too long to come.
bool Http2Deadlines::check_request(Http2Stream& stream, Nanos now) {
    Http2Stream::Request& request = stream.request;
    if (request.ended || request.refusal != 0 || stream.exchange == nullptr ||
        stream.tunnel != nullptr) {
        return true;
    }
    const HttpLimits& limits = shared_.wire.limits();
    if (request.last_data == 0) {  // its head is not complete: the connection waits for nothing
                                   // else
        if (now - request.began >= limits.header_time) {
            shared_.wire.end(ErrorCode::kEnhanceYourCalm);
        }
        return true;
    }
    RequestBody& body = stream.exchange->body;
    bool held_back = shared_.bodies.owes() || (body.streams() && !body.view().empty());
    if (held_back) {  // by us: its time does not run
        body.restart_time(now);
        request.last_data = now;
        return true;
    }
    if (!body.too_slow(limits, now) && now - request.last_data < limits.body_gap) {
        return true;
    }
    if (body.streams()) {
        return false;
    }
    intake_.refuse(stream, 408);
    return true;
}

// False: the peer does not let the response go on. What waits for the connection as a whole is the
// connection's matter, and a stream that is not scheduled is not to blame. The end of a
// response waits for a window as well when the last bytes have used it up.
bool Http2Deadlines::check_response(Http2Stream& stream, Nanos now) {
    Http2Stream::Response& response = stream.response;
    bool end_waits = response.submitted && response.ended && !response.end_sent;
    if ((response.body.size() == 0 && !end_waits) || stream.closed) {
        response.progressed = now;
        return true;
    }
    Nanos elapsed = now - response.progressed;
    uint64_t well = shared_.wire.limits().body_rate * static_cast<uint64_t>(elapsed) /
                    static_cast<uint64_t>(kSecond);
    bool moves_well = response.moved - response.moved_then >= std::max<uint64_t>(well, 1);
    if (!shared_.wire.waits_for_window(stream) || moves_well) {
        response.progressed = now;
        response.moved_then = response.moved;
        return true;
    }
    return elapsed < shared_.wire.times().write_stall;
}

}  // namespace stampede::server
