#include "proto/http2/session.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace stampede::proto::http2 {
namespace {

// One side of a connection, and what it has heard.
struct Side {
    explicit Side(Role role, const Settings& settings = {}) {
        Events events;
        events.self = this;
        events.on_field = [](void* self, int32_t id, const Field& field) {
            static_cast<Side*>(self)->said[id] +=
                std::string(field.name) + "=" + std::string(field.value) + ";";
        };
        events.on_body = [](void* self, int32_t id, std::string_view bytes) {
            static_cast<Side*>(self)->bodies[id] += bytes;
        };
        events.on_end = [](void* self, int32_t id, uint32_t error) {
            static_cast<Side*>(self)->ended[id] = static_cast<int>(error);
        };
        events.on_peer_end = [](void* self, int32_t id) {
            static_cast<Side*>(self)->peer_ended[id] = true;
        };
        events.on_goaway = [](void* self, uint32_t error, int32_t) {
            static_cast<Side*>(self)->goaway = static_cast<int>(error);
        };
        events.on_ping_response = [](void* self) { static_cast<Side*>(self)->pings++; };
        session = Session::create(role, settings, events);
    }

    std::unique_ptr<Session> session;
    std::map<int32_t, std::string> said;
    std::map<int32_t, std::string> bodies;
    std::map<int32_t, int> ended;
    std::map<int32_t, bool> peer_ended;
    int goaway = -1;
    int pings = 0;
};

bool carry(Side& from, Side& to) {
    bool moved = false;
    for (std::string_view bytes = from.session->pending(); !bytes.empty();
         bytes = from.session->pending()) {
        moved = true;
        EXPECT_TRUE(to.session->feed(bytes));
    }
    return moved;
}

void talk(Side& client, Side& server) {
    while (carry(client, server) || carry(server, client)) {
    }
}

const std::vector<Field> kGet = {
    {":method", "GET"}, {":scheme", "http"}, {":authority", "a"}, {":path", "/"}, {"x", "y"}};

TEST(Http2Session, CarriesRequestsWithBodiesOfAnySize) {
    Side client(Role::kClient);
    Side server(Role::kServer);
    int32_t small = client.session->request(kGet, BodyEnd::kLast);
    int32_t large = client.session->request(kGet, BodyEnd::kMore);
    EXPECT_EQ(small, 1);
    EXPECT_EQ(large, 3);
    talk(client, server);
    EXPECT_EQ(server.said[1], ":method=GET;:scheme=http;:authority=a;:path=/;x=y;");
    EXPECT_TRUE(server.peer_ended[1]);
    EXPECT_FALSE(server.peer_ended[3]);
    std::string body(3 << 20, 'b');  // more than the windows
    EXPECT_TRUE(client.session->write(3, body, BodyEnd::kMore));
    talk(client, server);
    EXPECT_TRUE(client.session->write(3, "end", BodyEnd::kLast));
    EXPECT_FALSE(client.session->write(3, "late", BodyEnd::kLast));
    talk(client, server);
    EXPECT_EQ(server.bodies[3], body + "end");
    EXPECT_TRUE(server.peer_ended[3]);
    EXPECT_TRUE(client.session->exists(3));
    EXPECT_EQ(client.session->last_stream(), 3);
}

TEST(Http2Session, ResetsPingsAndGoaway) {
    Side client(Role::kClient);
    Side server(Role::kServer);
    client.session->request(kGet, BodyEnd::kLast);
    talk(client, server);
    server.session->reset(1, 7);
    client.session->ping();
    talk(client, server);
    EXPECT_EQ(client.ended[1], 7);
    EXPECT_FALSE(client.session->exists(1));
    EXPECT_EQ(client.pings, 1);
    server.session->goaway(11, "calm");
    talk(client, server);
    EXPECT_EQ(client.goaway, 11);
    EXPECT_EQ(error_name(11), "ENHANCE_YOUR_CALM");
}

TEST(Http2Session, LimitsHeadersWhileTheyAreDecoded) {
    Settings settings;
    settings.max_header_fields = 20;
    for (bool many : {false, true}) {
        Side client(Role::kClient);
        Side server(Role::kServer, settings);
        std::vector<Field> fields = kGet;
        std::string big(60000, 'x');
        if (many) {
            fields.insert(fields.end(), 30, Field{"a", "b"});
        } else {
            fields.push_back({"big", big});
            fields.push_back({"big2", big});
        }
        client.session->request(fields, BodyEnd::kLast);
        talk(client, server);
        EXPECT_NE(client.ended[1], 0) << many;
        EXPECT_FALSE(server.session->exists(1));
    }
}

TEST(Http2Session, GarbageIsRefused) {
    Side server(Role::kServer);
    EXPECT_FALSE(server.session->feed("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    Side client(Role::kClient);
    EXPECT_TRUE(client.session->feed(std::string("\0\0\0\x04\0\0\0\0\0", 9)));
    client.session->feed(std::string(100, '\xff'));
    EXPECT_TRUE(client.session->wants_write());  // a GOAWAY
}

}  // namespace
}  // namespace stampede::proto::http2
