// What every session with responses promises to peers, handlers and the service, whatever it
// speaks: the same tests for HTTP/1 and HTTP/2, on connections in memory.
#include <gtest/gtest.h>

#include "contract/server/http2_frames.h"
#include "contract/server/memory_server.h"
#include "server/http_session.h"

namespace stampede::testing {
namespace {

enum class Protocol : uint8_t { kHttp1, kHttp2 };

server::ServiceSettings settings_for(Protocol protocol) {
    server::ServiceSettings settings;
    settings.limits.body_bytes = 100;
    settings.max_requests = 2;
    settings.http2.ports = {protocol == Protocol::kHttp2};
    return settings;
}

// A server, and a peer that asks in the protocol of the test.
class HttpSessionContract : public ::testing::TestWithParam<Protocol> {
protected:
    HttpSessionContract() : server_(settings_for(GetParam())), client_(server_.connect()) {
        if (http2()) {
            client_.send(http2::greeting());
        }
    }

    static bool http2() { return GetParam() == Protocol::kHttp2; }

    // A request with a body of `announced` bytes, of which these come now.
    void ask(std::string_view method, std::string_view body = {}, size_t announced = 0) {
        announced = std::max(announced, body.size());
        if (!http2()) {
            std::string length =
                announced > 0 ? "Content-Length: " + std::to_string(announced) + "\r\n" : "";
            send(std::string(method) + " / HTTP/1.1\r\nHost: a\r\n" + length + "\r\n" +
                 std::string(body));
            return;
        }
        stream_ += 2;
        std::string head = http2::field(":method", method) + "\x86\x84" + http2::field("host", "a");
        if (announced > 0) {
            head += http2::field("content-length", std::to_string(announced));
        }
        char flags = http2::kEndHeaders;
        send(http2::frame(http2::kHeaders, announced > 0 ? flags : flags | http2::kEndStream,
                          stream_, head));
        if (!body.empty()) {
            send_more(body, body.size() == announced);
        }
    }

    void send_more(std::string_view body, bool last) {
        send(http2() ? http2::frame(http2::kData, last ? http2::kEndStream : 0, stream_, body)
                     : std::string(body));
    }

    void send(std::string_view bytes) {
        client_.send(bytes);
        receive();
    }
    void receive() {
        client_.pump();
        out_ += client_.take();
    }

    // The bytes of the newest response's body.
    std::string body() const {
        if (!http2()) {
            size_t end = out_.rfind("\r\n\r\n");
            return end == out_.npos ? std::string() : out_.substr(end + 4);
        }
        std::string text;
        each_frame([&](char type, char, int32_t stream, std::string_view payload) {
            text += type == http2::kData && stream == stream_ ? payload : std::string_view();
        });
        return text;
    }

    // The peer can tell that the newest response is not what was promised.
    bool is_cut_off() const {
        return http2() ? http2::count_frames(out_, http2::kReset, stream_) == 1 : !client_.open();
    }

    // The peer was told that it brings nothing new, or the connection is gone.
    bool is_sent_away() const {
        return http2() ? http2::count_frames(out_, http2::kGoaway, 0) > 0
                       : !client_.open() || client_.peer->got_end;
    }

    // The next request stays with the test.
    void keep_requests() {
        server_.handler.response = [this](server::Exchange& exchange) {
            exchange.hold();
            kept_ = &exchange;
        };
    }
    void release() { std::exchange(kept_, nullptr)->release(); }

    shm::WorkerLine& line() { return server_.board->line(0); }
    net::Session& session() { return client_.connection()->session(); }

