#include "server/request_body.h"

#include <algorithm>
#include <cstring>

#include "os/log.h"
#include "server/settings.h"

namespace stampede::server {

void RequestBody::expect_form(std::unique_ptr<Form> form, uint64_t keep_bytes) {
    form_ = std::move(form);
    kept_ = keep_bytes;
}

void RequestBody::begin(uint64_t limit, Nanos now, Room& memory) {
    share_.use(memory);
    limit_ = limit;
    came_ = stored_ = 0;
    decoded_ = false;
    room_ = kRoom;
    streams_ = false;
    restart_time(now);
}

int RequestBody::prepare(proto::http::RequestHead& head, const char* text, bool decodes) {
    if (head.has_content_length && head.content_length > limit_) {
        return 413;
    }
    if (int status = decodes ? choose_decoder(head, text) : 0) {
        return status;
    }
    whole_ = false;
    reserve(head);
    return 0;
}

void RequestBody::reserve(const proto::http::RequestHead& head) {
    if (!head.has_content_length || streams_ || decoder_ != nullptr) {
        return;
    }
    uint64_t length = head.content_length;
    if (form_ != nullptr) {
        if (length <= kept_) {
            (void)bytes_.reserve(std::min<uint64_t>(length, kReserve));
        }
        return;
    }
    if (memory_ != nullptr && length >= kSmallestGathered && length <= kLargestGathered) {
        bytes_.use_memory(*memory_);
    }
    bytes_.set_expected(static_cast<size_t>(length + kSpaceBehind));
    // What a length only announces costs no more than that: most bodies are complete then, and were
    // never moved.
    (void)bytes_.reserve(std::min<uint64_t>(length + kSpaceBehind, kReserve));
}

net::Session::Room RequestBody::space(uint64_t left) {
    if (form_ != nullptr || decoder_ != nullptr || streams_) {
        return {};
    }
    size_t wanted = static_cast<size_t>(std::min<uint64_t>(left + kSpaceBehind, kReserve));
    if (bytes_.room() < wanted && bytes_.room() < net::Hub::kReadSize) {
        // As much again as has come, and not more than will come.
        uint64_t most = std::max<uint64_t>(bytes_.size(), kReserve);
        (void)bytes_.reserve(static_cast<size_t>(std::min<uint64_t>(left + kSpaceBehind, most)));
    }
    return {bytes_.reserve(0), std::min(bytes_.room(), wanted)};
}

int RequestBody::was_read(size_t size) {
    came_ += size;
    stored_ += size;
    bytes_.commit(size);
    return count_memory();
}

// 0, or 503. One that is streamed is bounded by its own room.
int RequestBody::count_memory() {
    uint64_t size = bytes_.size() + (form_ != nullptr ? form_->text_bytes() : 0);
    return streams_ || share_.hold(size) ? 0 : 503;
}

// 0, or 415. What the application sees is not compressed any more.
int RequestBody::choose_decoder(proto::http::RequestHead& head, const char* text) {
    using proto::coding::Coding;
    using proto::http::KnownField;
    const proto::http::Field* given = nullptr;
    for (const proto::http::Field& field : head) {
        if (field.id != KnownField::kContentEncoding) {
            continue;
        }
        if (given != nullptr) {
            return 415;  // several, one in the other
        }
        given = &field;
    }
    Coding coding =
        given != nullptr ? proto::coding::coding_by_name(given->value.in(text)) : Coding::kIdentity;
    if (coding == Coding::kIdentity) {
        return 0;
    }
    decoder_ = proto::coding::Decoder::create(coding);
    if (decoder_ == nullptr) {
        return 415;
    }
    for (uint32_t i = 0; i < head.field_count; i++) {
        proto::http::Field& field = head.fields[i];
        if (field.id == KnownField::kContentEncoding || field.id == KnownField::kContentLength) {
            field.marks = proto::http::kFieldDrop;
        }
    }
    return 0;
}

int RequestBody::take(std::string_view bytes) {
    if (bytes.size() > limit_ - came_) {
        return 413;
    }
    came_ += bytes.size();
    return decoder_ != nullptr ? decode(bytes) : store(bytes);
}

// A limit on the size alone would let a small request cost a large one.
int RequestBody::decode(std::string_view bytes) {
    constexpr uint64_t kAlways = 1u << 20;
    constexpr uint64_t kMostTimes = 100;
    int refusal = 0;
    auto status = decoder_->feed(bytes, [&](std::string_view piece) {
        uint64_t size = stored_ + piece.size();
        bool too_much = size > limit_ || (size > kAlways && size / kMostTimes > came_);
        refusal = too_much ? 413 : store(piece);
        return refusal == 0;
    });
    decoded_ = status == proto::coding::DecodeStatus::kDone;
    return refusal == 0 && status == proto::coding::DecodeStatus::kBad ? 400 : refusal;
}

int RequestBody::store(std::string_view bytes) {
    stored_ += bytes.size();
    if (form_ != nullptr) {
        return feed_form(bytes);
    }
    bytes_.append(bytes);
    return count_memory();
}

int RequestBody::feed_form(std::string_view bytes) {
    if (stored_ <= kept_) {
        bytes_.append(bytes);
    } else if (bytes_.capacity() > 0) {
        bytes_.release();
    }
    int status = form_->take(bytes);
    if (status >= 500) {
        os::Log::get().write(os::LogLevel::kError,
                             "an upload cannot be written to upload_tmp_dir \"%s\": %s",
                             form_->folder().c_str(), std::strerror(form_->error()));
    }
    return status != 0 ? status : count_memory();
}

int RequestBody::end() {
    if (decoder_ != nullptr && !decoded_ && came_ > 0) {
        return 400;  // it breaks off
    }
    if (form_ != nullptr) {
        form_->end();
    }
    whole_ = true;
    return 0;
}

bool RequestBody::too_slow(const HttpLimits& limits, Nanos now) const {
    Nanos elapsed = now - since_;
    return elapsed > limits.body_rate_after &&
           came_ - came_then_ < limits.body_rate * static_cast<uint64_t>(elapsed / kSecond);
}

void RequestBody::drop() {
    if (bytes_.capacity() > 0) {
        bytes_.release();
    }
    memory_ = nullptr;
    form_.reset();
    decoder_.reset();
    share_.release();
}

void RequestBody::clear() {
    drop();
    streams_ = false;
    whole_ = true;
}

}  // namespace stampede::server
