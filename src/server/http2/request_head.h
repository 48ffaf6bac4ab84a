// The head of a request as its fields come over HTTP/2: counted against the limits, kept as HTTP/1
// has it (lines of text and slices into them), judged when it is complete. Pure: the text and the
// slices are the exchange's, which each call is given. Owned by its stream; loop thread; never
// parks.
#pragma once

#include <cstdint>
#include <string_view>

#include "proto/http/limits.h"
#include "proto/http/request_head.h"
#include "server/head_text.h"

namespace stampede::server {

struct Http2Settings;

// Where the head is kept.
struct HeadStore {
    proto::http::RequestHead& head;
    HeadText& text;
};

class Http2RequestHead {
public:
    enum class Protocol : uint8_t { kNone, kWebSocket, kOther };
    enum class Size : uint8_t {
        kFits,
        kTooLarge,    // it is to be refused, and nothing more of it is kept
        kFarTooLarge  // one that goes on and on is an attack
    };

    // A field came, of the head or of the trailers.
    Size count(std::string_view name, std::string_view value, const Http2Settings& limits);
    // It is one of the head.
    void add(HeadStore store, std::string_view name, std::string_view value);
    // The application sees the handshake of a WebSocket that it knows: a GET that asks for an
    // upgrade.
    void present_as_upgrade(HeadStore store);
    // The head is complete: 0, or the status of the refusal. What makes a message malformed the
    // protocol has refused already.
    int judge(HeadStore store, const proto::http::Limits& limits);

    // What a CONNECT asks for (":protocol").
    Protocol protocol() const { return protocol_; }
    bool malformed() const { return malformed_; }
    void set_malformed() { malformed_ = true; }

private:
    // How much has come, as it is counted against the limits.
    struct Sum {
        uint32_t bytes = 0;
        uint32_t count = 0;
    };

    void add_pseudo_field(HeadStore store, std::string_view name, std::string_view value);
    bool settle_host(HeadStore store);

    HeadText::Line authority_;  // as the field host
    Sum fields_;
    Sum crumbs_;  // of cookies
    Protocol protocol_ = Protocol::kNone;
    bool malformed_ = false;
};

}  // namespace stampede::server
