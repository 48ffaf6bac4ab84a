#include "proto/ws/reader.h"

namespace stampede::proto::ws {

using Kind = ReadEvent::Kind;

constexpr uint8_t kRsv1 = 4;
// Compressed bytes from which nothing comes count as one more idle fragment for each of these.
constexpr size_t kIdleUnit = 64;

ReadEvent Reader::bad(uint16_t code) {
    dead_ = true;
    ReadEvent event;
    event.kind = Kind::kBad;
    event.code = code;
    return event;
}

// What the header alone can tell: 0, or the code to close with.
uint16_t Reader::judge(const FrameHeader& header) const {
    if (header.masked != (role_ == Role::kServer)) {
        return kCloseProtocolError;
    }
    if (is_control(header.opcode)) {
        bool known = header.opcode <= kPong;
        bool plain = header.fin && header.rsv == 0 && header.length <= kMaxControlPayload;
        return known && plain ? 0 : kCloseProtocolError;
    }
    bool continues = header.opcode == kContinuation;
    bool rsv_fine = header.rsv == 0 || (header.rsv == kRsv1 && deflate_ != nullptr && !continues);
    if (header.opcode > kBinary || !rsv_fine || continues != (opcode_ != 0)) {
        return kCloseProtocolError;
    }
    bool too_big = header.length > limits_.message_bytes -
                                       std::min<uint64_t>(message_.size() * (compressed_ ? 0 : 1),
                                                          limits_.message_bytes);
    return too_big || idle_ > limits_.idle_fragments ? kCloseTooBig : 0;
}

size_t Reader::missing_of(std::string_view frame) const {
    FrameHeader header;
    if (parse_frame_header(frame, header) != http::ParseStatus::kDone || judge(header) != 0) {
        return 0;
    }
    uint64_t size = header.size + header.length;
    return size > frame.size() ? static_cast<size_t>(size - frame.size()) : 0;
}

ReadEvent Reader::next(Buffer& in) {
    in.consume(consumed_);
    consumed_ = 0;
    if (clear_message_) {
        clear_message_ = false;
        message_.release();
    }
    while (!dead_) {
        FrameHeader header;
        http::ParseStatus status = parse_frame_header(in.view(), header);
        if (status == http::ParseStatus::kNeedMore) {
            return {};
        }
        bool shaped = status == http::ParseStatus::kDone;
        uint16_t problem = shaped ? judge(header) : uint16_t{kCloseProtocolError};
        if (problem != 0) {
            return bad(problem);
        }
        if (in.size() - header.size < header.length) {
            return {};
        }
        auto length = static_cast<size_t>(header.length);
        char* payload = const_cast<char*>(in.data()) + header.size;
        if (header.masked) {
            apply_mask(payload, length, header.mask, 0);
        }
        consumed_ = header.size + length;
        ReadEvent event = is_control(header.opcode) ? take_control(header, {payload, length})
                                                    : take_data(header, {payload, length});
        if (event.kind != Kind::kNeedMore) {
            return event;
        }
        in.consume(consumed_);
        consumed_ = 0;
    }
    return bad(kCloseProtocolError);
}

ReadEvent Reader::take_control(const FrameHeader& header, std::string_view payload) {
    if (header.opcode == kClose) {
        return take_close(payload);
    }
    ReadEvent event;
    event.kind = header.opcode == kPing ? Kind::kPing : Kind::kPong;
    event.opcode = header.opcode;
    event.payload = payload;
    return event;
}

ReadEvent Reader::take_close(std::string_view payload) {
    ReadEvent event;
    event.kind = Kind::kClose;
    event.opcode = kClose;
    event.code = kCloseNoStatus;
    if (payload.size() == 1) {
        return bad(kCloseProtocolError);
    }
    if (!payload.empty()) {
        event.code = static_cast<uint16_t>(static_cast<unsigned char>(payload[0]) << 8 |
                                           static_cast<unsigned char>(payload[1]));
        event.payload = payload.substr(2);
        if (!valid_close_code(event.code)) {
            return bad(kCloseProtocolError);
        }
        if (!is_utf8(event.payload)) {
            return bad(kCloseBadData);
        }
    }
    dead_ = true;  // nothing counts after it
    return event;
}

ReadEvent Reader::take_data(const FrameHeader& header, std::string_view payload) {
    if (header.opcode != kContinuation) {
        opcode_ = header.opcode;
        compressed_ = header.rsv == kRsv1;
        idle_ = 0;
        checked_ = 0;
        utf8_.reset();
    }
    bool whole = header.opcode != kContinuation && header.fin && !compressed_;
    if (!whole) {
        uint16_t problem = collect(header, payload);
        if (problem != 0) {
            return bad(problem);
        }
        payload = message_.view();
    }
    if (opcode_ == kText) {
        if (!text_is_fine(payload.substr(checked_), header.fin)) {
            return bad(kCloseBadData);
        }
        checked_ = payload.size();
    }
    ReadEvent event;
    if (header.fin) {
        event.kind = Kind::kMessage;
        event.opcode = opcode_;
        event.compressed = compressed_;
        event.payload = payload;
        opcode_ = 0;
        idle_ = 0;
        compressed_ = false;
        clear_message_ = !whole;
    }
    return event;
}

uint16_t Reader::collect(const FrameHeader& header, std::string_view payload) {
    if (!compressed_) {
        idle_ += payload.empty() ? 1 : 0;
        message_.append(payload);
        return 0;
    }
    size_t before = message_.size();
    auto part = header.fin ? Deflate::Part::kLast : Deflate::Part::kMore;
    switch (deflate_->expand(payload, part, limits_.message_bytes, message_)) {
        case InflateStatus::kFine:
            idle_ += message_.size() == before ? 1 + payload.size() / kIdleUnit : 0;
            return 0;
        case InflateStatus::kTooLarge:
            return kCloseTooBig;
        default:
            return kCloseBadData;
    }
}

bool Reader::text_is_fine(std::string_view piece, bool last) {
    return utf8_.feed(piece) && (!last || utf8_.complete());
}

}  // namespace stampede::proto::ws
