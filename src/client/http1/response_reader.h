// The response to one HTTP/1 request, as a client takes it in: interim responses are skipped, the
// final head is shown, the body comes in pieces with its framing and content coding off, and at the
// end it is known whether the connection may carry another request. Bytes go in, steps come out.
// Owned by the client that sent the request. One thread, never parks.
#pragma once

#include <memory>

#include "base/buffer.h"
#include "proto/coding/decoder.h"
#include "proto/http1/response_body.h"

namespace stampede::client::http1 {

// What the request says about its response.
struct Expected {
    proto::http::Method method = proto::http::Method::kGet;
    bool upgrade = false;      // 101 is a response to it
    bool decode_body = false;  // take the content coding off
};

enum class Step : uint8_t {
    kNeedMore,   // all input is used up
    kHead,       // the head of the final response: head() is valid until the next call
    kDone,       // the end of the response; what is left in the buffer is not its
    kStopped,    // the sink wants no more
    kBadHead,    // no valid HTTP/1 response
    kBadChunks,  // the framing of the body is broken
    kBadCoding,  // the body is not what Content-Encoding says
};

// What the end of the connection means for the response.
enum class AtClose : uint8_t {
    kComplete,  // its body ends that way
    kCut,       // the response is not complete
    kUnbegun,   // no byte of a response is there: the request may be sent again
};

class ResponseReader {
public:
    void begin(const Expected& expected);

    // Takes bytes off the front of `in`. sink(std::string_view) gets pieces of the body, valid in
    // the call only, and returns false to stop.
    template <typename Sink>
    Step advance(Buffer& in, Sink&& sink) {
        if (phase_ == Phase::kHead) {
            return take_head(in);
        }
        begin_body(in);
        Problem problem = Problem::kNone;
        auto result = framing_.feed(in.view(), [&](std::string_view piece) {
            problem = take_piece(piece, sink);
            return problem == Problem::kNone;
        });
        trailer_.append(result.trailer);
        in.consume(result.consumed);
        return problem == Problem::kNone ? after_piece(result.status) : step_of(problem);
    }

    // What is left of a body that needs nothing taken off, once advance() has used up all input. It
    // may be received where it will stay, and took() told of each part; 0: use advance().
    uint64_t plain_rest() const {
        return phase_ == Phase::kBody && decoder_ == nullptr ? framing_.counted_rest() : 0;
    }
    void took(uint64_t count) { framing_.took(count); }

    // The peer has closed; `in` is what advance() has left.
    AtClose at_close(const Buffer& in);
    // After AtClose::kComplete: kDone, or kBadCoding when the coded body wants more.
    Step finish() const;

    // After Step::kHead. Offsets of the fields count from the first byte of the buffer.
    const proto::http1::ParsedResponseHead& head() const { return head_; }
    proto::http1::BodyEnd body_end() const { return end_; }
    bool decodes() const { return decoder_ != nullptr; }
    // After Step::kDone: the server keeps the connection, and nothing about its state is unclear.
    bool keeps_connection(const Buffer& in) const;

    // Calls take(name, value) for each field that came after the body.
    template <typename Take>
    void each_trailer_field(Take&& take) const {
        std::string_view rest = trailer_.view();
        std::string_view name;
        std::string_view value;
        while (next_trailer_field(rest, name, value)) {
            take(name, value);
        }
    }

    // Gives back what the body needed; the head stays.
    void release();

private:
    enum class Phase : uint8_t { kHead, kHeadShown, kBody };
    enum class Problem : uint8_t { kNone, kStopped, kBadCoding };

    Step take_head(Buffer& in);
    void show_head(const Buffer& in);
    void begin_body(Buffer& in);
    Step after_piece(proto::http::ParseStatus status) const;
    static Step step_of(Problem problem);
    static bool next_trailer_field(std::string_view& rest, std::string_view& name,
                                   std::string_view& value);

    template <typename Sink>
    Problem take_piece(std::string_view piece, Sink& sink) {
        if (decoder_ == nullptr) {
            return sink(piece) ? Problem::kNone : Problem::kStopped;
        }
        auto status = decoder_->feed(piece, [&](std::string_view decoded) {
            has_content_ = true;
            return sink(decoded);
        });
        decoded_to_end_ = status == proto::coding::DecodeStatus::kDone;
        return status == proto::coding::DecodeStatus::kBad       ? Problem::kBadCoding
               : status == proto::coding::DecodeStatus::kStopped ? Problem::kStopped
                                                                 : Problem::kNone;
    }

    Expected expected_;
    Phase phase_ = Phase::kHead;
    int interim_ = 0;     // 1xx responses so far
    size_t scanned_ = 0;  // bytes of an incomplete head that were looked at
    proto::http1::ParsedResponseHead head_;
    proto::http1::BodyEnd end_ = proto::http1::BodyEnd::kNone;
    proto::http1::ResponseBody framing_;
    std::unique_ptr<proto::coding::Decoder> decoder_;
    bool has_content_ = false;  // the decoder has given something
    bool decoded_to_end_ = false;
    Buffer trailer_;
};

}  // namespace stampede::client::http1
