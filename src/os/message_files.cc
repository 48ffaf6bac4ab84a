#include "os/message_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <iterator>
#include <utility>

#include "os/process.h"

namespace stampede::os {

namespace {

// At the beginning of a file; the message follows.
struct Header {
    enum class State : char { kDone = 0, kSent = 1 };
    State state = State::kSent;
    char unused[63] = {};
};

bool write_whole(int file, std::string_view head, std::string_view body) {
    Header header;
    iovec parts[] = {{&header, sizeof(header)},
                     {const_cast<char*>(head.data()), head.size()},
                     {const_cast<char*>(body.data()), body.size()}};
    iovec* next = parts;
    auto at = off_t{0};
    for (size_t left = sizeof(header) + head.size() + body.size(); left > 0;) {
        ssize_t count = ::pwritev(file, next, static_cast<int>(std::end(parts) - next), at);
        if (count <= 0) {
            return false;
        }
        at += count;
        left -= static_cast<size_t>(count);
        for (auto done = static_cast<size_t>(count); done > 0;) {
            size_t part = std::min(done, next->iov_len);
            next->iov_base = static_cast<char*>(next->iov_base) + part;
            next->iov_len -= part;
            done -= part;
            next += next->iov_len == 0 ? 1 : 0;
        }
    }
    return true;
}

bool read_whole(int file, char* out, size_t size) {
    auto at = static_cast<off_t>(sizeof(Header));
    while (size > 0) {
        ssize_t count = ::pread(file, out, size, at);
        if (count <= 0) {
            return false;
        }
        out += count;
        at += count;
        size -= static_cast<size_t>(count);
    }
    return true;
}

}  // namespace

MessageFiles::Kept* MessageFiles::find_free() {
    for (Kept& kept : kept_) {
        auto state = Header::State::kSent;
        if (::pread(kept.file.get(), &state, sizeof(state), offsetof(Header, state)) == 1 &&
            state == Header::State::kDone) {
            return &kept;
        }
    }
    return nullptr;
}

Result<Fd> MessageFiles::write(std::string_view head, std::string_view body) {
    if (owner_ != own_pid()) {  // in a child that a script has forked
        abandon();
        owner_ = own_pid();
    }
    bool may_keep = head.size() + body.size() <= kMostKept;
    Kept* kept = may_keep ? find_free() : nullptr;
    if (kept == nullptr) {
        Fd file(::memfd_create("stampede-message", MFD_CLOEXEC));
        if (!file) {
            return Error::last_errno();
        }
        if (!may_keep || kept_.size() == kMostFiles) {
            return write_whole(file.get(), head, body) ? Result<Fd>(std::move(file))
                                                       : Error::last_errno();
        }
        kept_.push_back({std::move(file)});
        kept = &kept_.back();
    }
    kept->used = true;
    // The reader's descriptor, which outlives the file's place here.
    Fd file(::fcntl(kept->file.get(), F_DUPFD_CLOEXEC, 0));
    if (!file || !write_whole(file.get(), head, body)) {
        Error error = Error::last_errno();
        kept_.erase(kept_.begin() + (kept - kept_.data()));
        return error;
    }
    return file;
}

bool MessageFiles::drop_unused() {
    std::erase_if(kept_, [](Kept& kept) { return !std::exchange(kept.used, false); });
    return !kept_.empty();
}

// A file that is not kept is mapped: the reader would need the memory twice.
Result<ReceivedMessage> ReceivedMessage::read(int file, size_t size,
                                              std::unique_ptr<char[]>& room) {
    ReceivedMessage message;
    if (size > MessageFiles::kMostKept) {
        Result<MappedFile> mapped = MappedFile::map(file, sizeof(Header) + size);
        if (!mapped) {
            return mapped.error();
        }
        message.mapped_ = std::move(*mapped);
        message.bytes_ = message.mapped_.bytes().substr(sizeof(Header));
        return message;
    }
    if (room == nullptr) {
        room = std::make_unique_for_overwrite<char[]>(MessageFiles::kMostKept);
    }
    if (!read_whole(file, room.get(), size)) {
        return Error::system(EINVAL);
    }
    auto done = Header::State::kDone;
    (void)!::pwrite(file, &done, sizeof(done), offsetof(Header, state));
    message.bytes_ = {room.get(), size};
    return message;
}

}  // namespace stampede::os
