#include "proto/http2/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "unit/proto/http2/endpoint.h"

namespace stampede::proto::http2 {
namespace {

using testing::carry;
using testing::Endpoint;
using testing::talk;

const std::vector<Field> kGet = {
    {":method", "GET"}, {":scheme", "http"}, {":authority", "a"}, {":path", "/"}, {"x", "y"}};
const std::vector<Field> kOk = {{":status", "200"}};

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr uint8_t kEndStream = 1;
constexpr uint8_t kEndHeaders = 4;

std::string frame(FrameType type, uint8_t flags, int32_t stream, std::string_view payload) {
    auto size = static_cast<uint32_t>(payload.size());
    auto id = static_cast<uint32_t>(stream);
    std::string bytes;
    for (uint32_t byte : {size >> 16, size >> 8, size, uint32_t{static_cast<uint8_t>(type)},
                          uint32_t{flags}, id >> 24, id >> 16, id >> 8, id}) {
        bytes += static_cast<char>(byte & 255);
    }
    return bytes.append(payload);
}

// GET http://a/ in HPACK: indexed fields, and ":authority" as a literal.
const std::string kGetBlock = "\x82\x86\x84\x41\x01\x61";

std::string get_frame(int32_t stream) {
    return frame(FrameType::kHeaders, kEndHeaders | kEndStream, stream, kGetBlock);
}

std::string greeting() { return std::string(kPreface) + frame(FrameType::kSettings, 0, 0, {}); }

// What a server says to frames made by hand, after the greeting.
struct Heard {
    Fed fed;
    std::vector<Goaway> goaways;
    std::vector<int32_t> resets;
};

uint32_t number_at(std::string_view bytes, size_t at, size_t size) {
    uint32_t number = 0;
    for (char byte : bytes.substr(at, size)) {
        number = number << 8 | static_cast<uint8_t>(byte);
    }
    return number;
}

Heard say(Endpoint& server, const std::string& bytes) {
    Heard heard{server.session->feed(bytes), {}, {}};
    std::string frames = server.take_frames();
    for (std::string_view rest = frames; !rest.empty();) {
        auto type = static_cast<FrameType>(rest[3]);
        if (type == FrameType::kGoaway) {
            heard.goaways.push_back({static_cast<ErrorCode>(number_at(rest, 13, 4)),
                                     static_cast<int32_t>(number_at(rest, 9, 4))});
        } else if (type == FrameType::kRstStream) {
            heard.resets.push_back(static_cast<int32_t>(number_at(rest, 5, 4)));
        }
        rest.remove_prefix(FrameHead::kBytes + number_at(rest, 0, 3));
    }
    return heard;
}

// ---- messages ----------------------------------------------------------------------------------

TEST(Http2Session, CarriesRequestsWithBodiesOfAnySize) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    EXPECT_LT(client.session->last_request(), 0);
    EXPECT_EQ(client.request(kGet, BodyEnd::kLast), 1);
    EXPECT_EQ(client.request(kGet, BodyEnd::kMore), 3);
    talk(client, server);
    EXPECT_EQ(server.said[1], ":method=GET;:scheme=http;:authority=a;:path=/;x=y;");
    EXPECT_TRUE(server.kinds[1].contains(HeadKind::kRequest));
    EXPECT_TRUE(server.peer_ended[1]);
    EXPECT_FALSE(server.peer_ended[3]);
    std::string body(3 << 20, 'b');  // more than the windows
    client.write(3, body);
    talk(client, server);
    EXPECT_EQ(server.bodies[3].size(), body.size());
    EXPECT_FALSE(server.peer_ended[3]);
    client.streams[3]->open = false;
    client.write(3, "end");
    talk(client, server);
    EXPECT_EQ(server.bodies[3], body + "end");
    EXPECT_EQ(server.payload, body.size() + 3);
    EXPECT_TRUE(server.peer_ended[3]);
    EXPECT_EQ(client.ends_sent, (std::vector<int32_t>{1, 3}));
    EXPECT_TRUE(client.session->has(3));
    EXPECT_FALSE(client.session->has(5));
    EXPECT_EQ(client.session->last_request(), 3);
}

TEST(Http2Session, CarriesResponsesAndClosesTheirStreams) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    client.request(kGet, BodyEnd::kLast);
    client.request(kGet, BodyEnd::kLast);
    talk(client, server);
    std::string body(2 << 20, 'r');
    server.respond(1, kOk, body);
    EXPECT_TRUE(server.session->respond(*server.streams[3], HeadFields(kOk), BodyEnd::kLast));
    talk(client, server);
    EXPECT_EQ(client.said[1], ":status=200;");
    EXPECT_EQ(client.bodies[1], body);
    EXPECT_EQ(client.said[3], ":status=200;");
    EXPECT_TRUE(client.peer_ended[3]);
    for (Endpoint* side : {&client, &server}) {
        EXPECT_EQ(side->ended, (std::map<int32_t, ErrorCode>{{1, ErrorCode::kNoError},
                                                             {3, ErrorCode::kNoError}}));
        EXPECT_FALSE(side->session->has(1));
        EXPECT_TRUE(side->streams.empty());
    }
}

