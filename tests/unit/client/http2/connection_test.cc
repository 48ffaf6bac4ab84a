#include "client/http2/connection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "client/http2/request_fields.h"
#include "unit/proto/http2/endpoint.h"

namespace stampede::client::http2 {
namespace {

using proto::http2::BodyEnd;
using proto::http2::ErrorCode;
using proto::http2::Field;
using proto::http2::testing::Endpoint;

// The server's side.
struct Server : Endpoint {
    Server() : Endpoint(proto::http2::Role::kServer) {}

    void respond(int32_t id, std::string body, std::string_view coding = "identity") {
        Endpoint::respond(id, {{":status", "200"}, {"content-encoding", coding}}, std::move(body));
    }
};

struct Both {
    explicit Both(const Limits& given = {}, const proto::http2::Settings& settings = {})
        : limits(given) {
        client = Connection::create(settings, limits);
        talk();
    }

    void talk() {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::string_view bytes = client->pending(); !bytes.empty();
                 bytes = client->pending()) {
                moved = true;
                most_pending = std::max(most_pending, bytes.size());
                EXPECT_EQ(server.session->feed(bytes), proto::http2::Fed::kFine);
            }
            std::string bytes = server.take_frames();
            if (!bytes.empty()) {
                moved = true;
                EXPECT_TRUE(client->feed(bytes));
            }
        }
    }

    int32_t get(std::string path, Taking taking = Taking::kWhole) {
        RequestFields fields;
        EXPECT_TRUE(fields.begin("GET", std::move(path), {"h", 80, Scheme::kHttp}));
        int32_t id = client->request(fields.list(), BodyEnd::kLast, taking);
        EXPECT_GT(id, 0);
        talk();
        return id;
    }

    std::string take(int32_t id) {
        std::string body(client->response(id).body.view());
        client->taken(id);
        return body;
    }

    Limits limits;
    Server server;
    std::unique_ptr<Connection> client;
    size_t most_pending = 0;
};

TEST(Http2Connection, AResponseIsReadyWhenItIsWhole) {
    Both both;
    int32_t id = both.get("/x");
    EXPECT_EQ(both.server.said[id], ":method=GET;:scheme=http;:authority=h;:path=/x;");
    EXPECT_EQ(both.client->next_ready(Wanted::kAnything), 0);
    both.server.streams[id]->open = true;
    both.server.respond(id, "he");
    both.talk();
    EXPECT_EQ(both.client->next_ready(Wanted::kAnything), 0);
    both.server.streams[id]->open = false;
    both.server.write(id, "llo");
    both.talk();
    ASSERT_EQ(both.client->next_ready(Wanted::kComplete), id);
    EXPECT_EQ(both.client->response(id).status, 200);
    EXPECT_EQ(both.client->response(id).error, ErrorCode::kNoError);
    EXPECT_TRUE(both.client->response(id).done);
    EXPECT_EQ(both.take(id), "hello");
    EXPECT_FALSE(both.client->awaits_responses());
}

TEST(Http2Connection, PiecesAreReadyAtOnceForThoseThatTakeThem) {
    Both both;
    int32_t id = both.get("/", Taking::kInPieces);
    both.server.streams[id]->open = true;
    both.server.respond(id, "one");
    both.talk();
    EXPECT_EQ(both.client->next_ready(Wanted::kComplete), 0);
    ASSERT_EQ(both.client->next_ready(Wanted::kAnything), id);
    EXPECT_FALSE(both.client->response(id).done);
    EXPECT_EQ(both.take(id), "one");
    EXPECT_EQ(both.client->next_ready(Wanted::kAnything), 0);
    both.server.streams[id]->open = false;
    both.server.write(id, "two");
    both.talk();
    ASSERT_EQ(both.client->next_ready(Wanted::kAnything), id);
    EXPECT_EQ(both.take(id), "two");
}

TEST(Http2Connection, ResponsesComeInTheOrderOfTheirEnds) {
    Both both;
    int32_t first = both.get("/1");
    int32_t second = both.get("/2");
    both.server.respond(second, "b");
    both.talk();
    both.server.respond(first, "a");
    both.talk();
    EXPECT_EQ(both.client->next_ready(Wanted::kComplete), second);
    EXPECT_EQ(both.client->next_ready(Wanted::kComplete), first);
}

