// The body of an HTTP/1 response as a stream of pieces, whichever way its end is known. Owned by
// the client that reads the response. One thread, never parks, never allocates.
#pragma once

#include <algorithm>

#include "proto/http1/response_parser.h"
#include "proto/http1/chunked.h"

namespace stampede::proto::http1 {

class ResponseBody {
public:
    void begin(BodyEnd end, uint64_t length, const Limits& limits) {
        end_ = end;
        left_ = length;
        if (end == BodyEnd::kChunked) {
            chunked_ = ChunkedDecoder(limits);
        }
    }

    struct Result {
        http::ParseStatus status = http::ParseStatus::kNeedMore;
        size_t consumed = 0;
        std::string_view trailer = {};  // what was consumed of the fields after a chunked body
    };
    // sink(std::string_view) returns false to stop; then the status is kNeedMore. Call feed({}) for
    // a body that may be empty.
    template <typename Sink>
    Result feed(std::string_view in, Sink&& sink) {
        switch (end_) {
            case BodyEnd::kNone:
                return {http::ParseStatus::kDone, 0};
            case BodyEnd::kChunked: {
                uint32_t before = chunked_.trailer_bytes();
                auto result = chunked_.feed(in.data(), in.size(), sink);
                bool ended = result.status == http::ParseStatus::kDone && result.consumed > 0;
                size_t last = ended ? 1 : 0;
                size_t count = chunked_.trailer_bytes() - before;
                return {result.status, result.consumed,
                        in.substr(result.consumed - last - count, count)};
            }
            default:
                return feed_plain(in, sink);
        }
    }

    // What is left of a body whose length is known, 0 of others. took(): so many bytes of it are
    // where they belong, without feed().
    uint64_t counted_rest() const { return end_ == BodyEnd::kCounted ? left_ : 0; }
    void took(uint64_t count) { left_ -= count; }

    // The server closed. True when that is the proper end of this body.
    bool ends_with_close() const { return end_ == BodyEnd::kClose; }

private:
    template <typename Sink>
    Result feed_plain(std::string_view in, Sink& sink) {
        size_t count = in.size();
        if (end_ == BodyEnd::kCounted) {
            count = static_cast<size_t>(std::min<uint64_t>(left_, count));
            left_ -= count;
        }
        if (count > 0 && !sink(in.substr(0, count))) {
            return {http::ParseStatus::kNeedMore, count};
        }
        bool done = end_ == BodyEnd::kCounted && left_ == 0;
        return {done ? http::ParseStatus::kDone : http::ParseStatus::kNeedMore, count};
    }

    BodyEnd end_ = BodyEnd::kNone;
    uint64_t left_ = 0;
    ChunkedDecoder chunked_;
};

}  // namespace stampede::proto::http1
