// Heads and bodies of responses: whatever comes, the pieces it comes in change nothing, and nothing
// is read outside of it.
#include <cstdlib>
#include <string>

#include "proto/http1/response_body.h"

using namespace stampede::proto;

namespace {

struct Outcome {
    http::ParseStatus head = http::ParseStatus::kNeedMore;
    http::ParseStatus body = http::ParseStatus::kNeedMore;
    std::string bytes;
    bool operator==(const Outcome&) const = default;
};

Outcome read(std::string_view data, size_t piece) {
    Outcome outcome;
    http1::ParsedResponseHead head;
    http::Limits limits;
    limits.head_bytes = 2048;
    size_t end = 0;
    size_t scanned = 0;
    while (outcome.head == http::ParseStatus::kNeedMore && end < data.size()) {
        end = std::min(data.size(), end + piece);
        std::string exact(data.substr(0, end));  // its own block, so that reads past it are seen
        outcome.head = http1::parse_response_head(exact, scanned, limits, head);
        scanned = end;
    }
    if (outcome.head != http::ParseStatus::kDone) {
        return outcome;
    }
    http1::ResponseBody body;
    body.begin(http1::body_end_of(head, http::Method::kGet), head.content_length, limits);
    auto sink = [&](std::string_view bytes) {
        outcome.bytes.append(bytes);
        return true;
    };
    size_t at = head.head_bytes;
    outcome.body = body.feed({}, sink).status;
    while (outcome.body == http::ParseStatus::kNeedMore && at < data.size()) {
        size_t size = std::min(piece, data.size() - at);
        outcome.body = body.feed(data.substr(at, size), sink).status;
        at += size;
    }
    return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    std::string_view data(reinterpret_cast<const char*>(bytes), size);
    Outcome whole = read(data, size + 1);
    for (size_t piece : {size_t{1}, size_t{7}}) {
        if (!(read(data, piece) == whole)) {
            std::abort();
        }
    }
    return 0;
}