TEST(Http2Session, InterimResponsesComeFirstAndTrailersLast) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    client.request(kGet, BodyEnd::kLast);
    talk(client, server);
    std::vector<Field> hints = {{":status", "103"}, {"link", "x"}};
    EXPECT_TRUE(server.session->inform(*server.streams[1], HeadFields(hints)));
    server.streams[1]->trailers = {{"Sum", "1"}};
    server.respond(1, kOk, "body");
    talk(client, server);
    EXPECT_EQ(client.said[1], ":status=103;link=x;:status=200;sum=1;");
    EXPECT_TRUE(client.kinds[1].contains(HeadKind::kResponse));
    EXPECT_TRUE(client.kinds[1].contains(HeadKind::kFurther));
    EXPECT_EQ(client.bodies[1], "body");
    EXPECT_TRUE(client.peer_ended[1]);
}

TEST(Http2Session, HasRoomForAnyNumberOfFields) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    std::vector<Field> fields = kGet;
    std::string wanted = ":method=GET;:scheme=http;:authority=a;:path=/;x=y;";
    for (int i = 0; i < 300; i++) {
        fields.push_back({"a", "b"});
        wanted += "a=b;";
    }
    client.request(fields, BodyEnd::kLast);
    talk(client, server);
    EXPECT_EQ(server.said[1], wanted);
}

TEST(Http2Session, BytesMayComeInAnyPieces) {
    Endpoint client(Role::kClient);
    client.request(kGet, BodyEnd::kMore);
    client.streams[1]->open = false;
    client.write(1, "body");
    std::string bytes = client.take_frames();
    for (size_t piece : {1u, 2u, 7u, 10u, 1000u}) {
        Endpoint server(Role::kServer);
        for (size_t at = 0; at < bytes.size(); at += piece) {
            ASSERT_EQ(server.session->feed(std::string_view(bytes).substr(at, piece)), Fed::kFine);
        }
        EXPECT_EQ(server.said[1], ":method=GET;:scheme=http;:authority=a;:path=/;x=y;") << piece;
        EXPECT_EQ(server.bodies[1], "body") << piece;
        EXPECT_TRUE(server.peer_ended[1]) << piece;
    }
}

TEST(Http2Session, AnUpgradeGoesOnAsStreamOne) {
    Endpoint server(Role::kServer);
    Endpoint::Peer stream;
    stream.out = "hello";
    constexpr std::string_view kSettings("\0\x03\0\0\0\x64", 6);
    server.session =
        Session::create_upgraded({kSettings, Upgrade::Method::kOther, stream}, {}, server);
    ASSERT_NE(server.session, nullptr);
    EXPECT_EQ(stream.id(), 1);
    EXPECT_EQ(server.session->peer_settings().max_concurrent_streams, 100u);
    EXPECT_TRUE(server.session->respond(stream, HeadFields(kOk), BodyEnd::kMore));
    std::string frames = server.take_frames();
    EXPECT_NE(frames.find("hello"), frames.npos);
    EXPECT_EQ(server.ended[1], ErrorCode::kNoError);

    Endpoint::Peer other;
    EXPECT_EQ(
        Session::create_upgraded({kSettings.substr(1), Upgrade::Method::kOther, other}, {}, server),
        nullptr);
    EXPECT_EQ(other.id(), 0);
}

// ---- ends --------------------------------------------------------------------------------------

