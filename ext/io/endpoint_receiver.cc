// Small reads go through one buffer of the process, so that a string is made as large as what has
// come; nothing parks between filling it and copying from it.
#include "io/endpoint_receiver.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "error_numbers.h"
#include "os/socket_io.h"

namespace stampede::io {

using proto::frame::Framer;
using proto::frame::Kind;
using proto::frame::Verdict;

namespace {

constexpr size_t kScratch = 65536;
constexpr size_t kLargestRead = 4 * 1024 * 1024;
constexpr size_t kReadAhead = 65536;
constexpr size_t kSeenAtOnce = 16384;
static_assert(kSeenAtOnce <= kScratch);

char scratch[kScratch];

zend_string* string_of(const char* bytes, size_t size) {
    if (size == 0) {
        return ZSTR_EMPTY_ALLOC();
    }
    return size == 1 ? ZSTR_CHAR(static_cast<unsigned char>(*bytes))
                     : zend_string_init(bytes, size, 0);
}

zend_string* truncated(zend_string* string, size_t size) {
    if (size == 0) {
        zend_string_efree(string);
        return ZSTR_EMPTY_ALLOC();
    }
    if (size < ZSTR_LEN(string)) {
        string = zend_string_truncate(string, size, 0);
    }
    ZSTR_VAL(string)[size] = '\0';
    return string;
}

}  // namespace

void EndpointReceiver::restart() {
    buffer_.clear();
    seen_.clear();
    taken_ = 0;
    framer_.reset();
    unframeable_ = 0;
}

long EndpointReceiver::receive_datagram(char* out, size_t capacity, os::Address* peer,
                                        Nanos until) {
    take_seen();
    for (;;) {
        if (state_.descriptor().may_be_ready(Direction::kRead)) {
            long count = peer != nullptr ? os::receive_from(state_.fd(), out, capacity, *peer)
                                         : os::receive(state_.fd(), out, capacity);
            if (count >= 0) {
                return count;
            }
            if (errno != EAGAIN) {
                state_.fail(errno);
                return -1;
            }
            state_.descriptor().blocked(Direction::kRead);
        }
        if (!state_.wait(Direction::kRead, until)) {
            return -1;
        }
    }
}

long EndpointReceiver::receive_bytes(char* out, size_t capacity, Nanos until) {
    if (UNEXPECTED(!state_.is_stream())) {
        return receive_datagram(out, capacity, nullptr, until);
    }
    take_seen();
    long count = state_.stream().receive(out, capacity, until);
    if (UNEXPECTED(count < 0)) {
        state_.fail_as_stream();
    }
    return count;
}

// More than the common buffer holds: waits first, so that a string is made when there is something
// to put into it.
zend_string* EndpointReceiver::receive_large(size_t size, Nanos until) {
    zend_string* string = zend_string_alloc(size < kLargestRead ? size : kLargestRead, 0);
    long count = receive_bytes(ZSTR_VAL(string), ZSTR_LEN(string), until);
    if (count < 0) {
        zend_string_efree(string);
        return nullptr;
    }
    return truncated(string, static_cast<size_t>(count));
}

zend_string* EndpointReceiver::receive(size_t size, double timeout) {
    state_.clear_error();
    if (UNEXPECTED(!state_.check_open())) {
        return nullptr;
    }
    Nanos until = state_.read_deadline(timeout);
    if (UNEXPECTED(size > kScratch)) {
        return receive_large(size, until);
    }
    long count = receive_bytes(scratch, size, until);
    return EXPECTED(count >= 0) ? string_of(scratch, static_cast<size_t>(count)) : nullptr;
}

zend_string* EndpointReceiver::receive_all(size_t size, double timeout) {
    state_.clear_error();
    if (!state_.check_open()) {
        return nullptr;
    }
    Nanos until = state_.read_deadline(timeout);
    // What is announced may never come: the string grows with what does.
    zend_string* string = zend_string_alloc(size < kScratch ? size : kScratch, 0);
    size_t done = 0;
    while (done < size) {
        if (done == ZSTR_LEN(string)) {
            size_t larger = done * 2 < size ? done * 2 : size;
            string = zend_string_extend(string, larger, 0);
        }
        long count = receive_bytes(ZSTR_VAL(string) + done, ZSTR_LEN(string) - done, until);
        if (count <= 0) {
            break;
        }
        done += static_cast<size_t>(count);
    }
    if (done == 0 && state_.error() != 0) {
        zend_string_efree(string);
        return nullptr;
    }
    return truncated(string, done);
}

// Fills `seen_`, which is empty; false at the peer's end and at the end of the time.
bool EndpointReceiver::look_ahead(Nanos until) {
    char* room = seen_.reserve(kSeenAtOnce);
    for (;;) {
        long count = state_.stream().peek(room, kSeenAtOnce);
        if (count > 0) {
            seen_.commit(static_cast<size_t>(count));
            return true;
        }
        if (count < 0) {
            return state_.fail_as_stream();
        }
        if (state_.stream().error() == 0) {
            return false;
        }
        state_.descriptor().blocked(Direction::kRead);
        if (!state_.wait(Direction::kRead, until)) {
            return false;
        }
        room = seen_.reserve(kSeenAtOnce);
    }
}

void EndpointReceiver::drop_seen() {
    size_t taken = std::exchange(taken_, 0);
    seen_.release();
    // It is there, so neither of these waits.
    if (state_.stream().tls() != nullptr) {
        (void)state_.stream().receive_exactly(scratch, taken, kNever);
    } else {
        (void)os::receive_with(state_.fd(), scratch, taken, MSG_DONTWAIT);
    }
}

zend_string* EndpointReceiver::receive_line(size_t size, double timeout) {
    state_.clear_error();
    if (!state_.check_open()) {
        return nullptr;
    }
    Nanos until = state_.read_deadline(timeout);
    Buffer start;  // of a line of which more is to come
    while (start.size() < size && (!seen_.empty() || look_ahead(until))) {
        std::string_view part = seen_.view().substr(0, size - start.size());
        size_t end = part.find_first_of("\r\n");
        part = part.substr(0, end == std::string_view::npos ? end : end + 1);
        bool whole = end != std::string_view::npos || start.size() + part.size() == size;
        zend_string* line = nullptr;
        if (whole && start.empty()) {
            line = string_of(part.data(), part.size());
        } else {
            start.append(part);
        }
        taken_ += part.size();
        seen_.consume(part.size());
        if (seen_.empty()) {
            take_seen();
        }
        if (whole) {
            return line != nullptr ? line : string_of(start.data(), start.size());
        }
    }
    return start.empty() && state_.error() != 0 ? nullptr : string_of(start.data(), start.size());
}

zend_string* EndpointReceiver::take_buffered(size_t size) {
    size_t count = size < buffer_.size() ? size : buffer_.size();
    zend_string* string = string_of(buffer_.data(), count);
    buffer_.consume(count);
    return string;
}

zend_string* EndpointReceiver::receive_buffered(size_t size, double timeout) {
    state_.clear_error();
    if (!buffer_.empty()) {
        return take_buffered(size);
    }
    if (!state_.check_open()) {
        return nullptr;
    }
    long count = receive_bytes(scratch, kScratch, state_.read_deadline(timeout));
    if (count < 0) {
        return nullptr;
    }
    buffer_.append({scratch, static_cast<size_t>(count)});
    return take_buffered(size);
}

Verdict EndpointReceiver::look_for_packet() {
    if (framer_ == nullptr) {
        framer_ = std::make_unique<Framer>(state_.settings().rules);
    }
    return framer_->look(buffer_.view());
}

zend_string* EndpointReceiver::take_packet() {
    zend_string* packet = string_of(buffer_.data(), framer_->size());
    buffer_.consume(framer_->size());
    framer_->restart();
    return packet;
}

zend_string* EndpointReceiver::receive_packet(double timeout) {
    state_.clear_error();
    if (state_.settings_or_null() == nullptr ||
        state_.settings_or_null()->rules.kind == Kind::kNone || !state_.is_stream()) {
        return receive(kScratch, timeout);
    }
    Nanos until = state_.read_deadline(timeout);
    while (state_.check_open()) {
        if (state_.settings_or_null()->measuring || unframeable_ != 0) {
            state_.fail(state_.settings_or_null()->measuring ? EINPROGRESS : unframeable_);
            return nullptr;
        }
        switch (look_for_packet()) {
            case Verdict::kPacket:
                return state_.check_open() ? take_packet() : nullptr;
            case Verdict::kTooLarge:
            case Verdict::kMalformed: {
                bool large = framer_->size() > 0 ||
                             buffer_.size() >= state_.settings_or_null()->rules.max_size;
                state_.fail(unframeable_ =
                                large ? api_error::kPackageTooLarge : api_error::kPackageMalformed);
                return nullptr;
            }
            case Verdict::kNeedMore:
                break;
        }
        if (!state_.check_open()) {
            break;
        }
        long count = receive_bytes(scratch, kReadAhead, until);
        if (count > 0) {
            if (size_t missing = framer_->missing(buffer_.size()); missing > kReadAhead) {
                (void)buffer_.reserve_announced(missing);
            }
            buffer_.append({scratch, static_cast<size_t>(count)});
            continue;
        }
        if (count == 0 && !buffer_.empty()) {
            state_.fail(ECONNRESET);  // the end came in the middle of a packet
            return nullptr;
        }
        return count == 0 ? ZSTR_EMPTY_ALLOC() : nullptr;
    }
    return nullptr;
}

zend_string* EndpointReceiver::receive_from(size_t size, os::Address& peer, double timeout) {
    state_.clear_error();
    if (!state_.check_open()) {
        return nullptr;
    }
    size_t room = size < kScratch ? size : kScratch;
    long count = receive_datagram(scratch, room, &peer, state_.read_deadline(timeout));
    return count >= 0 ? string_of(scratch, static_cast<size_t>(count)) : nullptr;
}

zend_string* EndpointReceiver::peek(size_t size) {
    state_.clear_error();
    if (!state_.check_open()) {
        return nullptr;
    }
    if (!buffer_.empty()) {
        return string_of(buffer_.data(), size < buffer_.size() ? size : buffer_.size());
    }
    take_seen();
    long count = state_.stream().peek(scratch, size < kScratch ? size : kScratch);
    if (state_.stream().error() != 0) {
        state_.fail_as_stream();
        return nullptr;
    }
    return string_of(scratch, static_cast<size_t>(count));
}

zend_string* EndpointReceiver::await_peek(size_t size, double timeout) {
    Nanos until = state_.read_deadline(timeout);
    for (;;) {
        zend_string* seen = peek(size);
        if (seen != nullptr || state_.error() != EAGAIN) {
            return seen;
        }
        state_.descriptor().blocked(Direction::kRead);
        if (!state_.wait(Direction::kRead, until)) {
            return nullptr;
        }
    }
}

// Waits for the first part only: the others get what is decrypted already.
long EndpointReceiver::receive_record(iovec* parts, int count, Nanos until) {
    long total = 0;
    for (int i = 0; i < count; i++) {
        if (parts[i].iov_len == 0) {
            continue;
        }
        if (total > 0 && (!state_.stream().is_open() || !state_.stream().tls()->has_pending())) {
            break;
        }
        long got = receive_bytes(static_cast<char*>(parts[i].iov_base), parts[i].iov_len, until);
        if (got <= 0) {
            return total > 0 ? total : got;
        }
        total += got;
        if (static_cast<size_t>(got) < parts[i].iov_len) {
            break;
        }
    }
    return total;
}

long EndpointReceiver::receive_vector(iovec* parts, int count, double timeout) {
    state_.clear_error();
    if (!state_.check_open()) {
        return -1;
    }
    take_seen();
    Nanos until = state_.read_deadline(timeout);
    if (state_.stream().tls() != nullptr) {
        return receive_record(parts, count, until);
    }
    while (state_.check_open()) {
        if (state_.descriptor().may_be_ready(Direction::kRead)) {
            long got = os::receive_vector(state_.fd(), parts, count);
            if (got >= 0) {
                return got;
            }
            if (errno != EAGAIN) {
                state_.fail(errno);
                return -1;
            }
            state_.descriptor().blocked(Direction::kRead);
        }
        if (!state_.wait(Direction::kRead, until)) {
            return -1;
        }
    }
    return -1;
}

long EndpointReceiver::receive_vector_all(iovec* parts, int count, double timeout) {
    state_.clear_error();
    take_seen();
    Nanos until = state_.read_deadline(timeout);
    size_t done = 0;
    for (int i = 0; i < count && state_.check_open(); i++) {
        size_t got = state_.stream().receive_exactly(static_cast<char*>(parts[i].iov_base),
                                                     parts[i].iov_len, until);
        done += got;
        if (got < parts[i].iov_len) {
            if (state_.stream().error() != 0) {
                state_.fail_as_stream();
            }
            break;
        }
    }
    return done == 0 && state_.error() != 0 ? -1 : static_cast<long>(done);
}

}  // namespace stampede::io
