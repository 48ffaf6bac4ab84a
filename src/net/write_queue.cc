#include "net/write_queue.h"

#include <cerrno>

#include "os/fd.h"

namespace stampede::net {

void WriteQueue::add(const BytesRef& bytes) {
    Segment segment;
    segment.cork_before = cork_.size() - cork_claimed_;
    segment.bytes = bytes;
    cork_claimed_ = cork_.size();
    segment_bytes_ += bytes.bytes.size();
    segments_.push_back(segment);
}

void WriteQueue::add(const FileRange& file) {
    if (file.length == 0) {  // what is sent ahead of it would wait for bytes that never come
        os::close_fd(file.fd);
        return;
    }
    Segment segment;
    segment.cork_before = cork_.size() - cork_claimed_;
    segment.file = file;
    cork_claimed_ = cork_.size();
    segment_bytes_ += file.length;
    file_bytes_ += file.length;
    files_++;
    segments_.push_back(segment);
}

FlushResult WriteQueue::flush(Transport& transport, uint64_t& sent, bool last) {
    while (!empty()) {
        bool file_next = !segments_.empty() && segments_.front().cork_before == 0 &&
                         segments_.front().file.fd >= 0;
        FlushResult result =
            file_next ? flush_file(transport, sent) : flush_memory(transport, sent, last);
        if (result != FlushResult::kDrained) {
            return result;
        }
    }
    return FlushResult::kDrained;
}

// Everything up to the next file, in as few calls as the vector allows.
FlushResult WriteQueue::flush_memory(Transport& transport, uint64_t& sent, bool last) {
    iovec parts[32];
    int count = gather(parts, 32);
    uint64_t wanted = 0;
    for (int i = 0; i < count; i++) {
        wanted += parts[i].iov_len;
    }
    if (wanted == 0) {  // an empty reference
        pop_front();
        return FlushResult::kDrained;
    }
    if (last && wanted == pending()) {
        transport.expect_last_write();
    }
    if (files_ > 0) {
        transport.expect_file();
    }
    long moved = transport.write(parts, count);
    if (moved < 0) {
        return errno == EAGAIN ? FlushResult::kBlocked : FlushResult::kFailed;
    }
    sent += static_cast<uint64_t>(moved);
    consume(static_cast<uint64_t>(moved));
    return static_cast<uint64_t>(moved) == wanted ? FlushResult::kDrained : FlushResult::kBlocked;
}

int WriteQueue::gather(iovec* parts, int capacity) const {
    int count = 0;
    const char* cork = cork_.data();
    for (const Segment& segment : segments_) {
        if (segment.cork_before > 0 && count < capacity) {
            parts[count++] = {const_cast<char*>(cork), segment.cork_before};
            cork += segment.cork_before;
        }
        if (segment.file.fd >= 0 || count >= capacity) {
            return count;
        }
        if (!segment.bytes.bytes.empty()) {
            parts[count++] = {const_cast<char*>(segment.bytes.bytes.data()),
                              segment.bytes.bytes.size()};
        }
    }
    uint64_t rest = cork_.size() - cork_claimed_;
    if (rest > 0 && count < capacity) {
        parts[count++] = {const_cast<char*>(cork), rest};
    }
    return count;
}

void WriteQueue::consume(uint64_t count) {
    while (!segments_.empty()) {
        Segment& segment = segments_.front();
        uint64_t corked = segment.cork_before < count ? segment.cork_before : count;
        cork_.consume(corked);
        segment.cork_before -= corked;
        cork_claimed_ -= corked;
        count -= corked;
        if (segment.cork_before > 0 || segment.file.fd >= 0) {
            return;
        }
        size_t size = segment.bytes.bytes.size();
        size_t taken = size < count ? size : static_cast<size_t>(count);
        segment.bytes.bytes.remove_prefix(taken);
        segment_bytes_ -= taken;
        count -= taken;
        if (!segment.bytes.bytes.empty()) {
            return;
        }
        pop_front();
    }
    cork_.consume(count);
}

FlushResult WriteQueue::flush_file(Transport& transport, uint64_t& sent) {
    FileRange& file = segments_.front().file;
    while (file.length > 0) {
        // Bounded, so that one fast reader of a huge file does not hold the loop.
        size_t step = file.length < (1u << 20) ? static_cast<size_t>(file.length) : 1u << 20;
        long moved = transport.send_file(file.fd, file.offset, step);
        if (moved < 0) {
            return errno == EAGAIN ? FlushResult::kBlocked : FlushResult::kFailed;
        }
        if (moved ==
            0) {  // the file became shorter than promised: the response cannot be completed
            return FlushResult::kFailed;
        }
        sent += static_cast<uint64_t>(moved);
        file.length -= static_cast<uint64_t>(moved);
        segment_bytes_ -= static_cast<uint64_t>(moved);
        file_bytes_ -= static_cast<uint64_t>(moved);
    }
    pop_front();
    return FlushResult::kDrained;
}

void WriteQueue::pop_front() {
    release(segments_.front());
    segments_.erase(segments_.begin());
}

void WriteQueue::release(Segment& segment) {
    if (segment.bytes.release != nullptr) {
        segment.bytes.release(segment.bytes.owner);
    }
    if (segment.file.fd >= 0) {
        os::close_fd(segment.file.fd);
        files_--;
    }
}

void WriteQueue::drop() {
    for (Segment& segment : segments_) {
        release(segment);
    }
    segments_.clear();
    cork_.clear();
    segment_bytes_ = file_bytes_ = 0;
    cork_claimed_ = 0;
}

}  // namespace stampede::net