TEST(Http2Session, ResetsPingsAndGoaway) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    client.request(kGet, BodyEnd::kLast);
    talk(client, server);
    server.session->reset(1, ErrorCode::kRefusedStream);
    EXPECT_TRUE(client.session->ping("12345678"));
    EXPECT_FALSE(client.session->ping("123456789"));
    talk(client, server);
    EXPECT_EQ(client.ended[1], ErrorCode::kRefusedStream);
    EXPECT_EQ(client.resets_received, std::vector<int32_t>{1});
    EXPECT_EQ(server.resets_sent[1], ErrorCode::kRefusedStream);
    EXPECT_EQ(server.ended[1], ErrorCode::kRefusedStream);
    EXPECT_FALSE(client.session->has(1));
    EXPECT_EQ(client.pings, 1);
    EXPECT_EQ(server.pings, 0);
    EXPECT_TRUE(server.session->goaway(ErrorCode::kEnhanceYourCalm, "calm"));
    talk(client, server);
    ASSERT_EQ(client.goaways.size(), 1u);
    EXPECT_EQ(client.goaways[0].error, ErrorCode::kEnhanceYourCalm);
    EXPECT_EQ(client.goaways[0].last_stream, 1);
    EXPECT_TRUE(client.session->finished());
    EXPECT_EQ(error_name(ErrorCode::kEnhanceYourCalm), "ENHANCE_YOUR_CALM");
}

TEST(Http2Session, AnOrderlyEndLetsRequestsInFlightGetTheirResponses) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    talk(client, server);
    client.request(kGet, BodyEnd::kLast);
    std::string in_flight = client.take_frames();
    server.session->announce_goaway();
    carry(server, client);
    ASSERT_EQ(client.goaways.size(), 1u);
    EXPECT_EQ(client.goaways[0].last_stream, INT32_MAX);
    EXPECT_EQ(server.session->feed(in_flight), Fed::kFine);
    server.session->goaway(ErrorCode::kNoError, {});
    server.respond(1, kOk, "late");
    talk(client, server);
    EXPECT_EQ(client.goaways.back().last_stream, 1);
    EXPECT_EQ(client.bodies[1], "late");
    EXPECT_TRUE(server.session->finished());
}

TEST(Http2Session, TerminateEndsWithAGoaway) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    talk(client, server);
    server.session->terminate(ErrorCode::kEnhanceYourCalm);
    talk(client, server);
    ASSERT_EQ(client.goaways.size(), 1u);
    EXPECT_EQ(client.goaways[0].error, ErrorCode::kEnhanceYourCalm);
    EXPECT_TRUE(server.session->finished());
}

TEST(Http2Session, ARefusedRequestTellsNothingMore) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    server.refuses_requests = true;
    client.request(kGet, BodyEnd::kMore);
    client.write(1, "body");
    talk(client, server);
    EXPECT_TRUE(server.said.empty());
    EXPECT_TRUE(server.bodies.empty());
    EXPECT_TRUE(server.ended.empty());
    EXPECT_EQ(client.ended[1], ErrorCode::kRefusedStream);
}

TEST(Http2Session, ADetachedStreamGoesOnWithoutItsObject) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    client.request(kGet, BodyEnd::kMore);
    client.request(kGet, BodyEnd::kLast);
    talk(client, server);
    server.respond(3, kOk, "half");
    server.streams[3]->open = true;
    carry(server, client);
    for (int32_t id : {1, 3}) {
        server.session->detach(*server.streams[id]);
        server.streams.erase(id);
    }
    EXPECT_TRUE(server.session->has(1));
    client.write(1, "body");
    talk(client, server);
    EXPECT_EQ(server.unattached, 4u);
    EXPECT_TRUE(server.bodies.empty());
    client.session->reset(1, ErrorCode::kCancel);
    talk(client, server);
    EXPECT_TRUE(server.ended.empty());
    EXPECT_FALSE(server.session->has(1));
}

TEST(Http2Session, ABodyWithoutItsObjectIsReset) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    client.request(kGet, BodyEnd::kLast);
    talk(client, server);
    server.respond(1, kOk, "body");
    server.session->detach(*server.streams[1]);
    server.streams.erase(1);
    talk(client, server);
    EXPECT_EQ(client.ended[1], ErrorCode::kInternalError);
}

TEST(Http2Session, TheEndOfASessionTellsNothing) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    client.request(kGet, BodyEnd::kMore);
    talk(client, server);
    server.respond(1, kOk, "never sent");
    server.session.reset();
    client.session.reset();
    EXPECT_TRUE(server.ended.empty());
    EXPECT_TRUE(client.ended.empty());
    EXPECT_EQ(server.streams.size(), 1u);
}

