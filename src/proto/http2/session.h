// HTTP/2 over bytes, by nghttp2: what came goes in, events and what to send come out. The only
// user of nghttp2, for servers and clients. Owned by the code that has the connection; one thread;
// never parks.
//
//   bytes of the peer -> feed() -> nghttp2 -> Events                    (the user's streams)
//   bytes to send <- next_frames() <- nghttp2 <- request(), respond() ...
//                 <- Events::send_data() <- Events::offer_data()        (bodies, not copied)
//
// Everything that submits a frame only queues it; next_frames() makes the frames, in an order that
// nghttp2 chooses: settings and pings first, data last, the rest in the order of its submission.
// Fields and texts are copied before the call that submits them returns. What was submitted for a
// stream that has ended by the time its frame is made is dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "proto/http2/events.h"
#include "proto/http2/fields.h"
#include "proto/http2/types.h"

struct nghttp2_session;

namespace stampede::proto::http2 {

enum class Fed : uint8_t {
    kFine,
    kMalformed,  // no HTTP/2: the connection has to end
    kExcessive,  // what only an attack sends: likewise
};

// A request that came by HTTP/1 and goes on as stream 1.
struct Upgrade {
    enum class Method : uint8_t { kHead, kOther };

    std::string_view settings;  // the payload of HTTP2-Settings, decoded
    Method method = Method::kOther;
    Stream& stream;
};

class Session {
public:
    static constexpr size_t kPingBytes = 8;

    // The preface and SETTINGS are the first frames. Null when memory is short. The events outlive
    // the session.
    static std::unique_ptr<Session> create(Role role, const Options& options, Events& events);
    // A server's. Null also when the peer's settings are wrong: the stream is not attached then.
    static std::unique_ptr<Session> create_upgraded(const Upgrade& upgrade, const Options& options,
                                                    Events& events);
    // Tells no events. Streams that are attached stay their owner's.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // ---- bytes ---------------------------------------------------------------------------------

    // After anything but kFine the session takes no more; it can still say goodbye.
    Fed feed(std::string_view bytes);
    // The next frames, valid until the next call; empty when there are none, or no room for DATA.
    // DATA leaves by Events::send_data() meanwhile, ahead of what is returned.
    std::string_view next_frames();
    bool wants_write() const;
    // Nothing will happen any more: both sides have said goodbye.
    bool finished() const;
    // The first frames have been made.
    bool greeted() const { return greeted_; }

    // ---- messages ------------------------------------------------------------------------------

    // A client's, attached to the stream. False when the connection has no stream left.
    bool request(Stream& stream, const HeadFields& fields, BodyEnd end);
    // A server's; once for each stream. With kMore the session asks for the body by offer_data().
    bool respond(const Stream& stream, const HeadFields& fields, BodyEnd end);
    // A server's interim response (1xx), before respond().
    bool inform(const Stream& stream, const HeadFields& fields);
    // Only inside of offer_data(), which then says kTrailers: earlier, nghttp2 would send them
    // ahead of the body.
    bool send_trailers(const Stream& stream, const HeadFields& fields);
    // offer_data() would have something to say again.
    void resume(Stream& stream);
    // By number, since also streams are reset that are not attached.
    void reset(int32_t id, ErrorCode error);

    // The session knows the stream: it has begun and has not been closed.
    bool has(int32_t id) const;
    // The user's object for a stream that exists: inside of Events::head_begins().
    void attach(int32_t id, Stream& stream);
    // The owner wants the object back before the stream is closed. The stream itself goes on, and
    // events give null for it; a body that is not whole is then reset.
    void detach(const Stream& stream);
    // The number of the newest request that this side has made, negative before the first.
    int32_t last_request() const;

    // ---- flow control --------------------------------------------------------------------------

    // With WindowUpdates::kByUser: bytes that take_data() got let the peer send as many more, on
    // the stream and on the connection each for itself. All that was used up has to be given back
    // at last, at least to the connection: it stands still otherwise.
    void give_window(const Stream& stream, uint64_t bytes);
    void give_window(uint64_t bytes);
    // The peer's windows have no room for data of the stream.
    bool waits_for_window(const Stream& stream) const;

    // ---- the connection ------------------------------------------------------------------------

    // At most kPingBytes.
    bool ping(std::string_view payload);
    // The first GOAWAY of an orderly end lets the requests come that are on their way; the second
    // names the last one that gets a response.
    void announce_goaway();
    bool goaway(ErrorCode error, std::string_view text);
    // GOAWAY, and nothing after it: streams that are open do not go on.
    void terminate(ErrorCode error);

    // What holds for this side, once the peer has agreed; and for the peer.
    Settings local_settings() const;
    Settings peer_settings() const;

private:
    friend struct Callbacks;

    explicit Session(Events& events) : events_(events) {}
    bool make(Role role, const Options& options);
    bool begin(Role role, const Options& options);
    Settings settings_by(uint32_t (*ask)(nghttp2_session*, int)) const;

    Events& events_;
    nghttp2_session* native_ = nullptr;
    Stream* latest_ = nullptr;        // attached last: the fields of its head come now
    uint32_t announced_streams_ = 0;  // what SETTINGS is to say; 0: what nghttp2 was told
    bool greeted_ = false;
    bool working_ = false;  // inside of feed() or next_frames()
};

}  // namespace stampede::proto::http2
