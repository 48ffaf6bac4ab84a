#include "server/compression.h"

#include "proto/coding/accept.h"
#include "proto/http/response_rules.h"

namespace stampede::server {

using proto::coding::Coding;
using proto::coding::Encoder;
using proto::http::equals_ignoring_case;

namespace {

std::string_view media_type(std::string_view type) {
    return proto::http::trimmed(type.substr(0, type.find(';')));
}

}  // namespace

bool is_compressible(std::string_view type) {
    type = media_type(type);
    if (type.starts_with("text/") || type.ends_with("+json") || type.ends_with("+xml")) {
        return true;
    }
    constexpr std::string_view kTypes[] = {
        "application/json",
        "application/javascript",
        "application/xml",
        "application/wasm",
        "application/x-javascript",
        "application/x-ndjson",
        "application/graphql",
        "application/vnd.ms-fontobject",
        "font/ttf",
        "font/otf",
        "image/svg+xml",
        "image/bmp",
        "image/x-icon",
        "application/rtf",
    };
    for (std::string_view known : kTypes) {
        if (equals_ignoring_case(type, known)) {
            return true;
        }
    }
    return false;
}

bool Compression::applies_to(int status, std::string_view type, uint64_t length) const {
    if (!settings_.enabled || length < settings_.min_length || status == 206 ||
        !proto::http::status_has_body(status)) {
        return false;
    }
    if (settings_.types.empty()) {
        return is_compressible(type);
    }
    type = media_type(type);
    for (const std::string& wanted : settings_.types) {
        if (equals_ignoring_case(type, wanted)) {
            return true;
        }
    }
    return false;
}

Coding Compression::coding_for(const Exchange& exchange) {
    if (exchange.is_head_request()) {
        return Coding::kIdentity;
    }
    return coding_for(exchange.head, exchange.head_text.bytes());
}

Coding Compression::coding_for(const proto::http::RequestHead& head, const char* base) {
    std::string room;
    auto choice = proto::coding::choose_codings(head.list("accept-encoding", base, room));
    return choice.count > 0 ? choice.codings[0] : Coding::kIdentity;
}

Compression::Lease Compression::take(Coding coding, uint64_t length) {
    Encoder::Size size = Encoder::size_for(length);
    for (size_t i = 0; i < spare_.size(); i++) {
        if (spare_[i].coding == coding && spare_[i].size == size) {
            Lease lease = std::move(spare_[i]);
            spare_.erase(spare_.begin() + static_cast<ptrdiff_t>(i));
            return lease;
        }
    }
    return {Encoder::create(coding, settings_.level, size), coding, size};
}

void Compression::give_back(Lease lease) {
    if (lease.encoder != nullptr && spare_.size() < kSpare && lease.encoder->reset()) {
        spare_.push_back(std::move(lease));
    }
}

}  // namespace stampede::server