// ---- room, windows, limits ---------------------------------------------------------------------

TEST(Http2Session, DataWaitsForRoomAndOtherFramesDoNot) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    client.request(kGet, BodyEnd::kLast);
    talk(client, server);
    std::string body(50000, 'r');
    server.room = 1;
    server.respond(1, kOk, body);
    std::string frames = server.take_frames();
    EXPECT_LT(frames.size(), 17000u);  // one frame of DATA
    EXPECT_TRUE(server.session->wants_write());
    server.data_frames = "full";
    server.session->ping({});
    std::string_view ping = server.session->next_frames();
    EXPECT_EQ(ping.size(), FrameHead::kBytes + Session::kPingBytes);
    frames += ping;
    EXPECT_TRUE(server.session->next_frames().empty());
    server.data_frames.clear();
    server.room = SIZE_MAX;
    frames += server.take_frames();
    EXPECT_EQ(client.session->feed(frames), Fed::kFine);
    EXPECT_EQ(client.bodies[1], body);
}

TEST(Http2Session, ABodyThatCannotBeSentResetsItsStreamAlone) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    client.request(kGet, BodyEnd::kLast);
    client.request(kGet, BodyEnd::kLast);
    talk(client, server);
    server.cannot_send = 1;
    server.respond(1, kOk, "one");
    server.respond(3, kOk, "three");
    talk(client, server);
    EXPECT_EQ(client.ended[1], ErrorCode::kInternalError);
    EXPECT_EQ(client.bodies[3], "three");
    EXPECT_EQ(client.ended[3], ErrorCode::kNoError);
}

TEST(Http2Session, AUserHoldsThePeerBackByWindows) {
    Options by_user;
    by_user.window_updates = WindowUpdates::kByUser;
    by_user.settings.initial_window_size = 100000;  // of the connection: 400000
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer, by_user);
    talk(client, server);
    client.request(kGet, BodyEnd::kMore);
    client.write(1, std::string(1000000, 'b'));
    talk(client, server);
    EXPECT_EQ(server.bodies[1].size(), 100000u);
    EXPECT_TRUE(client.session->waits_for_window(*client.streams[1]));
    for (int i = 0; i < 3; i++) {  // the stream's alone, until the connection's is used up too
        server.session->give_window(*server.streams[1], 100000);
        talk(client, server);
    }
    EXPECT_EQ(server.bodies[1].size(), 400000u);
    server.session->give_window(*server.streams[1], 100000);
    talk(client, server);
    EXPECT_EQ(server.bodies[1].size(), 400000u);
    EXPECT_TRUE(client.session->waits_for_window(*client.streams[1]));
    server.session->give_window(400000);
    talk(client, server);
    EXPECT_EQ(server.bodies[1].size(), 500000u);
}

TEST(Http2Session, TheUserCountsStreamsWhenTheLimitIsOnlyAnnounced) {
    for (StreamLimit limit : {StreamLimit::kEnforced, StreamLimit::kAnnounced}) {
        Options options;
        options.stream_limit = limit;
        options.settings.max_concurrent_streams = 2;
        Endpoint client(Role::kClient);
        Endpoint server(Role::kServer, options);
        talk(client, server);
        EXPECT_EQ(client.session->peer_settings().max_concurrent_streams, 2u);
        std::string many;
        for (int32_t id : {1, 3, 5}) {
            many += get_frame(id);
        }
        Heard heard = say(server, many);
        bool enforced = limit == StreamLimit::kEnforced;
        EXPECT_EQ(heard.goaways.empty(), !enforced);
        EXPECT_EQ(server.said.contains(5), !enforced);
    }
}

TEST(Http2Session, SettingsAreAnnounced) {
    Options options;
    options.settings = {.header_table_size = 1000,
                        .max_concurrent_streams = 7,
                        .initial_window_size = 70000,
                        .max_frame_size = 20000,
                        .max_header_list_size = 5000,
                        .enable_connect_protocol = 1};
    Endpoint client(Role::kClient, options);
    Endpoint server(Role::kServer, options);
    EXPECT_FALSE(server.session->greeted());
    talk(client, server);
    EXPECT_TRUE(server.session->greeted());
    for (const Settings& seen : {client.session->peer_settings(), client.session->local_settings(),
                                 server.session->peer_settings()}) {
        EXPECT_EQ(seen.header_table_size, 1000u);
        EXPECT_EQ(seen.max_concurrent_streams, 7u);
        EXPECT_EQ(seen.initial_window_size, 70000u);
        EXPECT_EQ(seen.max_frame_size, 20000u);
        EXPECT_EQ(seen.max_header_list_size, 5000u);
        EXPECT_EQ(seen.enable_connect_protocol, 1u);
    }
    EXPECT_EQ(server.session->peer_settings().enable_push, 0u);
}