TEST(Http2Connection, ABodyAboveTheLimitEndsItsStream) {
    Both both({4, true});
    int32_t large = both.get("/large");
    int32_t small = both.get("/small");
    both.server.respond(large, "12345");
    both.server.respond(small, "1234");
    both.talk();
    std::map<int32_t, std::string> bodies;
    for (int32_t id = 0; (id = both.client->next_ready(Wanted::kComplete)) != 0;) {
        bodies[id] = both.take(id);
    }
    EXPECT_EQ(bodies, (std::map<int32_t, std::string>{{large, ""}, {small, "1234"}}));
}

TEST(Http2Connection, AStreamWithABrokenCodingIsReset) {
    Both both;
    int32_t id = both.get("/");
    both.server.streams[id]->open = true;  // the server would go on
    both.server.respond(id, "no gzip", "gzip");
    both.talk();
    ASSERT_EQ(both.client->next_ready(Wanted::kComplete), id);
    EXPECT_EQ(both.client->response(id).error, ErrorCode::kCancel);
    Both plain({100, false});
    id = plain.get("/");
    plain.server.respond(id, "no gzip", "gzip");
    plain.talk();
    ASSERT_EQ(plain.client->next_ready(Wanted::kComplete), id);
    EXPECT_EQ(plain.take(id), "no gzip");
}

TEST(Http2Connection, AResetAndAGoawayAreReported) {
    Both both;
    int32_t id = both.get("/");
    both.server.session->reset(id, ErrorCode::kRefusedStream);
    both.server.session->goaway(ErrorCode::kEnhanceYourCalm, {});
    both.talk();
    ASSERT_EQ(both.client->next_ready(Wanted::kComplete), id);
    EXPECT_EQ(both.client->response(id).error, ErrorCode::kRefusedStream);
    EXPECT_TRUE(both.client->going_away());
    EXPECT_EQ(both.client->goaway_error(), ErrorCode::kEnhanceYourCalm);
    EXPECT_EQ(both.client->last_seen_stream(), id);
}

TEST(Http2Connection, WhatIsNoHttp2EndsIt) {
    Both both;
    both.client->feed("HTTP/1.1 400 Bad Request\r\n\r\n");
    while (!both.client->pending().empty()) {  // a GOAWAY
    }
    EXPECT_TRUE(both.client->protocol_is_broken());
}

TEST(Http2Connection, AGoawayOfEitherSideBreaksNothing) {
    Both theirs;
    int32_t id = theirs.get("/");
    theirs.server.session->goaway(ErrorCode::kNoError, {});
    theirs.talk();
    EXPECT_FALSE(theirs.client->protocol_is_broken());
    theirs.server.respond(id, "last");
    theirs.talk();
    EXPECT_FALSE(theirs.client->protocol_is_broken());
    Both ours;
    ours.client->goaway(ErrorCode::kNoError, {});
    ours.talk();
    EXPECT_FALSE(ours.client->protocol_is_broken());
}

TEST(Http2Connection, ABodyIsWrittenInPiecesThatStaySmall) {
    Both both;
    RequestFields fields;
    fields.begin("POST", "/", {"h", 80, Scheme::kHttp});
    int32_t id = both.client->request(fields.list(), BodyEnd::kMore, Taking::kWhole);
    std::string body(3 << 20, 'b');
    EXPECT_TRUE(both.client->write(id, body, BodyEnd::kMore));
    EXPECT_EQ(both.client->unsent(id), body.size());
    both.talk();
    EXPECT_EQ(both.client->unsent(id), 0u);
    EXPECT_TRUE(both.client->write(id, "end", BodyEnd::kLast));
    EXPECT_FALSE(both.client->write(id, "late", BodyEnd::kLast));
    both.talk();
    EXPECT_EQ(both.server.bodies[id], body + "end");
    EXPECT_TRUE(both.server.peer_ended[id]);
    EXPECT_LT(both.most_pending, 128u * 1024);
}

