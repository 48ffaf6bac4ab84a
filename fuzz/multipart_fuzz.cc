// Fuzzes the multipart parser: the same body whole and cut at places that the input chooses must
// give the same events. The first byte of the input is the seed of the cuts; the boundary is always
// "b".
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "proto/http/multipart.h"

namespace {

using stampede::proto::http::MultipartLimits;
using stampede::proto::http::MultipartParser;
using Event = MultipartParser::Event;

MultipartLimits small_limits() {
    MultipartLimits limits;
    limits.parts = 4;
    limits.part_head_bytes = 120;
    limits.part_head_lines = 3;
    limits.name_bytes = 10;
    limits.preamble_bytes = 20;
    return limits;
}

class Log {
public:
    Log() : parser_("b", small_limits()) {}

    void feed(std::string_view piece) {
        // An allocation of its own, so that a view that outlives its call is seen.
        std::unique_ptr<char[]> copy(new char[piece.size()]);
        piece.copy(copy.get(), piece.size());
        std::string_view input(copy.get(), piece.size());
        Event event;
        do {
            event = parser_.next(input);
            write(event);
        } while (event != Event::kNeedMore && event != Event::kDone && event != Event::kBad);
    }

    const std::string& text() const { return text_; }

private:
    void write(Event event) {
        if (event == last_ && (event == Event::kDone || event == Event::kBad)) {
            return;
        }
        last_ = event;
        if (event == Event::kPartData) {
            text_ += parser_.data();
        } else if (event == Event::kPartBegin) {
            text_ += "\n[part ";
            text_ += parser_.name();
            text_ += parser_.is_file() ? " file " : " field ";
            text_ += parser_.filename();
            text_ += "|";
            text_ += parser_.full_path();
            text_ += "|";
            text_ += parser_.content_type();
            text_ += "]";
        } else if (event != Event::kNeedMore) {
            text_ += "\n[" + std::to_string(static_cast<int>(event)) + " " +
                     std::to_string(parser_.http_status()) + "]";
        }
    }

    MultipartParser parser_;
    Event last_ = Event::kNeedMore;
    std::string text_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2 || size > 8192) {
        return 0;
    }
    unsigned seed = data[0];
    std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    Log whole;
    whole.feed(bytes);
    Log cut;
    while (!bytes.empty()) {
        seed = seed * 1664525 + 1013904223;
        size_t length = std::min<size_t>(1 + (seed >> 24) % 9, bytes.size());
        cut.feed(bytes.substr(0, length));
        bytes.remove_prefix(length);
    }
    if (whole.text() != cut.text()) {
        std::fprintf(stderr, "cut input differs.\n--- whole:%s\n--- cut:%s\n", whole.text().c_str(),
                     cut.text().c_str());
        std::abort();
    }
    return 0;
}