// ---- what is not allowed -----------------------------------------------------------------------

TEST(Http2Session, TheUserJudgesFieldsWhileTheyAreDecoded) {
    Endpoint client(Role::kClient);
    Endpoint server(Role::kServer);
    server.judged = "x";
    server.verdict = FieldVerdict::kResetStream;
    std::vector<Field> fields = kGet;
    fields.push_back({"after", "it"});
    client.request(fields, BodyEnd::kLast);
    client.request({kGet.begin(), kGet.begin() + 4}, BodyEnd::kLast);
    talk(client, server);
    EXPECT_NE(client.ended[1], ErrorCode::kNoError);
    EXPECT_FALSE(server.session->has(1));
    EXPECT_EQ(server.said[1].find("after"), std::string::npos);
    EXPECT_TRUE(server.peer_ended[3]);

    server.verdict = FieldVerdict::kEndConnection;
    client.request(kGet, BodyEnd::kLast);
    EXPECT_EQ(server.session->feed(client.take_frames()), Fed::kExcessive);
}

TEST(Http2Session, FieldsThatAreNotAllowedAreLeftOut) {
    Endpoint server(Role::kServer);
    std::string block = kGetBlock + std::string("\0\x01x\x01\x01\0\x01y\x01z", 10);
    std::string bytes = greeting() + frame(FrameType::kHeaders, kEndHeaders | kEndStream, 1, block);
    EXPECT_EQ(server.session->feed(bytes), Fed::kFine);
    EXPECT_EQ(server.left_out[1], 1);
    EXPECT_EQ(server.said[1], ":method=GET;:scheme=http;:path=/;:authority=a;y=z;");
}

