// Content codings of responses: what is worth it, what the peer takes, and encoders that are used
// again. Owned by the service; loop thread; never parks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proto/coding/encoder.h"
#include "server/exchange.h"

namespace stampede::server {

struct CompressionSettings {
    bool enabled = false;
    int level = 1;
    uint64_t min_length = 20;
    std::vector<std::string> types;  // media types; none: those that are worth it
};

// Whether bodies of this media type are worth compressing.
bool is_compressible(std::string_view type);

class Compression {
public:
    explicit Compression(const CompressionSettings& settings) : settings_(settings) {}

    // Whether a response of this type and length may be coded, for a peer that takes it: caches
    // must be told then (Vary).
    bool applies_to(int status, std::string_view type, uint64_t length) const;
    // The coding that this peer likes best; kIdentity: none.
    static proto::coding::Coding coding_for(const Exchange& exchange);
    static proto::coding::Coding coding_for(const proto::http::RequestHead& head, const char* base);

    struct Lease {
        std::unique_ptr<proto::coding::Encoder> encoder;
        proto::coding::Coding coding = proto::coding::Coding::kIdentity;
        proto::coding::Encoder::Size size = proto::coding::Encoder::Size::kAny;
    };
    // length: of the body, kUnknownLength for one in pieces.
    Lease take(proto::coding::Coding coding, uint64_t length);
    void give_back(Lease lease);

private:
    static constexpr size_t kSpare = 4;

    CompressionSettings settings_;
    std::vector<Lease> spare_;
};

}  // namespace stampede::server
