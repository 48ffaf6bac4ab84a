// The requests of one HTTP/2 connection and their responses, side by side: bytes in, responses out,
// in the order in which they become complete; and what there is to send. Owned by the client that
// has the connection. One thread, never parks.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/buffer.h"
#include "proto/coding/decoder.h"
#include "proto/http2/session.h"

namespace stampede::client::http2 {

struct Limits {
    uint64_t body_bytes = 128u << 20;  // of a decoded body; the stream is reset beyond
    bool decode_body = true;           // take content codings off
    uint32_t head_fields = 200;  // of a response, with its trailers; the stream is reset beyond
};

// A response on its way.
struct Response {
    std::vector<std::pair<std::string, std::string>> fields;  // without pseudo-fields
    Buffer body;                                              // what has come and was not taken yet
    int status = 0;
    proto::http2::ErrorCode error{};  // of a stream that was reset
    bool done = false;                // nothing more comes
};

// How the application takes a response.
enum class Taking : uint8_t { kWhole, kInPieces };
// What next_ready() looks for.
enum class Wanted : uint8_t { kComplete, kAnything };

class Connection final : private proto::http2::Events {
public:
    // Null when memory is short. The preface and SETTINGS are pending then. The limits may change
    // while the connection lives and must outlive it.
    static std::unique_ptr<Connection> create(const proto::http2::Settings& settings,
                                              const Limits& limits);

    // False when the peer broke the protocol: what is pending says so, then close. Most of what a
    // peer can do wrong is told by protocol_is_broken() alone.
    bool feed(std::string_view bytes);
    // To be asked when all that was pending has been sent: nothing is read any more, and close.
    bool protocol_is_broken() const;
    // The next bytes to send, valid until the next call; empty when there are none.
    std::string_view pending();

    // The number of the stream; 0 when the connection has none left.
    int32_t request(const std::vector<proto::http2::Field>& fields, proto::http2::BodyEnd end,
                    Taking taking);
    // False when there is no such stream, or its request is complete.
    bool write(int32_t id, std::string_view bytes, proto::http2::BodyEnd end);
    // Bytes given to write() that are not on their way yet.
    size_t unsent(int32_t id) const;
    void ping() { session_->ping({}); }
    void goaway(proto::http2::ErrorCode error, std::string_view text) {
        leaving_ = true;
        session_->goaway(error, text);
    }

    // Takes the first stream off the queue that has what is wanted; 0 when there is none.
    int32_t next_ready(Wanted wanted);
    bool has_ready() const { return !ready_.empty(); }
    // Of a stream that next_ready() gave.
    Response& response(int32_t id) { return streams_.find(id)->second->response; }
    // Its body was taken: forgets a response that is done.
    void taken(int32_t id);

    bool awaits_responses() const { return awaited_ > 0; }
    bool exists(int32_t id) const { return streams_.contains(id); }
    // Streams that have not ended in both directions.
    size_t open_streams() const { return open_; }
    bool going_away() const { return going_away_; }
    proto::http2::ErrorCode goaway_error() const { return goaway_.error; }
    // The last stream which the peer takes, as its GOAWAY says.
    int32_t last_seen_stream() const { return goaway_.last_stream; }
    const proto::http2::Session& session() const { return *session_; }

private:
    // Lives until it has ended on the wire and its response was taken: either may be first. A
    // server may respond while the request goes on, and write() then still has a stream.
    struct Stream : proto::http2::Stream {
        // What is sent.
        Buffer out;
        proto::http2::BodyEnd end = proto::http2::BodyEnd::kMore;

        Response response;
        std::unique_ptr<proto::coding::Decoder> decoder;
        uint64_t body_bytes = 0;  // so far, also what was taken
        uint32_t field_bytes = 0;
        uint32_t field_count = 0;
        Taking taking = Taking::kWhole;
        bool head_done = false;
        bool queued = false;
        bool closed = false;  // on the wire
        bool taken = false;   // all of the response
    };

    static constexpr size_t kMostPending = 64 * 1024;  // of DATA, made in one go

    explicit Connection(const Limits& limits) : limits_(limits) {}

    proto::http2::FieldVerdict take_field(proto::http2::Stream& of, proto::http2::HeadKind kind,
                                          const proto::http2::Field& field) override;
    void head_ended(proto::http2::Stream* of, proto::http2::HeadKind kind,
                    const proto::http2::FrameHead& head) override;
    void take_data(proto::http2::Stream* of, std::string_view bytes) override;
    void data_ended(proto::http2::Stream* of, const proto::http2::DataFrame& frame) override;
    void goaway_received(const proto::http2::Goaway& goaway) override;
    proto::http2::DataOffer offer_data(proto::http2::Stream& of, size_t most) override;
    bool send_data(proto::http2::Stream& of, std::string_view frame_head, size_t size) override;
    void stream_closed(proto::http2::Stream& of, proto::http2::ErrorCode error) override;

    Stream* find(int32_t id);
    Stream* find_writable(int32_t id);
    bool has(const Stream& stream, Wanted wanted) const;
    void queue(Stream& stream);
    void end_head(Stream& stream);
    bool keep(Stream& stream, std::string_view bytes);
    void finish(Stream& stream, proto::http2::ErrorCode error);
    void give_up(int32_t id);
    void forget_when_over(Stream& stream);

    const Limits& limits_;
    std::unordered_map<int32_t, std::unique_ptr<Stream>> streams_;
    std::deque<int32_t> ready_;      // with something to give
    std::vector<int32_t> unwanted_;  // to be reset once feed() is over
    Buffer out_;                     // what pending() gave
    size_t awaited_ = 0;             // responses that were not taken as a whole
    size_t open_ = 0;
    uint32_t head_bytes_ = 0;  // that a response may have, as was announced
    proto::http2::Goaway goaway_;
    bool going_away_ = false;                         // the peer
    bool leaving_ = false;                            // this side
    std::unique_ptr<proto::http2::Session> session_;  // has pointers to the streams: goes first
};

}  // namespace stampede::client::http2