TEST(Http2Session, GarbageIsRefused) {
    Endpoint server(Role::kServer);
    EXPECT_EQ(server.session->feed("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), Fed::kMalformed);
    Endpoint client(Role::kClient);
    EXPECT_EQ(client.session->feed(std::string("\0\0\0\x04\0\0\0\0\0", 9)), Fed::kFine);
    client.session->feed(std::string(100, '\xff'));
    EXPECT_TRUE(client.session->wants_write());  // a GOAWAY
}

TEST(Http2Session, MalformedFramesEndTheConnectionWithTheirError) {
    struct Case {
        const char* name;
        std::string bytes;
        ErrorCode error;
    };
    const std::string four(4, '\0');
    const std::string open = frame(FrameType::kHeaders, kEndHeaders, 1, kGetBlock);
    const Case cases[] = {
        {"DATA of the connection", frame(FrameType::kData, 0, 0, "x"), ErrorCode::kProtocolError},
        {"DATA of a stream that has not begun", frame(FrameType::kData, 0, 5, "x"),
         ErrorCode::kProtocolError},
        {"HEADERS of the connection", get_frame(0), ErrorCode::kProtocolError},
        {"a request with an even number", get_frame(2), ErrorCode::kProtocolError},
        {"a head that does not decode",
         frame(FrameType::kHeaders, kEndHeaders | kEndStream, 1, "\xff\xff\xff\xff\xff\xff"),
         ErrorCode::kCompressionError},
        {"SETTINGS of half an entry", frame(FrameType::kSettings, 0, 0, "abc"),
         ErrorCode::kFrameSizeError},
        {"an acknowledgement with settings", frame(FrameType::kSettings, 1, 0, "abcdef"),
         ErrorCode::kFrameSizeError},
        {"CONTINUATION of nothing", frame(FrameType::kContinuation, kEndHeaders, 1, "x"),
         ErrorCode::kProtocolError},
        {"another frame inside of a head",
         frame(FrameType::kHeaders, 0, 1, kGetBlock) + frame(FrameType::kData, 0, 1, "x"),
         ErrorCode::kProtocolError},
        {"a push by a client", frame(FrameType::kPushPromise, kEndHeaders, 1, four + kGetBlock),
         ErrorCode::kProtocolError},
        {"a short PING", frame(FrameType::kPing, 0, 0, "1234567"), ErrorCode::kFrameSizeError},
        {"a reset of a stream that has not begun", frame(FrameType::kRstStream, 0, 1, four),
         ErrorCode::kProtocolError},
        {"no window at all", frame(FrameType::kWindowUpdate, 0, 0, four),
         ErrorCode::kProtocolError},
        {"no window for a stream", open + frame(FrameType::kWindowUpdate, 0, 1, four),
         ErrorCode::kProtocolError},
        {"DATA after the end of its stream", get_frame(1) + frame(FrameType::kData, 0, 1, "x"),
         ErrorCode::kStreamClosed},
        {"a window that is too large", frame(FrameType::kWindowUpdate, 0, 0, "\x7f\xff\xff\xff"),
         ErrorCode::kFlowControlError},
        {"a frame above the announced size",
         frame(FrameType::kPing, 0, 0, std::string(16385, '\0')), ErrorCode::kFrameSizeError},
        {"padding beyond the frame", open + frame(FrameType::kData, 8, 1, "\x05xx"),
         ErrorCode::kProtocolError},
    };
    for (const Case& each : cases) {
        Endpoint server(Role::kServer);
        Heard heard = say(server, greeting() + each.bytes);
        ASSERT_EQ(heard.goaways.size(), 1u) << each.name;
        EXPECT_EQ(heard.goaways[0].error, each.error) << each.name;
        EXPECT_TRUE(server.session->finished()) << each.name;
    }
}

TEST(Http2Session, MalformedFramesOfAStreamResetIt) {
    const std::string open =
        frame(FrameType::kHeaders, kEndHeaders, 1, kGetBlock);  // its body follows
    const std::string cases[] = {
        open + frame(FrameType::kWindowUpdate, 0, 1, "\x7f\xff\xff\xff"),
        frame(FrameType::kHeaders, kEndHeaders | kEndStream, 1, "\x82\x84"),  // no scheme
    };
    for (const std::string& bytes : cases) {
        Endpoint server(Role::kServer);
        Heard heard = say(server, greeting() + bytes + get_frame(3));
        EXPECT_EQ(heard.fed, Fed::kFine);
        EXPECT_TRUE(heard.goaways.empty());
        EXPECT_EQ(heard.resets, std::vector<int32_t>{1});
        EXPECT_TRUE(server.peer_ended[3]);
    }
}

TEST(Http2Session, AFloodOfPingsIsExcessive) {
    Endpoint server(Role::kServer);
    std::string pings = greeting();
    for (int i = 0; i < 2000; i++) {
        pings += frame(FrameType::kPing, 0, 0, "12345678");
    }
    EXPECT_EQ(server.session->feed(pings), Fed::kExcessive);
}

TEST(Http2Session, TellsOfFramesThatBegin) {
    Endpoint server(Role::kServer);
    server.session->feed(greeting() + get_frame(1) +
                         frame(static_cast<FrameType>(77), 3, 9, "unknown") +
                         frame(FrameType::kPing, 0, 0, "12345678"));
    ASSERT_EQ(server.frames.size(), 3u);
    EXPECT_EQ(server.frames[0].type, FrameType::kSettings);
    EXPECT_EQ(server.frames[1].type, FrameType::kHeaders);
    EXPECT_EQ(server.frames[1].stream, 1);
    EXPECT_EQ(server.frames[1].flags, kEndHeaders | kEndStream);
    EXPECT_TRUE(server.frames[1].ends_stream());
    EXPECT_EQ(server.frames[2].type, FrameType::kPing);
    EXPECT_EQ(server.frames[2].length, 8u);
    EXPECT_EQ(server.frames[2].stream, 0);
}

// Asks for frames inside of an event.
struct Reentrant : Endpoint {
    using Endpoint::Endpoint;
    void head_ended(Stream*, HeadKind, const FrameHead&) override { session->next_frames(); }
};

TEST(Http2SessionDeathTest, IsNotCalledFromItsOwnEvents) {
    Reentrant server(Role::kServer);
    EXPECT_DEATH(server.session->feed(greeting() + get_frame(1)), "working_");
}

}  // namespace
}  // namespace stampede::proto::http2