TEST(Http2Connection, ARequestMayGoOnAfterItsResponseWasTaken) {
    Both both;
    RequestFields fields;
    fields.begin("POST", "/", {"h", 80, Scheme::kHttp});
    int32_t id = both.client->request(fields.list(), BodyEnd::kMore, Taking::kWhole);
    both.talk();
    both.server.respond(id, "early");
    both.talk();
    ASSERT_EQ(both.client->next_ready(Wanted::kComplete), id);
    EXPECT_EQ(both.take(id), "early");
    EXPECT_FALSE(both.client->awaits_responses());
    EXPECT_TRUE(both.client->exists(id));
    EXPECT_EQ(both.client->open_streams(), 1u);
    EXPECT_TRUE(both.client->write(id, "late", BodyEnd::kLast));
    both.talk();
    EXPECT_EQ(both.server.bodies[id], "late");
    EXPECT_FALSE(both.client->exists(id));
    EXPECT_EQ(both.client->open_streams(), 0u);
    EXPECT_EQ(both.client->next_ready(Wanted::kAnything), 0);
}

TEST(Http2Connection, HeadsHaveLimitsWhileTheyAreDecoded) {
    proto::http2::Settings settings;
    settings.max_header_list_size = 1000;
    std::string large(600, 'x');
    for (bool many : {false, true}) {
        Limits limits;
        limits.head_fields = 20;
        Both both(limits, settings);
        int32_t id = both.get("/");
        int32_t other = both.get("/other");
        std::vector<Field> fields = {{":status", "200"}, {"a", large}, {"b", large}};
        if (many) {
            fields.resize(1);
            fields.insert(fields.end(), 20, Field{"a", "b"});
        }
        both.server.Endpoint::respond(id, fields, "body");
        both.server.respond(other, "body");
        both.talk();
        EXPECT_NE(both.client->response(id).error, ErrorCode::kNoError) << many;
        EXPECT_EQ(both.client->response(other).error, ErrorCode::kNoError) << many;
        EXPECT_FALSE(both.server.session->has(id)) << many;
    }
}

std::string text_of(const RequestFields& fields) {
    std::string text;
    for (const Field& field : fields.list()) {
        text += std::string(field.name) + "=" + std::string(field.value) + ";";
    }
    return text;
}

TEST(RequestFields, PseudoFieldsFirstAndNothingOfAConnection) {
    RequestFields fields;
    ASSERT_TRUE(fields.begin("POST", "x", {"h", 8443, Scheme::kHttps}));
    EXPECT_TRUE(fields.add("X-A", "1"));
    for (const char* name : {"Connection", "Keep-Alive", "Transfer-Encoding", "Upgrade",
                             "Proxy-Connection", "Content-Length", ":path"}) {
        EXPECT_TRUE(fields.add(name, "y")) << name;
    }
    fields.add_cookie("a", "1 2");
    fields.add_accept_encoding();
    fields.add_form_type();
    fields.add_content_length(7);
    EXPECT_EQ(text_of(fields),
              ":method=POST;:scheme=https;:authority=h:8443;:path=/x;x-a=1;cookie=a=1%202;"
              "accept-encoding=gzip, deflate, br, zstd;"
              "content-type=application/x-www-form-urlencoded;content-length=7;");
}

TEST(RequestFields, TheApplicationsOwnFieldsStay) {
    RequestFields fields;
    ASSERT_TRUE(fields.begin("GET", "/", {"h", 80, Scheme::kHttp}));
    EXPECT_TRUE(fields.add("Host", "other"));
    EXPECT_TRUE(fields.add("Accept-Encoding", "br"));
    EXPECT_TRUE(fields.add("Content-Type", "a/b"));
    fields.add_accept_encoding();
    fields.add_form_type();
    EXPECT_EQ(text_of(fields),
              ":method=GET;:scheme=http;:authority=other;:path=/;accept-encoding=br;"
              "content-type=a/b;");
}

TEST(RequestFields, WhatIsNotValidIsRefused) {
    RequestFields fields;
    EXPECT_FALSE(fields.begin("GE T", "/", {"h", 80, Scheme::kHttp}));
    EXPECT_FALSE(fields.begin("GET", "/a b", {"h", 80, Scheme::kHttp}));
    ASSERT_TRUE(fields.begin("GET", "/", {"h", 80, Scheme::kHttp}));
    EXPECT_FALSE(fields.add("a b", "c"));
    EXPECT_FALSE(fields.add("a", "b\r\nc"));
    EXPECT_FALSE(fields.add("a", std::string("b\0c", 3)));
}

}  // namespace
}  // namespace stampede::client::http2
