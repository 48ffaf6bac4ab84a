// Compressed request bodies: what was encoded arrives as it was or is refused for its size, garbage
// is refused, what breaks off is refused, and no way of cutting it changes that. The first byte of
// the input chooses the coding, whether the rest is the body or what is encoded for it, what stands
// behind that, and the cuts; the second how often that is repeated, and where it breaks off.
#include <cstdlib>
#include <string>

#include "contract/server/memory_server.h"
#include "proto/coding/encoder.h"

namespace {

using namespace stampede;
using proto::coding::Coding;

constexpr size_t kLimit = 2000;

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
    server.handler.response = [&](server::Exchange& exchange) {
        check(exchange.body.view().size() <= kLimit);
        seen.body = exchange.body.view();
        testing::response_with(exchange, "");
    };
    auto client = server.connect();
    for (size_t at = 0; at < request.size() && client.open(); at += piece) {
        client.send(std::string_view(request).substr(at, piece));
    }
    seen.status = client.status();
    return seen;
}

std::string request_with(Coding coding, std::string_view body) {
    std::string request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: ";
    request += proto::coding::coding_name(coding);
    request += "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    return request.append(body);
}

std::string encoded(Coding coding, std::string_view text) {
    auto encoder = proto::coding::Encoder::create(coding, 1);
    Buffer out;
    check(encoder->encode(text, proto::coding::Flush::kFinish, out));
    return std::string(out.view());
}

// What follows the encoded body.
enum class Tail { kMember, kAnything, kNone };

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
    std::string body = encode ? encoded(coding, text) : std::string(rest);
    size_t of_first = body.size();
    Tail tail = encode ? static_cast<Tail>(std::min(data[0] >> 3 & 3, 2)) : Tail::kNone;
    if (tail == Tail::kMember) {
        body += encoded(coding, text);
    } else if (tail == Tail::kAnything) {
        body += rest.substr(0, 20);
    }
    std::string request = request_with(coding, body);
    Seen whole = post(request, request.size());
    Seen cut = post(request, 1 + (data[0] >> 5) * 3u);
    check(whole == cut);
    check(whole.status == 200 || whole.status == 400 || whole.status == 413);
    if (!encode) {
        return 0;
    }
    bool has_members = coding == Coding::kGzip || coding == Coding::kZstd;
    if (tail == Tail::kMember && has_members) {
        text += text;
    }
    if (tail != Tail::kAnything && (tail == Tail::kNone || has_members)) {
        check(whole.status == (text.size() <= kLimit && body.size() <= kLimit ? 200 : 413));
        check(whole.status != 200 || whole.body == text);
    }
    size_t kept = 1 + data[1] % std::max<size_t>(of_first - 1, 1);
    if (kept < of_first) {
        std::string broken_off = request_with(coding, std::string_view(body).substr(0, kept));
        int status = post(broken_off, broken_off.size()).status;
        check(status == 400 || status == 413);
    }
    return 0;
}
