#include "client/http2/connection.h"

#include <gtest/gtest.h>
#include <nghttp2/nghttp2.h>

#include <map>
#include <string>

#include "client/http2/request_fields.h"

namespace stampede::client::http2 {
namespace {

using proto::http2::BodyEnd;
using proto::http2::Field;

// The server's side: nghttp2 itself.
struct Server {
    Server() {
        nghttp2_session_callbacks* callbacks = nullptr;
        nghttp2_session_callbacks_new(&callbacks);
        nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
        nghttp2_session_server_new(&session, callbacks, this);
        nghttp2_session_callbacks_del(callbacks);
        nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, nullptr, 0);
    }
    ~Server() { nghttp2_session_del(session); }

    static int on_header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name,
                         size_t name_size, const uint8_t* value, size_t value_size, uint8_t,
                         void* user) {
        std::string& text = static_cast<Server*>(user)->requests[frame->hd.stream_id];
        text.append(reinterpret_cast<const char*>(name), name_size).append("=");
        text.append(reinterpret_cast<const char*>(value), value_size).append(";");
        return 0;
    }

    static ssize_t read(nghttp2_session*, int32_t id, uint8_t* out, size_t capacity,
                        uint32_t* flags, nghttp2_data_source*, void* user) {
        auto& self = *static_cast<Server*>(user);
        std::string& body = self.bodies[id];
        size_t count = std::min(capacity, body.size());
        if (count == 0 && self.open.contains(id)) {
            return NGHTTP2_ERR_DEFERRED;
        }
        body.copy(reinterpret_cast<char*>(out), count);
        body.erase(0, count);
        if (body.empty() && !self.open.contains(id)) {
            *flags |= NGHTTP2_DATA_FLAG_EOF;
        }
        return static_cast<ssize_t>(count);
    }

    static nghttp2_nv field(std::string_view name, std::string_view value) {
        return {reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
                reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())), name.size(),
                value.size(), NGHTTP2_NV_FLAG_NONE};
    }

    void respond(int32_t id, std::string body, std::string_view coding = "identity") {
        bodies[id] = std::move(body);
        nghttp2_nv fields[] = {field(":status", "200"), field("content-encoding", coding)};
        nghttp2_data_provider provider{};
        provider.read_callback = read;
        EXPECT_EQ(nghttp2_submit_response(session, id, fields, 2, &provider), 0);
    }

    void go_on(int32_t id, std::string_view more) {
        bodies[id] += more;
        nghttp2_session_resume_data(session, id);
    }

    nghttp2_session* session = nullptr;
    std::map<int32_t, std::string> requests;
    std::map<int32_t, std::string> bodies;
    std::map<int32_t, bool> open;  // more of the body follows
};

struct Both {
    explicit Both(const Limits& given = {}) : limits(given) {
        client = Connection::create({}, limits);
        talk();
    }

    void talk() {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::string_view bytes = client->pending(); !bytes.empty();
                 bytes = client->pending()) {
                moved = true;
                EXPECT_GE(nghttp2_session_mem_recv(server.session,
                                                   reinterpret_cast<const uint8_t*>(bytes.data()),
                                                   bytes.size()),
                          0);
            }
            const uint8_t* bytes = nullptr;
            for (ssize_t size = 0; (size = nghttp2_session_mem_send(server.session, &bytes)) > 0;) {
                moved = true;
                EXPECT_TRUE(client->feed(
                    {reinterpret_cast<const char*>(bytes), static_cast<size_t>(size)}));
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
};

TEST(Http2Connection, AResponseIsReadyWhenItIsWhole) {
    Both both;
    int32_t id = both.get("/x");
    EXPECT_EQ(both.server.requests[id], ":method=GET;:scheme=http;:authority=h;:path=/x;");
    EXPECT_EQ(both.client->next_ready(Wanted::kAnything), 0);
    both.server.open[id] = true;
    both.server.respond(id, "he");
    both.talk();
    EXPECT_EQ(both.client->next_ready(Wanted::kAnything), 0);
    both.server.open.erase(id);
    both.server.go_on(id, "llo");
    both.talk();
    ASSERT_EQ(both.client->next_ready(Wanted::kComplete), id);
    EXPECT_EQ(both.client->response(id).status, 200);
    EXPECT_EQ(both.client->response(id).error, 0u);
    EXPECT_TRUE(both.client->response(id).done);
    EXPECT_EQ(both.take(id), "hello");
    EXPECT_FALSE(both.client->awaits_responses());
}

TEST(Http2Connection, PiecesAreReadyAtOnceForThoseThatTakeThem) {
    Both both;
    int32_t id = both.get("/", Taking::kInPieces);
    both.server.open[id] = true;
    both.server.respond(id, "one");
    both.talk();
    EXPECT_EQ(both.client->next_ready(Wanted::kComplete), 0);
    ASSERT_EQ(both.client->next_ready(Wanted::kAnything), id);
    EXPECT_FALSE(both.client->response(id).done);
    EXPECT_EQ(both.take(id), "one");
    EXPECT_EQ(both.client->next_ready(Wanted::kAnything), 0);
    both.server.open.erase(id);
    both.server.go_on(id, "two");
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
    both.server.open[id] = true;  // the server would go on
    both.server.respond(id, "no gzip", "gzip");
    both.talk();
    ASSERT_EQ(both.client->next_ready(Wanted::kComplete), id);
    EXPECT_EQ(both.client->response(id).error, static_cast<uint32_t>(NGHTTP2_CANCEL));
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
    nghttp2_submit_rst_stream(both.server.session, NGHTTP2_FLAG_NONE, id, NGHTTP2_REFUSED_STREAM);
    nghttp2_submit_goaway(both.server.session, NGHTTP2_FLAG_NONE, id, NGHTTP2_ENHANCE_YOUR_CALM,
                          nullptr, 0);
    both.talk();
    ASSERT_EQ(both.client->next_ready(Wanted::kComplete), id);
    EXPECT_EQ(both.client->response(id).error, static_cast<uint32_t>(NGHTTP2_REFUSED_STREAM));
    EXPECT_TRUE(both.client->going_away());
    EXPECT_EQ(both.client->goaway_error(), static_cast<uint32_t>(NGHTTP2_ENHANCE_YOUR_CALM));
    EXPECT_EQ(both.client->last_seen_stream(), id);
}

TEST(Http2Connection, WhatIsNoHttp2EndsIt) {
    Both both;
    both.client->feed("HTTP/1.1 400 Bad Request\r\n\r\n");
    while (!both.client->pending().empty()) {  // a GOAWAY
    }
    EXPECT_TRUE(both.client->session().finished());
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
