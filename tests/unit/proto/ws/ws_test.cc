#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <vector>

#include "proto/ws/handshake.h"
#include "proto/ws/reader.h"
#include "proto/ws/writer.h"

namespace stampede::proto::ws {
namespace {

using Kind = ReadEvent::Kind;

std::string frame(FrameHeader header, std::string_view payload) {
    Buffer out;
    append_frame(out, header, payload);
    return std::string(out.view());
}

// What a client sends.
std::string masked(uint8_t opcode, std::string_view payload, bool fin = true, uint8_t rsv = 0) {
    FrameHeader header{opcode, fin, rsv, true, {1, 2, 3, 4}};
    return frame(header, payload);
}

struct Seen {
    Kind kind;
    uint8_t opcode;
    uint16_t code;
    std::string payload;
    bool operator==(const Seen&) const = default;
};

std::vector<Seen> read(std::string_view bytes, size_t piece, Deflate* deflate = nullptr,
                       ReadLimits limits = {}) {
    Reader reader(Role::kServer, limits, deflate);
    Buffer in;
    std::vector<Seen> seen;
    while (!bytes.empty()) {
        in.append(bytes.substr(0, piece));
        bytes.remove_prefix(std::min(piece, bytes.size()));
        for (;;) {
            ReadEvent event = reader.next(in);
            if (event.kind == Kind::kNeedMore) {
                break;
            }
            seen.push_back({event.kind, event.opcode, event.code, std::string(event.payload)});
            if (event.kind == Kind::kBad || event.kind == Kind::kClose) {
                return seen;
            }
        }
    }
    return seen;
}

uint16_t bad_code(std::string_view bytes, Deflate* deflate = nullptr, ReadLimits limits = {}) {
    std::vector<Seen> seen = read(bytes, bytes.size(), deflate, limits);
    return !seen.empty() && seen.back().kind == Kind::kBad ? seen.back().code : 0;
}

TEST(WsFrame, MaskIsItsOwnInverseFromAnyOffset) {
    const unsigned char mask[4] = {0xde, 0xad, 0xbe, 0xef};
    for (size_t size = 0; size < 200; size++) {
        std::string text(size, 'x');
        std::string slow = text;
        for (size_t i = 0; i < size; i++) {
            slow[i] = static_cast<char>(slow[i] ^ static_cast<char>(mask[(i + size) % 4]));
        }
        apply_mask(text.data(), size, mask, size);
        ASSERT_EQ(text, slow);
    }
}

TEST(WsFrame, HeadersOfEverySizeComeBack) {
    for (uint64_t length : {0ull, 125ull, 126ull, 65535ull, 65536ull, 1ull << 40}) {
        FrameHeader header{kBinary, false, 4, true, {9, 8, 7, 6}, length};
        char bytes[kMaxHeader];
        size_t size = write_frame_header(header, bytes);
        for (size_t i = 0; i < size; i++) {
            FrameHeader out;
            ASSERT_EQ(parse_frame_header({bytes, i}, out), http::ParseStatus::kNeedMore);
        }
        FrameHeader out;
        ASSERT_EQ(parse_frame_header({bytes, size}, out), http::ParseStatus::kDone);
        EXPECT_EQ(out.length, length);
        EXPECT_EQ(out.rsv, 4);
        EXPECT_FALSE(out.fin);
        EXPECT_EQ(out.size, size);
    }
    FrameHeader out;
    EXPECT_EQ(parse_frame_header(std::string("\x82\x7e\x00\x05", 4), out), http::ParseStatus::kBad);
    EXPECT_EQ(parse_frame_header("\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xff", out),
              http::ParseStatus::kBad);
}

TEST(WsReader, PutsFragmentsTogetherAroundControlFrames) {
    std::string bytes = masked(kText, "Hel", false) + masked(kPing, "p") +
                        masked(kContinuation, "", false) + masked(kContinuation, "lo") +
                        masked(kBinary, std::string(70000, 'b')) + masked(kPong, "");
    std::vector<Seen> wanted = {{Kind::kPing, kPing, 0, "p"},
                                {Kind::kMessage, kText, 0, "Hello"},
                                {Kind::kMessage, kBinary, 0, std::string(70000, 'b')},
                                {Kind::kPong, kPong, 0, ""}};
    for (size_t piece : {size_t{1}, size_t{3}, size_t{1000}, bytes.size()}) {
        EXPECT_EQ(read(bytes, piece), wanted) << piece;
    }
}

TEST(WsReader, KnowsWhatIsMissingOfAFrameThatMayCome) {
    std::string large = masked(kBinary, std::string(70000, 'b'));
    std::string first = masked(kText, "first");
    Reader reader(Role::kServer, {100'000, 10}, nullptr);
    Buffer in;
    EXPECT_EQ(reader.missing(in), 0u);
    in.append(first + large.substr(0, 5));
    EXPECT_EQ(reader.next(in).payload, "first");
    EXPECT_EQ(reader.missing(in), 0u);  // half a header
    in.append(large.substr(5, 1000));
    EXPECT_EQ(reader.missing(in), large.size() - 1005);  // behind a message that is being read
    EXPECT_EQ(reader.next(in).kind, Kind::kNeedMore);
    EXPECT_EQ(reader.missing(in), large.size() - 1005);
    in.append(large.substr(1005));
    in.append(masked(kBinary, std::string(100'001, 'c')).substr(0, 1000));
    EXPECT_EQ(reader.missing(in), 0u);
    EXPECT_EQ(reader.next(in).kind, Kind::kMessage);
    EXPECT_EQ(reader.missing(in), 0u);  // the next is refused
    EXPECT_EQ(reader.next(in).code, kCloseTooBig);
    EXPECT_EQ(reader.missing(in), 0u);
}

TEST(WsReader, RefusesWhatTheProtocolForbids) {
    EXPECT_EQ(bad_code(frame({kText, true}, "unmasked")), 1002);
    EXPECT_EQ(bad_code(masked(3, "reserved")), 1002);
    EXPECT_EQ(bad_code(masked(11, "reserved")), 1002);
    EXPECT_EQ(bad_code(masked(kText, "a", true, 4)), 1002);  // no extension agreed on
    EXPECT_EQ(bad_code(masked(kText, "a", true, 1)), 1002);
    EXPECT_EQ(bad_code(masked(kPing, "a", false)), 1002);
    EXPECT_EQ(bad_code(masked(kPing, std::string(126, 'a'))), 1002);
    EXPECT_EQ(bad_code(masked(kContinuation, "a")), 1002);
    EXPECT_EQ(bad_code(masked(kText, "a", false) + masked(kText, "b")), 1002);
    EXPECT_EQ(bad_code(masked(kClose, "a")), 1002);
    for (int code : {0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65535}) {
        std::string payload = {static_cast<char>(code >> 8), static_cast<char>(code & 255)};
        EXPECT_EQ(bad_code(masked(kClose, payload)), 1002) << code;
    }
    EXPECT_EQ(bad_code(masked(kClose, "\x03\xe8\xff")), 1007);
}

TEST(WsReader, ChecksUtf8AlsoAcrossFragments) {
    for (const char* text : {"\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "\xe2\x82"}) {
        EXPECT_EQ(bad_code(masked(kText, text)), 1007);
        EXPECT_EQ(bad_code(masked(kBinary, text)), 0);
    }
    EXPECT_EQ(bad_code(masked(kText, "\xe2\x82", false) + masked(kContinuation, "\xac")), 0);
    EXPECT_EQ(bad_code(masked(kText, "a\xff", false)), 1007);  // the rest need not come
    EXPECT_EQ(bad_code(masked(kText, "\xe2\x82", false) + masked(kContinuation, "x")), 1007);
}

TEST(WsReader, LimitsMessages) {
    ReadLimits limits{1000, 10};
    EXPECT_EQ(bad_code(masked(kBinary, std::string(1001, 'a')), nullptr, limits), 1009);
    EXPECT_EQ(bad_code(masked(kBinary, std::string(600, 'a'), false) +
                           masked(kContinuation, std::string(401, 'a')),
                       nullptr, limits),
              1009);
    // The declared length alone is enough.
    EXPECT_EQ(bad_code("\x82\xff" + std::string("\x40\0\0\0\0\0\0\0", 8) + "mask", nullptr, limits),
              1009);
    std::string many = masked(kText, "", false);
    for (int i = 0; i < 20; i++) {
        many += masked(kContinuation, "", false);
    }
    EXPECT_EQ(bad_code(many, nullptr, limits), 1009);
}

TEST(WsReader, FragmentsAreLimitedByWhatTheyAddNotByTheirNumber) {
    constexpr size_t kPiece = 64;
    constexpr size_t kCount = (4u << 20) / kPiece;
    std::string piece(kPiece, 'x');
    std::string bytes = masked(kText, "", false);
    for (size_t i = 0; i < kCount; i++) {
        bytes += masked(kContinuation, piece, false);
    }
    bytes += masked(kContinuation, "");
    std::vector<Seen> seen = read(bytes, 64 * 1024);
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(seen[0].kind, Kind::kMessage);
    EXPECT_TRUE(seen[0].payload == std::string(kPiece * kCount, 'x'));
}

TEST(WsReader, CompressedFragmentsFromWhichNothingComesAreLimited) {
    const std::string empty_block("\x00\x00\x00\xff\xff", 5);
    std::string blocks;
    for (int i = 0; i < 200; i++) {
        blocks += empty_block;
    }
    auto deflate = Deflate::create(Role::kServer, {}, -1);
    ReadLimits limits{1000, 10};
    std::string many = masked(kText, blocks, false, 4) + masked(kContinuation, "", false) +
                       masked(kContinuation, "");
    EXPECT_EQ(bad_code(many, deflate.get(), limits), 1009) << "by their size";
    deflate = Deflate::create(Role::kServer, {}, -1);
    many = masked(kText, empty_block, false, 4);
    for (int i = 0; i < 20; i++) {
        many += masked(kContinuation, empty_block, false);
    }
    EXPECT_EQ(bad_code(many, deflate.get(), limits), 1009) << "by their number";
}

TEST(WsReader, CloseCarriesCodeAndReason) {
    auto seen = read(masked(kClose,
                            "\x03\xe8"
                            "bye") +
                         masked(kText, "late"),
                     1000);
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(seen[0], (Seen{Kind::kClose, kClose, 1000, "bye"}));
    EXPECT_EQ(read(masked(kClose, ""), 1000)[0].code, kCloseNoStatus);
}

TEST(WsDeflate, MessagesGoThroughWithAndWithoutContext) {
    for (bool forget : {false, true}) {
        for (uint8_t bits : {9, 15}) {
            DeflateTerms terms{forget, forget, bits, bits};
            auto client = Deflate::create(Role::kClient, terms, -1);
            auto server = Deflate::create(Role::kServer, terms, -1);
            for (const std::string& text :
                 {std::string("hello hello hello"), std::string(), std::string(200000, 'z'),
                  std::string("hello hello hello")}) {
                Buffer coded;
                ASSERT_TRUE(client->compress(text, coded));
                std::string all(coded.view());
                size_t half = all.size() / 2;
                std::string bytes = masked(kText, all.substr(0, half), false, 4) +
                                    masked(kContinuation, all.substr(half));
                auto seen = read(bytes, bytes.size(), server.get());
                ASSERT_EQ(seen.size(), 1u);
                EXPECT_EQ(seen[0].payload, text);
            }
        }
    }
}

// Talks both ways and lets the server's end rest wherever `rests` says so.
void talk(const DeflateTerms& terms, size_t rests_in) {
    auto client = Deflate::create(Role::kClient, terms, -1);
    auto server = Deflate::create(Role::kServer, terms, -1);
    std::string far;  // longer than the window, so that all of it is referred to
    for (uint32_t i = 0; far.size() < 100'000; i++) {
        far += std::to_string(i * 2654435761u);
    }
    for (size_t i = 0; i < 60; i++) {
        std::string text = i % 3 == 0 ? far.substr(i * 700, 20'000) : std::string(i, 'a');
        Buffer coded;
        ASSERT_TRUE(client->compress(text, coded));
        std::string all(coded.view());
        Buffer plain;
        ASSERT_EQ(server->expand(all.substr(0, i), Deflate::Part::kMore, 1u << 20, plain),
                  InflateStatus::kFine);
        if (i % rests_in == 0) {
            server->rest();  // in the middle of a message
        }
        ASSERT_EQ(server->expand(all.substr(std::min(i, all.size())), Deflate::Part::kLast,
                                 1u << 20, plain),
                  InflateStatus::kFine);
        ASSERT_EQ(plain.view(), text) << i;
        if (i % rests_in == 0) {
            server->rest();
        }
        Buffer response;
        ASSERT_TRUE(server->compress(text, response));
        Buffer arrived;
        ASSERT_EQ(client->expand(response.view(), Deflate::Part::kLast, 1u << 20, arrived),
                  InflateStatus::kFine);
        ASSERT_EQ(arrived.view(), text) << i;
    }
}

TEST(WsDeflate, WhatRestsGoesOnAsIfItHadNot) {
    for (bool forget : {false, true}) {
        for (uint8_t bits : {9, 15}) {
            for (size_t rests_in : {1, 2, 7}) {
                talk({forget, forget, bits, bits}, rests_in);
            }
        }
    }
    EXPECT_EQ(deflate_memory().used(), 0u);
}

TEST(WsDeflate, ConnectionsShareTheirMemory) {
    constexpr size_t kMost = 4u << 20;
    deflate_memory().set_most(kMost);
    std::vector<std::unique_ptr<Deflate>> clients;
    std::vector<std::unique_ptr<Deflate>> servers;
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < 100; i++) {
            if (round == 0) {
                clients.push_back(Deflate::create(Role::kClient, {}, -1));
                servers.push_back(Deflate::create(Role::kServer, {}, -1));
            }
            std::string text = "connection " + std::to_string(i) + " says what it has always said";
            Buffer coded;
            ASSERT_TRUE(clients[i]->compress(text, coded));
            Buffer plain;
            ASSERT_EQ(servers[i]->expand(coded.view(), Deflate::Part::kLast, 1000, plain),
                      InflateStatus::kFine);
            EXPECT_EQ(plain.view(), text);
            EXPECT_LE(deflate_memory().used(), kMost);
        }
    }
    deflate_memory().trim();
    EXPECT_GT(deflate_memory().used(), 0u);  // the last ones have just spoken
    deflate_memory().trim();
    EXPECT_EQ(deflate_memory().used(), 0u);
    deflate_memory().set_most(DeflateMemory::kUsual);
}

std::string with_final_block(std::string_view text) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
    std::string out(text.size() + 100, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

TEST(WsDeflate, MessagesMayEndWithAFinalBlock) {
    std::string text = "hello hello hello";
    std::string coded = with_final_block(text);
    for (bool forget : {false, true}) {
        for (const char* empty_block : {"", "with"}) {
            DeflateTerms terms{forget, forget, 15, 15};
            auto client = Deflate::create(Role::kClient, terms, -1);
            auto server = Deflate::create(Role::kServer, terms, -1);
            std::string message = coded;
            if (*empty_block != 0) {
                message += '\0';
            }
            Buffer usual;
            ASSERT_TRUE(client->compress("the usual form", usual));
            std::string bytes = masked(kText, message, true, 4) + masked(kText, message, true, 4) +
                                masked(kText, message.substr(0, 3), false, 4) +
                                masked(kContinuation, message.substr(3), false) +
                                masked(kContinuation, "") + masked(kText, usual.view(), true, 4) +
                                masked(kText, message, true, 4);
            std::vector<Seen> seen = read(bytes, bytes.size(), server.get());
            ASSERT_EQ(seen.size(), 5u) << forget << empty_block;
            for (size_t i : {0u, 1u, 2u, 4u}) {
                EXPECT_EQ(seen[i].payload, text) << forget << empty_block << i;
            }
            EXPECT_EQ(seen[3].payload, "the usual form");
        }
    }
    EXPECT_EQ(bad_code(masked(kText, with_final_block("\xff"), true, 4),
                       Deflate::create(Role::kServer, {}, -1).get()),
              1007);
}

TEST(WsDeflate, ABombEndsAtTheLimit) {
    auto client = Deflate::create(Role::kClient, {}, 9);
    auto server = Deflate::create(Role::kServer, {}, 9);
    Buffer coded;
    ASSERT_TRUE(client->compress(std::string(32 << 20, '\0'), coded));
    EXPECT_EQ(bad_code(masked(kBinary, coded.view(), true, 4), server.get()), 1009);
    EXPECT_EQ(bad_code(masked(kBinary, "\xff\xff\xff\xff", true, 4),
                       Deflate::create(Role::kServer, {}, 9).get()),
              1007);
}

TEST(WsDeflate, OffersAndResponses) {
    DeflateTerms terms;
    std::string response;
    EXPECT_TRUE(
        accept_deflate_offer("x; y, permessage-deflate; server_max_window_bits=10; "
                             "client_max_window_bits, permessage-deflate",
                             terms, response));
    EXPECT_EQ(response, "permessage-deflate; server_max_window_bits=10");
    EXPECT_EQ(terms.server_bits, 10);
    for (const char* offer :
         {"", "permessage-deflate; unknown", "permessage-deflate; server_max_window_bits=16",
          "permessage-deflate; server_max_window_bits=7",
          "permessage-deflate; server_max_window_bits",
          "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
          "permessage-deflate; server_no_context_takeover=1", "permessage-foo"}) {
        EXPECT_FALSE(accept_deflate_offer(offer, terms, response)) << offer;
    }
    EXPECT_TRUE(read_deflate_response("permessage-deflate; client_no_context_takeover", terms));
    EXPECT_TRUE(terms.client_no_context);
    EXPECT_FALSE(read_deflate_response("permessage-deflate; client_max_window_bits", terms));
    EXPECT_FALSE(read_deflate_response("permessage-foo", terms));
    std::string long_offer = "permessage-deflate" + std::string(100000, ' ') + "; a";
    EXPECT_FALSE(accept_deflate_offer(long_offer, terms, response));
}

TEST(WsHandshake, KnownAccept) {
    char out[kAcceptLength];
    make_accept("dGhlIHNhbXBsZSBub25jZQ==", out);
    EXPECT_EQ(std::string(out, sizeof(out)), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    EXPECT_TRUE(valid_key("dGhlIHNhbXBsZSBub25jZQ=="));
    EXPECT_FALSE(valid_key("dGhlIHNhbXBsZSBub25jZQ"));
    EXPECT_FALSE(valid_key("dGhlIHNhbXBsZSBub25jZ==="));
}

TEST(WsWriter, CloseReasonsAreCutAtACharacter) {
    char out[kMaxControlPayload];
    std::string reason(122, 'a');
    reason += "\xe2\x82\xac";
    std::string_view payload = make_close_payload(1000, reason, out);
    EXPECT_EQ(payload.size(), 124u);
    EXPECT_TRUE(make_close_payload(kCloseNoStatus, "x", out).empty());
}

}  // namespace
}  // namespace stampede::proto::ws
