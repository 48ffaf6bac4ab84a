#include "server/exchange.h"

#include <cstdlib>
#include <cstring>

#include "server/http1_session.h"
#include "server/service.h"

namespace stampede::server {

Exchange::~Exchange() {
    if (bytes_ != inline_) {
        std::free(bytes_);
    }
}

void Exchange::adopt_head(const char* data, size_t size) {
    if (size > capacity_) {
        char* fresh = static_cast<char*>(std::malloc(size));
        if (fresh == nullptr) {
            std::abort();
        }
        if (bytes_ != inline_) {
            std::free(bytes_);
        }
        bytes_ = fresh;
        capacity_ = size;
    }
    std::memcpy(bytes_, data, size);
}

void Exchange::reset() {
    if (bytes_ != inline_) {
        std::free(bytes_);
        bytes_ = inline_;
        capacity_ = kInlineBytes;
    }
    if (body_.capacity() > 0) {
        body_.release();
    }
    connection_ = nullptr;
    session_ = nullptr;
    answer_ = AnswerState::kNone;
    detached_ = false;
    body_remaining = kUnknownLength;
    body_suppressed = false;
    chunked_answer = false;
    user = nullptr;
}

bool Exchange::send_head(const ResponseHead& head, uint64_t body_length) {
    if (connection_ == nullptr || answer_ != AnswerState::kNone) {
        return false;
    }
    answer_ = AnswerState::kStreaming;
    session_->write_head(*this, head, body_length);
    return connection_ != nullptr;
}

bool Exchange::send_body(std::string_view bytes) {
    if (connection_ == nullptr || answer_ != AnswerState::kStreaming) {
        return false;
    }
    session_->write_body(*this, bytes);
    return true;
}

bool Exchange::send_body_ref(const net::BytesRef& bytes) {
    if (connection_ == nullptr || answer_ != AnswerState::kStreaming) {
        bytes.release(bytes.owner);
        return false;
    }
    session_->write_body_ref(*this, bytes);
    return true;
}

bool Exchange::send_file(const net::FileRange& file) {
    if (connection_ == nullptr || answer_ != AnswerState::kStreaming) {
        os::close_fd(file.fd);
        return false;
    }
    session_->write_file(*this, file);
    return true;
}

bool Exchange::send_trailers(const FieldRef* fields, uint32_t count) {
    if (connection_ == nullptr || answer_ != AnswerState::kStreaming) {
        return false;
    }
    session_->write_trailers(*this, fields, count);
    return true;
}

bool Exchange::finish() {
    if (answer_ == AnswerState::kEnded) {
        return false;
    }
    bool connected = connection_ != nullptr;
    if (connected) {
        session_->finish_answer(*this);
    }
    answer_ = AnswerState::kEnded;
    if (connected) {
        session_->exchange_done(*this);
    }
    return connected;
}

void Exchange::abort() {
    if (answer_ == AnswerState::kEnded) {
        return;
    }
    answer_ = AnswerState::kEnded;
    if (connection_ != nullptr) {
        session_->exchange_aborted(*this);
    }
}

bool Exchange::upgrade(std::string_view head_bytes, std::unique_ptr<UpgradedSession> upgraded) {
    if (connection_ == nullptr || answer_ != AnswerState::kNone) {
        return false;
    }
    session_->upgrade(*this, head_bytes, std::move(upgraded));
    return true;
}

void Exchange::release() {
    if (--references_ == 0) {
        service_.recycle(*this);
    }
}

}  // namespace stampede::server
