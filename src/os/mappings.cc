#include "os/mappings.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "os/fd.h"

namespace stampede::os {

namespace {

constexpr size_t kLine = 8 * 1024;  // longer than a path can be

uint64_t take_number(std::string_view& text, unsigned base) {
    uint64_t value = 0;
    while (!text.empty()) {
        char c = text.front();
        unsigned digit = c >= '0' && c <= '9'   ? c - '0'
                         : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                                : base;
        if (digit >= base) {
            break;
        }
        value = value * base + digit;
        text.remove_prefix(1);
    }
    return value;
}

void skip_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find(' '), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

// "7f00-7f10 rw-p 00000000 00:00 0    name"
bool parse_place(std::string_view line, Mapping& out) {
    out = Mapping();
    out.begin = take_number(line, 16);
    if (line.empty() || line.front() != '-') {
        return false;
    }
    line.remove_prefix(1);
    out.end = take_number(line, 16);
    if (line.size() < 6 || line.front() != ' ') {
        return false;
    }
    line.remove_prefix(1);
    out.protection = (line[0] == 'r' ? PROT_READ : 0) | (line[1] == 'w' ? PROT_WRITE : 0) |
                     (line[2] == 'x' ? PROT_EXEC : 0);
    out.is_shared = line[3] == 's';
    skip_word(line);
    out.offset = take_number(line, 16);
    skip_word(line);
    skip_word(line);  // the device
    out.inode = take_number(line, 10);
    skip_word(line);
    out.is_stack = line == "[stack]";
    out.is_kernels = line.starts_with("[v");
    out.is_huge = line.starts_with("/anon_hugepage");
    return true;
}

void parse_flags(std::string_view line, Mapping& mapping) {
    auto has = [line](std::string_view flag) { return line.find(flag) != line.npos; };
    mapping.is_kept_out = has(" wf") || has(" dp") || has(" dc") || has(" io") || has(" pf");
    mapping.is_huge = mapping.is_huge || has(" ht");
}

// Lines of a file, one after the other, from a buffer on the stack.
class Lines {
public:
    explicit Lines(int fd) : fd_(fd) {}

    // False at the end of the file, or at a line that is too long.
    bool next(std::string_view& line) {
        for (;;) {
            const void* newline = memchr(buffer_ + begin_, '\n', end_ - begin_);
            if (newline != nullptr) {
                size_t at = static_cast<const char*>(newline) - buffer_;
                line = {buffer_ + begin_, at - begin_};
                begin_ = at + 1;
                return true;
            }
            memmove(buffer_, buffer_ + begin_, end_ - begin_);
            end_ -= begin_;
            begin_ = 0;
            long read = end_ == kLine ? 0 : read_some(fd_, buffer_ + end_, kLine - end_);
            if (read <= 0) {
                return false;
            }
            end_ += static_cast<size_t>(read);
        }
    }

private:
    int fd_;
    size_t begin_ = 0;
    size_t end_ = 0;
    char buffer_[kLine];
};

}  // namespace

Result<size_t> read_mappings(std::span<Mapping> out, MappingDetail detail) {
    bool with_flags = detail == MappingDetail::kFlags;
    Fd file(::open(with_flags ? "/proc/self/smaps" : "/proc/self/maps", O_RDONLY | O_CLOEXEC));
    if (!file) {
        return Error::last_errno();
    }
    Lines lines(file.get());
    size_t count = 0;
    for (std::string_view line; lines.next(line);) {
        if (with_flags && line.starts_with("VmFlags:") && count > 0) {
            parse_flags(line, out[count - 1]);
            continue;
        }
        Mapping mapping;
        if (!parse_place(line, mapping)) {
            continue;  // a line of numbers about the mapping before
        }
        if (count == out.size()) {
            return Error::system(E2BIG);
        }
        out[count++] = mapping;
    }
    return count;
}

}  // namespace stampede::os
