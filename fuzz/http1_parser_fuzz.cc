// Fuzzes the HTTP/1 parsers as one connection sees them, and compares: every scanner, padded and
// exact input, whole and cut at places that the input itself chooses must give the same events.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "../tests/fixtures/http1/event_log.h"

namespace {

using namespace stampede::test;

// Small limits, so that the fuzzer gets to them.
http::Limits small_limits() {
    http::Limits limits;
    limits.head_bytes = 600;
    limits.target_bytes = 100;
    limits.fields = 8;
    limits.chunk_line_bytes = 40;
    limits.chunk_extension_bytes = 100;
    return limits;
}

std::string log_cut(const http1::ParserTable& parser, EventLog::Input input, std::string_view bytes,
                    unsigned seed) {
    EventLog log(parser, input, small_limits());
    while (!bytes.empty()) {
        seed = seed * 1664525 + 1013904223;
        size_t length = std::min<size_t>(1 + (seed >> 24) % 37, bytes.size());
        log.feed(bytes.substr(0, length));
        bytes.remove_prefix(length);
    }
    return log.finish();
}

void expect_same(const std::string& whole, const std::string& other, const char* parser,
                 std::string_view how) {
    if (whole != other) {
        std::fprintf(stderr, "%s, %.*s, differs.\n--- whole:\n%s--- other:\n%s", parser,
                     static_cast<int>(how.size()), how.data(), whole.c_str(), other.c_str());
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0 || size > 8192) {
        return 0;
    }
    unsigned seed = data[size - 1];
    std::string_view bytes(reinterpret_cast<const char*>(data), size);
    std::string whole = log_whole(bytes, small_limits());
    for (const http1::ParserTable* parser : runnable_parsers()) {
        expect_same(whole, log_cut(*parser, EventLog::Input::kPadded, bytes, seed), parser->name,
                    "padded and cut");
        expect_same(whole, log_cut(*parser, EventLog::Input::kExact, bytes, seed + 1), parser->name,
                    "exact and cut");
        EventLog log(*parser, EventLog::Input::kPadded, small_limits());
        log.feed(bytes);
        expect_same(whole, log.finish(), parser->name, "padded");
    }
    return 0;
}
