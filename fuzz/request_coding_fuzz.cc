// Compressed request bodies: what was encoded arrives as it was or is refused for its size, garbage
// is refused, and no way of cutting it changes that. The first byte of the input chooses the coding
// and whether the rest is the body or what is encoded for it, the second how often that is
// repeated.
#include <cstdlib>
#include <string>

#include "contract/server/memory_server.h"
#include "proto/coding/encoder.h"

namespace {

using namespace stampede;
using proto::coding::Coding;

constexpr size_t kLimit = 20000;

void check(bool condition) {
    if (!condition) {
        std::abort();
    }
}

struct Seen {
    int status = 0;
    std::string body;
    bool operator==(const Seen&) const = default;
};

Seen post(const std::string& request, size_t piece) {
    server::ServiceSettings settings;
    settings.limits.body_bytes = kLimit;
    settings.limits.decode_bodies = true;
    testing::MemoryServer server(settings);
    Seen seen;
    server.handler.answer = [&](server::Exchange& exchange) {
        check(exchange.body().size() <= kLimit);
        seen.body = exchange.body();
        testing::answer_with(exchange, "");
    };
    auto client = server.connect();
    for (size_t at = 0; at < request.size() && client.open(); at += piece) {
        client.send(std::string_view(request).substr(at, piece));
    }
    seen.status = client.status();
    return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2 || size > 4096) {
        return 0;
    }
    constexpr Coding kAll[] = {Coding::kGzip, Coding::kDeflate, Coding::kBrotli, Coding::kZstd};
    Coding coding = kAll[data[0] & 3];
    bool encode = (data[0] & 4) != 0;
    std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
    std::string text;
    for (int i = 0; encode && i <= data[1] && text.size() < 4 * kLimit; i++) {
        text += rest;
    }
    Buffer encoded;
    if (encode) {
        auto encoder = proto::coding::Encoder::create(coding, 1);
        check(encoder->encode(text, proto::coding::Flush::kFinish, encoded));
        rest = encoded.view();
    }
    std::string request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: ";
    request += proto::coding::coding_name(coding);
    request += "\r\nContent-Length: " + std::to_string(rest.size()) + "\r\n\r\n";
    request += rest;
    Seen whole = post(request, request.size());
    Seen cut = post(request, 1 + data[0] / 8u);
    check(whole == cut);
    check(whole.status == 200 || whole.status == 400 || whole.status == 413);
    if (encode) {
        check(whole.status == (text.size() <= kLimit && rest.size() <= kLimit ? 200 : 413));
        check(whole.status != 200 || whole.body == text);
    }
    return 0;
}
