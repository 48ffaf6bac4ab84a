// One side of an HTTP/2 connection in memory: keeps what it hears, sends what it is given. Two of
// them talk to each other, or one hears frames that are made by hand.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "proto/http2/session.h"

namespace stampede::proto::http2::testing {

struct Endpoint : Events {
    struct Peer : Stream {
        std::string out;    // to be sent
        bool open = false;  // more is going to be
        std::vector<Field> trailers;
    };

    explicit Endpoint(Role role, const Options& options = {})
        : session(Session::create(role, options, *this)) {}

    // ---- what it does --------------------------------------------------------------------------

    // The number of the stream, 0 when there is none.
    int32_t request(const std::vector<Field>& fields, BodyEnd end) {
        auto stream = std::make_unique<Peer>();
        stream->open = end == BodyEnd::kMore;
        if (!session->request(*stream, HeadFields(fields), end)) {
            return 0;
        }
        int32_t id = stream->id();
        streams[id] = std::move(stream);
        return id;
    }

    void respond(int32_t id, const std::vector<Field>& fields, std::string body) {
        streams.at(id)->out = std::move(body);
        EXPECT_TRUE(session->respond(*streams.at(id), HeadFields(fields), BodyEnd::kMore));
    }

    // More of a body; nothing more follows when `open` is not set.
    void write(int32_t id, std::string_view bytes) {
        streams.at(id)->out += bytes;
        session->resume(*streams.at(id));
    }

    // Everything there is to send.
    std::string take_frames() {
        std::string frames;
        std::swap(frames, data_frames);
        for (;;) {
            std::string_view more = session->next_frames();
            frames += std::exchange(data_frames, {});
            if (more.empty()) {
                return frames;
            }
            frames += more;
        }
    }

    // ---- what it hears -------------------------------------------------------------------------

    void frame_begins(const FrameHead& head) override { frames.push_back(head); }
    void head_begins(int32_t id) override {
        if (refuses_requests) {
            session->reset(id, ErrorCode::kRefusedStream);
            return;
        }
        auto& stream = streams[id];
        stream = std::make_unique<Peer>();
        session->attach(id, *stream);
    }
    FieldVerdict take_field(Stream& stream, HeadKind kind, const Field& field) override {
        said[stream.id()] += std::string(field.name) + "=" + std::string(field.value) + ";";
        kinds[stream.id()].insert_or_assign(kind, true);
        return field.name == judged ? verdict : FieldVerdict::kTaken;
    }
    void field_left_out(Stream& stream) override { left_out[stream.id()]++; }
    void head_ended(Stream* stream, HeadKind, const FrameHead& head) override {
        if (stream != nullptr) {
            peer_ended[stream->id()] = head.ends_stream();
        }
    }
    void take_data(Stream* stream, std::string_view bytes) override {
        if (stream != nullptr) {
            bodies[stream->id()] += bytes;
        } else {
            unattached += bytes.size();
        }
    }
    void data_ended(Stream* stream, const DataFrame& frame) override {
        payload += frame.payload;
        if (stream != nullptr) {
            peer_ended[stream->id()] = frame.head.ends_stream();
        }
    }
    void reset_received(int32_t id, Stream*) override { resets_received.push_back(id); }
    void reset_sent(int32_t id, ErrorCode error) override { resets_sent[id] = error; }
    void goaway_received(const Goaway& goaway) override { goaways.push_back(goaway); }
    void ping_answered() override { pings++; }
    void end_sent(Stream& stream) override { ends_sent.push_back(stream.id()); }
    void stream_closed(Stream& stream, ErrorCode error) override {
        int32_t id = stream.id();
        ended[id] = error;
        streams.erase(id);
    }

    DataOffer offer_data(Stream& of, size_t most) override {
        auto& stream = static_cast<Peer&>(of);
        if (stream.out.empty() && stream.open) {
            return {};
        }
        if (data_frames.size() >= room) {
            return {.kind = DataOffer::Kind::kNoRoom};
        }
        size_t size = std::min(most, stream.out.size());
        bool last = size == stream.out.size() && !stream.open;
        if (last && !stream.trailers.empty()) {
            EXPECT_TRUE(session->send_trailers(stream, HeadFields(stream.trailers)));
            return {DataOffer::Kind::kBytes, DataOffer::End::kTrailers, size};
        }
        return {DataOffer::Kind::kBytes, last ? DataOffer::End::kLast : DataOffer::End::kMore,
                size};
    }
    bool send_data(Stream& of, std::string_view frame_head, size_t size) override {
        if (of.id() == cannot_send) {
            return false;
        }
        auto& stream = static_cast<Peer&>(of);
        data_frames.append(frame_head).append(stream.out, 0, size);
        stream.out.erase(0, size);
        return true;
    }

    std::map<int32_t, std::unique_ptr<Peer>> streams;
    std::map<int32_t, std::string> said;
    std::map<int32_t, std::map<HeadKind, bool>> kinds;
    std::map<int32_t, int> left_out;
    std::map<int32_t, std::string> bodies;
    std::map<int32_t, bool> peer_ended;
    std::map<int32_t, ErrorCode> ended;
    std::map<int32_t, ErrorCode> resets_sent;
    std::vector<int32_t> resets_received;
    std::vector<int32_t> ends_sent;
    std::vector<FrameHead> frames;
    std::vector<Goaway> goaways;
    size_t payload = 0;
    size_t unattached = 0;  // bytes of bodies
    int pings = 0;

    std::string_view judged;  // a field that gets this verdict
    FieldVerdict verdict = FieldVerdict::kTaken;
    bool refuses_requests = false;
    int32_t cannot_send = 0;
    size_t room = SIZE_MAX;  // for DATA that has not been taken
    std::string data_frames;
    std::unique_ptr<Session> session;  // knows the streams: goes first
};

// The first side's frames to the second one.
inline bool carry(Endpoint& from, Endpoint& to) {
    std::string bytes = from.take_frames();
    if (!bytes.empty()) {
        EXPECT_EQ(to.session->feed(bytes), Fed::kFine);
    }
    return !bytes.empty();
}

inline void talk(Endpoint& one, Endpoint& other) {
    while (carry(one, other) || carry(other, one)) {
    }
}

}  // namespace stampede::proto::http2::testing
