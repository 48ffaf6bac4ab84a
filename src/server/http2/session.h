// HTTP/2 (RFC 9113, by nghttp2) on one connection: every stream is an exchange, handled side by
// side. What the handlers write waits in the streams, and becomes frames when the connection takes
// them: the frames of an iteration leave in one write, and a peer that does not read makes nothing
// grow. Owned by its connection; loop thread; never parks. The library's callbacks only queue;
// handlers run in the ready phase.
#pragma once

#include <vector>

#include "server/http2/closed_streams.h"
#include "server/http2/frame_watch.h"
#include "server/http2/guard.h"
#include "server/http2/stream.h"
#include "server/http_session.h"

struct nghttp2_session;

namespace stampede::server {

class Http2Session final : public HttpSession {
public:
    // Null when memory is short.
    static std::unique_ptr<Http2Session> create(Service& service, net::Connection& connection);
    ~Http2Session() override;

    // The same for the connection of a request that came by HTTP/1 and asked for HTTP/2; it goes on
    // as stream 1. Null, also when its settings are wrong: nothing has changed.
    static std::unique_ptr<Http2Session> adopt(Exchange& exchange,
                                               std::string_view settings_payload);

    void on_bytes(const char* data, size_t size) override;
    void on_end() override;
    void on_drained() override {}
    void on_deadline() override;
    void on_closed() override;
    bool fill() override;

    void write_head(Exchange& exchange, const ResponseHead& head, uint64_t body_length) override;
    void write_hints(Exchange& exchange, const FieldRef* fields, uint32_t count) override;
    void write_body(Exchange& exchange, std::string_view bytes) override;
    void write_body_ref(Exchange& exchange, const net::BytesRef& bytes) override;
    void write_file(Exchange& exchange, const net::FileRange& file) override;
    void write_trailers(Exchange& exchange, const FieldRef* fields, uint32_t count) override;
    void finish(Exchange& exchange) override;
    void abort(Exchange& exchange) override;
    bool upgrade(Exchange& exchange, FieldList fields, std::unique_ptr<net::Session> next) override;
    void body_wanted(Exchange& exchange) override;
    uint64_t pending(const Exchange& exchange) const override;
    bool blocked(const Exchange& exchange) const override { return pending(exchange) > 0; }

    bool goaway(uint32_t error, std::string_view text) override;
    bool ping(std::string_view payload) override;

    Exchange* open_exchange() const override;
    void announce_drain() override;
    bool drain_announced() const override { return drain_announced_; }
    void drain() override;
    bool idle() const override { return stream_count_ == 0; }

    // For tunnels: there is more in the stream's body, its bytes were read, its connection is gone.
    void more_to_send(Http2Stream& stream);
    void give_back_window(Http2Stream& stream, size_t bytes);
    void end_tunnel(Http2Stream& stream, net::CloseCause cause);

private:
    friend struct Http2Callbacks;  // what the library calls
    struct ServeTask : loop::Task {
        Http2Session* session;
    };

    Http2Session(Service& service, net::Connection& connection);
    bool start();
    bool submit_settings();
    void take_over(Exchange& exchange, Http2Stream& stream);

    // Input.
    bool take_bytes(std::string_view bytes);
    void look_at(const FrameWatch::Stop& stop);
    Http2Stream& open_stream(int32_t id);
    void head_complete(Http2Stream& stream);
    void begin_body(Http2Stream& stream);
    void take_data(Http2Stream& stream, std::string_view bytes);
    void count_body(Http2Stream& stream, uint64_t size);
    void give_window_back();
    bool make_room_for_bodies();
    void offer_continue(Http2Stream& stream);
    void open_tunnel(Http2Stream& stream);
    void request_complete(Http2Stream& stream);
    void refuse_later(Http2Stream& stream, int status);
    void enqueue(Http2Stream& stream);
    void check_number(int32_t id);
    bool is_closed(int32_t id) const;
    void check_closed(int32_t id, bool ends_connection);
    void idle_frame();
    void count_reset();
    void end_connection(uint32_t error);

    // Handling.
    void schedule();
    void serve();
    void serve_one(Http2Stream& stream);
    void send_ready_made(Http2Stream& stream);

    // Responses.
    void reset(Http2Stream& stream, uint32_t error);
    bool send_frame(Http2Stream& stream, const uint8_t* header, size_t size);
    void take_back_frame(size_t mark, uint64_t referenced);
    void submit_trailers(Http2Stream& stream);

    // Ends.
    void part(Http2Stream& stream, Parting how);
    void lose_exchange(Http2Stream& stream);
    void stream_closed(Http2Stream& stream, uint32_t error);
    void recycle(Http2Stream& stream);
    void responded_early(Http2Stream& stream);
    void dismiss(Http2Stream& stream);
    void keep_places_free();
    Nanos patience_ends(const Http2Stream& stream) const;
    Nanos next_check(Nanos now);
    void check_streams(Nanos now);
    bool check_request(Http2Stream& stream, Nanos now);
    bool check_response(Http2Stream& stream, Nanos now);
    Nanos check_period() const;
    void finish_when_over();

    static constexpr uint64_t kFillTo = 128 * 1024;  // frames made ahead of the socket
    static constexpr uint64_t kWakeBelow = 512 * 1024;

    Service& service_;
    net::Connection& connection_;
    nghttp2_session* session_ = nullptr;
    List<Http2Stream, OpenNode> open_;
    List<Http2Stream, ReadyNode> ready_;
    List<Http2Stream, LingeringNode>
        lingering_;  // response sent, the request goes on: oldest first
    uint32_t stream_count_ = 0;
    uint32_t leaving_ = 0;  // of these, dismissed
    Http2Guard guard_;
    ClosedStreams closed_;
    FrameWatch watch_;
    bool reset_unread_ = false;  // watched, while the library may not have read all of it
    ServeTask task_;
    uint64_t body_bytes_ = 0;  // of all streams, in memory
    uint64_t owed_ = 0;        // window of the connection that was not given back
    Nanos idle_since_ = 0;
    int32_t newest_id_ = -1;
    int32_t last_taken_ = 0;   // of the streams that were opened here, or refused
    int32_t passed_over_ = 0;  // the newest gap in the numbers of streams: its ends
    int32_t passed_over_end_ = 0;
    bool stale_ = true;  // the library may have something to send
    bool serving_ = false;
    bool greeted_ = false;          // the first frame, our settings, has left
    bool head_open_ = false;        // a header block has begun and not ended
    bool drain_announced_ = false;  // the first of two GOAWAYs has been sent
    bool over_ = false;
};

}  // namespace stampede::server
