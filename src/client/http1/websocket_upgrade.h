// A server's response to the opening handshake of WebSocket (RFC 6455 4.1), judged by its fields.
// Free functions; any thread, never parks.
#pragma once

#include <string_view>

#include "proto/http1/response_parser.h"
#include "proto/ws/deflate.h"

namespace stampede::client::http1 {

enum class Agreed : uint8_t {
    kPlain,
    kDeflate,       // with the terms
    kNothing,       // the status is not 101
    kBadHandshake,  // the proof is missing or wrong
    kBadExtension,  // one that was not offered
};

struct Offer {
    std::string_view key;
    bool deflate = false;
};

// base: the first byte of the head.
Agreed judge_upgrade(const proto::http1::ParsedResponseHead& head, const char* base,
                     const Offer& offer, proto::ws::DeflateTerms& terms);

}  // namespace stampede::client::http1
