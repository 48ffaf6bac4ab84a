#include "client/http1/response_reader.h"

namespace stampede::client::http1 {

using proto::coding::Decoder;
using proto::http::ParseStatus;
using proto::http1::BodyEnd;

void ResponseReader::begin(const Expected& expected) {
    expected_ = expected;
    phase_ = Phase::kHead;
    interim_ = 0;
    scanned_ = 0;
    end_ = BodyEnd::kNone;
    has_content_ = decoded_to_end_ = false;
    trailer_.clear();
    decoder_.reset();
}

void ResponseReader::release() {
    trailer_.release();
    decoder_.reset();
}

namespace {

// Old servers continue a field in the next line, which begins with white space. A client puts
// spaces in the place of the line's end (RFC 9112, 5.2). Behind the status line there is no field
// to be continued. False: nothing of the kind is there.
bool unfold(Buffer& in) {
    std::string_view bytes = in.view();
    size_t at = bytes.find("\r\n");
    bool found = false;
    while (at != std::string_view::npos) {
        size_t next = bytes.find("\r\n", at + 2);
        if (next == std::string_view::npos || next == at + 2 || next + 2 >= bytes.size()) {
            break;
        }
        char begins = bytes[next + 2];
        if (begins == ' ' || begins == '\t') {
            in.data()[next] = in.data()[next + 1] = ' ';
            found = true;
        }
        at = next;
    }
    return found;
}

}  // namespace

Step ResponseReader::take_head(Buffer& in) {
    static constexpr proto::http::Limits kLimits;
    constexpr int kMostInterim =
        32;  // a server that sends nothing else is not listened to for ever
    while (interim_ < kMostInterim) {
        if (in.empty()) {
            return Step::kNeedMore;
        }
        ParseStatus status = parse_response_head(in.view(), scanned_, kLimits, head_);
        if (status == ParseStatus::kNeedMore) {
            scanned_ = in.size();
            return Step::kNeedMore;
        }
        if (status == ParseStatus::kBad && unfold(in)) {
            scanned_ = 0;
            continue;
        }
        if (status == ParseStatus::kBad) {
            break;
        }
        bool upgraded = head_.status == 101;
        if (head_.status >= 200 || (upgraded && expected_.upgrade)) {
            show_head(in);
            return Step::kHead;
        }
        if (upgraded) {
            break;  // nobody asked for another protocol
        }
        in.consume(head_.head_bytes);
        scanned_ = 0;
        interim_++;
    }
    return Step::kBadHead;
}

void ResponseReader::show_head(const Buffer& in) {
    phase_ = Phase::kHeadShown;
    end_ = body_end_of(head_, expected_.method);
    framing_.begin(end_, head_.content_length, {});
    if (expected_.decode_body && end_ != BodyEnd::kNone) {
        std::string_view coding = head_.content_coding(in.data());
        decoder_ = Decoder::create(proto::coding::coding_by_name(coding));
    }
}

void ResponseReader::begin_body(Buffer& in) {
    if (phase_ == Phase::kHeadShown) {
        in.consume(head_.head_bytes);
        phase_ = Phase::kBody;
    }
}

Step ResponseReader::after_piece(ParseStatus status) const {
    switch (status) {
        case ParseStatus::kDone:
            return finish();
        case ParseStatus::kBad:
            return Step::kBadChunks;
        default:
            return Step::kNeedMore;
    }
}

Step ResponseReader::step_of(Problem problem) {
    return problem == Problem::kBadCoding ? Step::kBadCoding : Step::kStopped;
}

AtClose ResponseReader::at_close(const Buffer& in) {
    if (phase_ == Phase::kHead) {
        return in.empty() ? AtClose::kUnbegun : AtClose::kCut;
    }
    return framing_.ends_with_close() ? AtClose::kComplete : AtClose::kCut;
}

// A body of no bytes passes for one of any coding.
Step ResponseReader::finish() const {
    bool complete = decoder_ == nullptr || decoded_to_end_ || !has_content_;
    return complete ? Step::kDone : Step::kBadCoding;
}

bool ResponseReader::keeps_connection(const Buffer& in) const {
    return head_.keep_alive && in.empty() && end_ != BodyEnd::kClose;
}

// Well-formed lines, as the decoder of the chunks has seen.
bool ResponseReader::next_trailer_field(std::string_view& rest, std::string_view& name,
                                        std::string_view& value) {
    size_t colon = rest.find(':');
    if (colon == std::string_view::npos) {
        return false;
    }
    size_t end = rest.find('\r', colon);
    name = rest.substr(0, colon);
    value = proto::http::trimmed(rest.substr(colon + 1, end - colon - 1));
    rest.remove_prefix(end == std::string_view::npos ? rest.size()
                                                     : std::min(end + 2, rest.size()));
    return true;
}

}  // namespace stampede::client::http1
