// What a connection still has to send, in order: small bytes gathered in one cork buffer, large
// bodies by reference, files by descriptor. Owned by its Connection, loop thread, never parks.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/buffer.h"
#include "net/transport.h"

namespace stampede::net {

// A run of bytes that somebody else keeps alive until release(owner) is called.
struct BytesRef {
    std::string_view bytes;
    void* owner = nullptr;
    void (*release)(void* owner) = nullptr;
};

struct FileRange {
    int fd = -1;  // owned by the queue from then on
    off_t offset = 0;
    uint64_t length = 0;
};

enum class FlushResult : uint8_t { kDrained, kBlocked, kFailed };

class WriteQueue {
public:
    ~WriteQueue() { drop(); }

    // Where small writes go; the caller appends at the end.
    Buffer& cork() { return cork_; }
    void add(const BytesRef& bytes);
    void add(const FileRange& file);

    bool empty() const { return cork_.empty() && segments_.empty(); }
    uint64_t pending() const { return cork_.size() + segment_bytes_; }
    // Without what is read of files when it is sent.
    uint64_t pending_in_memory() const { return pending() - file_bytes_; }
    // Descriptors that are held until their file is sent.
    uint32_t pending_files() const { return files_; }
    // Writes until everything is gone or the transport would block. Bytes moved are added to sent.
    // last: nothing will be added any more.
    FlushResult flush(Transport& transport, uint64_t& sent, bool last = false);
    // Forgets everything, releasing what is referenced.
    void drop();

private:
    struct Segment {
        uint64_t cork_before = 0;  // cork bytes that go out ahead of this segment
        BytesRef bytes;
        FileRange file;
    };

    FlushResult flush_memory(Transport& transport, uint64_t& sent, bool last);
    FlushResult flush_file(Transport& transport, uint64_t& sent);
    int gather(iovec* parts, int capacity) const;
    void consume(uint64_t count);
    void pop_front();
    void release(Segment& segment);

    Buffer cork_;
    std::vector<Segment> segments_;
    uint64_t segment_bytes_ = 0;  // those of files, too
    uint64_t file_bytes_ = 0;
    uint32_t files_ = 0;
    uint64_t cork_claimed_ = 0;  // sum of cork_before
};

}  // namespace stampede::net
