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
};

// A response on its way.
struct Response {
    std::vector<std::pair<std::string, std::string>> fields;  // without pseudo-fields
    Buffer body;                                              // what has come and was not taken yet
    int status = 0;
    uint32_t error = 0;  // of a stream that was reset
    bool done = false;   // nothing more comes
};

// How the application takes a response.
enum class Taking : uint8_t { kWhole, kInPieces };
// What next_ready() looks for.
enum class Wanted : uint8_t { kComplete, kAnything };

class Connection {
public:
    // Null when memory is short. The preface and SETTINGS are pending then. The limits may change
    // while the connection lives and must outlive it.
    static std::unique_ptr<Connection> create(const proto::http2::Settings& settings,
                                              const Limits& limits);

    // False when the peer broke the protocol: what is pending says so, then close.
    bool feed(std::string_view bytes);
    // The next bytes to send, valid until the next call; empty when there are none.
    std::string_view pending() { return session_->pending(); }

    // The number of the stream, or negative when the connection has none left.
    int32_t request(const std::vector<proto::http2::Field>& fields, proto::http2::BodyEnd end,
                    Taking taking);
    // False when there is no such stream, or its request is complete.
    bool write(int32_t id, std::string_view bytes, proto::http2::BodyEnd end) {
        return session_->write(id, bytes, end);
    }
    size_t unsent(int32_t id) const { return session_->unsent(id); }
    void ping() { session_->ping(); }
    void goaway(uint32_t error, std::string_view text) { session_->goaway(error, text); }

    // Takes the first stream off the queue that has what is wanted; 0 when there is none.
    int32_t next_ready(Wanted wanted);
    bool has_ready() const { return !ready_.empty(); }
    // Of a stream that next_ready() gave.
    Response& response(int32_t id) { return streams_.find(id)->second->response; }
    // Its body was taken: forgets a stream that is done.
    void taken(int32_t id);

    bool awaits_responses() const { return !streams_.empty(); }
    bool exists(int32_t id) const { return session_->exists(id) || streams_.contains(id); }
    bool going_away() const { return going_away_; }
    uint32_t goaway_error() const { return goaway_error_; }
    // The last stream which the peer takes, as its GOAWAY says.
    int32_t last_seen_stream() const { return last_seen_stream_; }
    const proto::http2::Session& session() const { return *session_; }

private:
    struct Stream {
        Response response;
        std::unique_ptr<proto::coding::Decoder> decoder;
        uint64_t body_bytes = 0;  // so far, also what was taken
        Taking taking = Taking::kWhole;
        bool head_done = false;
        bool queued = false;
    };

    explicit Connection(const Limits& limits) : limits_(limits) {}
    static Connection& of(void* self) { return *static_cast<Connection*>(self); }
    Stream* find(int32_t id);
    bool has(const Stream& stream, Wanted wanted) const;
    void queue(int32_t id, Stream& stream);
    void take_field(int32_t id, const proto::http2::Field& field);
    void end_head(int32_t id);
    void take_body(int32_t id, std::string_view bytes);
    bool keep(Stream& stream, std::string_view bytes);
    void finish(int32_t id, uint32_t error);
    void give_up(int32_t id);

    const Limits& limits_;
    std::unique_ptr<proto::http2::Session> session_;
    std::unordered_map<int32_t, std::unique_ptr<Stream>> streams_;
    std::deque<int32_t> ready_;      // with something to give
    std::vector<int32_t> unwanted_;  // to be reset once feed() is over
    uint32_t goaway_error_ = 0;
    int32_t last_seen_stream_ = 0;
    bool going_away_ = false;
};

}  // namespace stampede::client::http2
