// A request that Request::parse() gathers from pieces, without a connection. Owned by its Request;
// PHP thread, never parks.
#pragma once

#include <memory>
#include <string>

#include "base/buffer.h"
#include "classes/http/request.h"
#include "proto/http1/chunked.h"
#include "server/compression.h"

namespace stampede::classes {

struct ParsedRequest {
public:
    // Options as Request::create() documents them.
    explicit ParsedRequest(HashTable* given);

    // How many bytes were taken, -1 when they are no request.
    int64_t take(std::string_view data);
    bool complete() const { return state_ == State::kComplete; }
    bool has_head() const { return state_ == State::kBody || complete(); }
    // The request line is known. The head then holds what has been parsed: whole lines.
    bool has_begun() const { return head_.target.length > 0 && state_ != State::kBad; }

    const proto::http::RequestHead& head() const { return head_; }
    const char* bytes() const { return head_bytes_.data(); }
    // Of the head, whether it is complete or not.
    size_t head_size() const { return has_head() ? head_.head_bytes : head_bytes_.size(); }
    std::string_view body() const { return body_.view(); }
    const RequestOptions& options() const { return options_; }
    // Of responses to this request.
    const server::CompressionSettings& compression() const { return compression_; }

private:
    enum class State : uint8_t { kHead, kBody, kComplete, kBad };

    int64_t take_head(std::string_view data);
    int64_t take_body(std::string_view data);

    RequestOptions options_;
    server::CompressionSettings compression_;
    std::string upload_dir_;
    proto::http::Limits limits_;
    proto::http::RequestHead head_;
    proto::http1::ChunkedDecoder chunked_;
    Buffer head_bytes_;
    Buffer body_;
    State state_ = State::kHead;
};

}  // namespace stampede::classes