    MemoryServer server_;
    MemoryServer::Client client_;
    std::string out_;
    server::Exchange* kept_ = nullptr;
    int32_t stream_ = -1;

private:
    template <typename Visit>
    void each_frame(Visit&& visit) const {
        std::string_view rest = out_;
        while (rest.size() >= 9) {
            auto byte = [&](size_t at) { return static_cast<uint8_t>(rest[at]); };
            size_t length = size_t{byte(0)} << 16 | size_t{byte(1)} << 8 | byte(2);
            visit(rest[3], rest[4], byte(8), rest.substr(9, length));
            rest.remove_prefix(std::min(rest.size(), 9 + length));
        }
    }
};

TEST_P(HttpSessionContract, AResponseIsCountedAndItsExchangeGoesBack) {
    ask("GET");
    EXPECT_EQ(body(), "hello");
    EXPECT_EQ(server_.handler.handled, 1);
    EXPECT_EQ(line().requests.get(), 1u);
    EXPECT_EQ(line().responses.get(), 1u);
    EXPECT_EQ(line().concurrency.get(), 0u);
    EXPECT_EQ(server_.service->exchanges().in_use(), 0u);
}

TEST_P(HttpSessionContract, TheHostHearsOfMaxRequestsOnce) {
    ask("GET");
    EXPECT_EQ(server_.host.exhaustions, 0);
    ask("GET");
    ask("GET");
    EXPECT_EQ(server_.handler.handled, 3);
    EXPECT_EQ(server_.host.exhaustions, 1);
}

TEST_P(HttpSessionContract, NoMoreThanPromisedIsSent) {
    server_.handler.response = [](server::Exchange& exchange) {
        exchange.send_head({}, 3);
        exchange.send_body("12");
        exchange.send_body("345");
        EXPECT_EQ(exchange.response_bytes(), 3u);
        EXPECT_TRUE(exchange.finish());
    };
    ask("GET");
    EXPECT_EQ(body(), "123");
    EXPECT_FALSE(is_cut_off());
}

TEST_P(HttpSessionContract, LessThanPromisedIsNotTakenForTheWhole) {
    server_.handler.response = [](server::Exchange& exchange) {
        exchange.send_head({}, 5);
        exchange.send_body("12");
        exchange.finish();
    };
    ask("GET");
    EXPECT_TRUE(is_cut_off());
    EXPECT_EQ(server_.service->exchanges().in_use(), 0u);
}

TEST_P(HttpSessionContract, AHeadRequestHasNoBody) {
    ask("HEAD");
    EXPECT_EQ(body(), "");
    EXPECT_FALSE(is_cut_off());
    EXPECT_EQ(line().responses.get(), 1u);
}

TEST_P(HttpSessionContract, AnAbortedResponseIsCutOff) {
    server_.handler.response = [](server::Exchange& exchange) {
        exchange.send_head({}, server::kUnknownLength);
        exchange.send_body("half");
        exchange.abort();
        EXPECT_FALSE(exchange.send_body("more"));
        EXPECT_FALSE(exchange.finish());
    };
    ask("GET");
    EXPECT_TRUE(is_cut_off());
    EXPECT_EQ(line().aborted.get(), 1u);
    EXPECT_EQ(line().responses.get(), 0u);
    EXPECT_EQ(line().concurrency.get(), 0u);
}

TEST_P(HttpSessionContract, ABodyThatIsTooLongIsRefusedWithoutTheHandler) {
    ask("POST", "short", 101);
    EXPECT_EQ(server_.handler.handled, 0);
    EXPECT_NE(body(), "");
    EXPECT_EQ(line().concurrency.get(), 0u);
    EXPECT_EQ(server_.service->exchanges().in_use(), 0u);
}

TEST_P(HttpSessionContract, WhoWaitsIsToldThatThePeerIsGone) {
    keep_requests();
    ListNode writer;
    int lost = 0;
    server_.handler.lost = [&](server::Exchange& exchange) {
        EXPECT_EQ(exchange.connection(), nullptr);
        lost++;
    };
    ask("GET");
    ASSERT_NE(kept_, nullptr);
    kept_->writers.push_back(writer);
    client_.peer->reset = true;
    client_.pump();
    EXPECT_FALSE(client_.open());
    EXPECT_EQ(lost, 1);
    EXPECT_FALSE(kept_->finish());
    EXPECT_EQ(line().concurrency.get(), 0u);
    writer.unlink();
    release();
    EXPECT_EQ(server_.service->exchanges().in_use(), 0u);
}

TEST_P(HttpSessionContract, AReaderIsToldOfTheEndOfItsResponse) {
    keep_requests();
    server_.handler.begins = [](server::Exchange& exchange) { exchange.body.stream(); };
    int arrived = 0;
    server_.handler.arrived = [&](server::Exchange&) { arrived++; };
    ask("POST", "some", 50);
    ASSERT_NE(kept_, nullptr);
    EXPECT_EQ(kept_->body.view(), "some");
    EXPECT_FALSE(kept_->body.whole());
    ListNode reader;
    kept_->readers.push_back(reader);
    arrived = 0;
    response_with(*kept_, "enough");
    EXPECT_EQ(arrived, 1);
    reader.unlink();
    receive();
    EXPECT_EQ(body(), "enough");
    release();
}

TEST_P(HttpSessionContract, AStreamedBodyComesToItsEnd) {
    keep_requests();
    server_.handler.begins = [](server::Exchange& exchange) { exchange.body.stream(); };
    server_.handler.arrived = [](server::Exchange&) {};
    ask("POST", "first", 10);
    ASSERT_NE(kept_, nullptr);
    kept_->consume_body(5);
    EXPECT_EQ(kept_->body.view(), "");
    send_more("rest.", true);
    EXPECT_EQ(kept_->body.view(), "rest.");
    EXPECT_TRUE(kept_->body.whole());
    response_with(*kept_, "done");
    release();
    receive();
    EXPECT_EQ(body(), "done");
    EXPECT_TRUE(client_.open());
}

TEST_P(HttpSessionContract, ItIsIdleBetweenRequests) {
    keep_requests();
    EXPECT_TRUE(session().idle());
    ask("GET");
    EXPECT_FALSE(session().idle());
    response_with(*kept_, "done");
    release();
    receive();
    EXPECT_TRUE(session().idle());
}

TEST_P(HttpSessionContract, AnIdleConnectionGoesWhenTheWorkerDrains) {
    ask("GET");
    server_.service->drain();
    server_.service->connections().close_idle(server::ConnectionTable::Idle::kAll);
    receive();
    EXPECT_TRUE(is_sent_away());
    client_.peer->ended = true;
    client_.pump();
    EXPECT_FALSE(client_.open());
    EXPECT_EQ(server_.handler.closed_count, 1);
}

TEST_P(HttpSessionContract, ADrainingWorkerStillResponds) {
    keep_requests();
    ask("GET");
    server_.service->drain();
    server_.service->connections().close_idle(server::ConnectionTable::Idle::kAll);
    receive();
    ASSERT_TRUE(client_.open());
    response_with(*kept_, "the last");
    release();
    receive();
    EXPECT_EQ(body(), "the last");
    EXPECT_TRUE(is_sent_away());
}

TEST_P(HttpSessionContract, TheTableFindsTheRequestThatWaits) {
    keep_requests();
    ask("GET");
    kept_->set_detached(true);
    server::HttpSession* found = server_.service->connections().find_http(client_.id);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->open_exchange({}), kept_);
    response_with(*kept_, "done");
    release();
    receive();
    EXPECT_EQ(found->open_exchange({}), nullptr);
    EXPECT_EQ(server_.service->connections().find_stream(client_.id), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Server, HttpSessionContract,
                         ::testing::Values(Protocol::kHttp1, Protocol::kHttp2),
                         [](const ::testing::TestParamInfo<Protocol>& info) {
                             return info.param == Protocol::kHttp1 ? "Http1" : "Http2";
                         });

}  // namespace
}  // namespace stampede::testing
