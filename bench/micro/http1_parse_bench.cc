// What parsing a request head costs, per scanner, beside a plain loop over the bytes that only
// looks for the blank line. Prints nanoseconds per head, the best of several rounds. A program of
// its own; never parks.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "proto/http1/parser_table.h"

namespace {

using namespace stampede::proto;

struct Sample {
    const char* name;
    std::string bytes;
};

std::vector<Sample> samples() {
    std::string cookie(2000, 'c');
    return {
        {"wrk", "GET / HTTP/1.1\r\nHost: 127.0.0.1:9501\r\n\r\n"},
        {"short",
         "GET /hello HTTP/1.1\r\nHost: 127.0.0.1:9501\r\nUser-Agent: wrk/4.2.0\r\nAccept: */*\r\n"
         "Connection: keep-alive\r\nAccept-Encoding: gzip\r\n\r\n"},
        {"browser",
         "GET /blog/2026/entry?page=2&sort=new HTTP/1.1\r\nHost: www.example.com\r\nConnection: "
         "keep-alive\r\n"
         "Cache-Control: max-age=0\r\nUpgrade-Insecure-Requests: 1\r\n"
         "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
         "Chrome/139.0.0.0 "
         "Safari/537.36\r\nAccept: "
         "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8\r\n"
         "Accept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: en-GB,en;q=0.9\r\n"
         "Cookie: session=0123456789abcdef0123456789abcdef; theme=dark; seen=1\r\n\r\n"},
        {"cookie-2k", "GET / HTTP/1.1\r\nHost: www.example.com\r\nCookie: " + cookie + "\r\n\r\n"},
    };
}

// Many short rounds: the best of them is one that nothing else on the machine has disturbed.
constexpr int kRounds = 400;

double nanoseconds_per_call(int calls, auto&& body) {
    double best = 1e9;
    for (int round = 0; round < kRounds; round++) {
        auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; i++) {
            body();
        }
        std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count() / calls);
    }
    return best;
}

// The least that a bytewise parser has to do: look at every byte once and notice the line ends.
size_t plain_loop(const char* data, size_t size) {
    size_t lines = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = static_cast<unsigned char>(data[i]);
        if (c < 0x20 || c == 0x7f) {
            lines += c == '\n';
        }
    }
    return lines;
}

void run(const Sample& sample) {
    constexpr int kCalls = 2000;
    http::Limits limits;
    http::RequestHead head;
    std::string padded = sample.bytes + std::string(http1::kPadding, 'x');
    const char* volatile data = padded.data();
    volatile size_t size = sample.bytes.size();
    volatile size_t sink = 0;

    double plain = nanoseconds_per_call(kCalls, [&] { sink = plain_loop(data, size); });
    std::printf("%-10s %5zu bytes   plain loop %7.1f", sample.name, sample.bytes.size(), plain);
    const http1::ParserTable* tables[] = {
        &http1::portable_parser(),
#if defined(__x86_64__)
        &http1::kSsse3Parser,
        &http1::kAvx2Parser,
#endif
    };
    for (const http1::ParserTable* table : tables) {
        double took = nanoseconds_per_call(kCalls, [&] {
            http1::ParseResult result = table->padded(data, size, 0, limits, head);
            sink = result.consumed;
        });
        std::printf("   %s %7.1f", table->name, took);
        if (sink != sample.bytes.size()) {
            std::printf(" (not parsed)");
        }
    }
    std::printf("   ns\n");
}

}  // namespace

int main() {
    std::printf("chosen here: %s\n", http1::scanner_name());
    for (const Sample& sample : samples()) {
        run(sample);
    }
    return 0;
}
