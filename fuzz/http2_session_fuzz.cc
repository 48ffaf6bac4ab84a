// Bytes of a peer at either side of an HTTP/2 connection: nothing breaks, and what a message keeps
// is bounded.
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "proto/http2/session.h"

using namespace stampede::proto;

namespace {

struct User : http2::Events {
    struct Peer : http2::Stream {
        size_t unsent = 100000;
    };

    http2::FieldVerdict take_field(http2::Stream&, http2::HeadKind,
                                   const http2::Field& field) override {
        fields += field.name.size() + field.value.size();
        return fields > 100000 ? http2::FieldVerdict::kEndConnection : http2::FieldVerdict::kTaken;
    }
    void head_begins(int32_t id) override {
        if (streams.size() >= kMostStreams) {
            session->reset(id, http2::ErrorCode::kRefusedStream);
            return;
        }
        auto& stream = *streams.insert_or_assign(id, std::make_unique<Peer>()).first->second;
        session->attach(id, stream);
    }
    void head_ended(http2::Stream* stream, http2::HeadKind kind, const http2::FrameHead&) override {
        static constexpr http2::Field kStatus[] = {{":status", "200"}};
        if (stream != nullptr && kind == http2::HeadKind::kRequest) {
            session->respond(*stream, http2::HeadFields(kStatus), http2::BodyEnd::kMore);
        }
    }
    void take_data(http2::Stream* stream, std::string_view bytes) override {
        session->give_window(bytes.size());
        if (stream != nullptr) {
            session->give_window(*stream, bytes.size());
        }
    }
    void data_ended(http2::Stream*, const http2::DataFrame& frame) override {
        check(frame.payload <= frame.head.length);
    }
    http2::DataOffer offer_data(http2::Stream& stream, size_t most) override {
        size_t unsent = static_cast<Peer&>(stream).unsent;
        size_t size = most < unsent ? most : unsent;
        return {http2::DataOffer::Kind::kBytes,
                size == unsent ? http2::DataOffer::End::kLast : http2::DataOffer::End::kMore, size};
    }
    bool send_data(http2::Stream& stream, std::string_view frame_head, size_t size) override {
        auto& peer = static_cast<Peer&>(stream);
        check(frame_head.size() == http2::FrameHead::kBytes && size <= peer.unsent);
        peer.unsent -= size;
        return stream.id() % 8 != 7;
    }
    void stream_closed(http2::Stream& stream, http2::ErrorCode) override {
        check(streams.erase(stream.id()) == 1);
    }

    static void check(bool holds) {
        if (!holds) {
            std::abort();
        }
    }

    static constexpr size_t kMostStreams = 64;

    size_t fields = 0;
    std::map<int32_t, std::unique_ptr<Peer>> streams;
    std::unique_ptr<http2::Session> session;
};

void talk(http2::Role role, std::string_view data) {
    static constexpr http2::Field kRequest[] = {
        {":method", "GET"}, {":scheme", "http"}, {":authority", "a"}, {":path", "/"}};
    User user;
    http2::Options options;
    options.settings.max_header_list_size = 1024;
    options.settings.max_concurrent_streams = 4;
    if (role == http2::Role::kServer) {
        options.window_updates = http2::WindowUpdates::kByUser;
        options.stream_limit = http2::StreamLimit::kAnnounced;
    }
    user.session = http2::Session::create(role, options, user);
    if (role == http2::Role::kClient) {
        auto stream = std::make_unique<User::Peer>();
        User::check(
            user.session->request(*stream, http2::HeadFields(kRequest), http2::BodyEnd::kMore));
        user.streams[1] = std::move(stream);
    } else {
        user.session->feed("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    }
    while (!data.empty()) {
        size_t piece = data.size() < 100 ? data.size() : 100;
        bool fine = user.session->feed(data.substr(0, piece)) == http2::Fed::kFine;
        data.remove_prefix(piece);
        while (!user.session->next_frames().empty()) {
        }
        if (!fine) {
            break;
        }
    }
    User::check(user.streams.size() <= User::kMostStreams);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    std::string_view data(reinterpret_cast<const char*>(bytes), size);
    talk(http2::Role::kClient, data);
    talk(http2::Role::kServer, data);
    return 0;
}
