// The body of a request as it comes: its limits and its pace, what is compressed, where it goes.
// Owned by its exchange, fed by the session. Loop thread; never parks.
//
// By default it is gathered. The handler may choose otherwise in Handler::body_begins().
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "net/connection.h"
#include "proto/coding/decoder.h"
#include "proto/http/request_head.h"
#include "server/body_buffer.h"
#include "server/form.h"
#include "server/room.h"

namespace stampede::server {

struct HttpLimits;

class RequestBody {
public:
    // For the handler, when the body begins.

    // More or less than the service's limit may come.
    void set_limit(uint64_t bytes) { limit_ = bytes; }
    // It is a form and goes there; view() has it as well when it is at most keep_bytes long.
    void expect_form(std::unique_ptr<Form> form, uint64_t keep_bytes);
    // One of some kilobytes whose length is known is gathered there, if it is wanted as a whole.
    void gather_in(BodyMemory& memory) { memory_ = &memory; }
    // The handler is called at once, and reads the body while it comes: view() is what waits to be
    // read, Exchange::consume_body() takes it off the front, and Handler::body_arrived() says that
    // there is more, or no more. The peer is slowed down to the reader.
    void stream() { streams_ = true; }
    // How much may wait to be read.
    void set_room(size_t bytes) { room_ = bytes; }

    // For the handler, afterwards.

    std::string_view view() const { return bytes_.view(); }
    // The address of a body that was gathered in memory of the handler; null when it is elsewhere.
    char* block() const { return bytes_.block(); }
    const Form* form() const { return form_.get(); }
    Form* form() { return form_.get(); }
    bool streams() const { return streams_; }
    // All of it has come. When it has not, and the connection is gone, it never will.
    bool whole() const { return whole_; }

    // For sessions: Exchange::begin_body(), take() for each piece, end(), and 0 or the status of
    // the refusal from each.

    int take(std::string_view bytes);
    int end();
    // Where the next bytes can be read to, of which so many are still to come, in place of take();
    // none where they have to be looked at first. There may be more room than that: a read that
    // does not fill it has read all there was. was_read() says how many bytes of the body came,
    // and gives 0 or the status of the refusal, too.
    net::Session::Room space(uint64_t left);
    int was_read(size_t size);
    void drop();
    bool allows_more(uint64_t bytes) const { return bytes <= limit_ - came_; }
    // As much waits for the reader as may, and so little again that more can come.
    bool is_full() const { return bytes_.size() >= room_; }
    bool has_room_again() const { return bytes_.size() <= room_ / 2; }
    // Whether it comes slower than it must. Time begins anew when the peer was held back.
    bool too_slow(const HttpLimits& limits, Nanos now) const;
    void restart_time(Nanos now) {
        since_ = now;
        came_then_ = came_;
    }

private:
    friend class Exchange;

    static constexpr size_t kRoom = 256 * 1024;
    // Smaller bodies are copied for less than the memory costs; larger ones would leave holes.
    static constexpr uint64_t kSmallestGathered = 8 * 1024;
    static constexpr uint64_t kLargestGathered = 1024 * 1024;
    static constexpr size_t kReserve = 2 * net::Hub::kReadSize;
    static constexpr size_t kSpaceBehind = 256;  // the end of a body is seen by a short read

    // For the exchange: before the handler chooses, and after it. 0, or the status of the refusal.
    void begin(uint64_t limit, Nanos now, Room& memory);
    int prepare(proto::http::RequestHead& head, const char* text, bool decodes);
    void consume(size_t bytes) { bytes_.consume(bytes); }
    void clear();

    int choose_decoder(proto::http::RequestHead& head, const char* text);
    void reserve(const proto::http::RequestHead& head);
    int decode(std::string_view bytes);
    int store(std::string_view bytes);
    int feed_form(std::string_view bytes);
    int count_memory();

    BodyBuffer bytes_;
    RoomShare share_;  // of the memory for all bodies
    BodyMemory* memory_ = nullptr;
    std::unique_ptr<Form> form_;
    std::unique_ptr<proto::coding::Decoder> decoder_;  // of one that comes compressed
    uint64_t stored_ = 0;                              // bytes, when they are no longer compressed
    bool decoded_ = false;  // the compressed data is complete, if nothing follows
    bool streams_ = false;
    bool whole_ = true;
    uint64_t limit_ = 0;
    uint64_t came_ = 0;
    uint64_t kept_ = 0;  // of a form's body: as long as it is no longer than that
    uint64_t came_then_ = 0;
    Nanos since_ = 0;
    size_t room_ = kRoom;
};

}  // namespace stampede::server
