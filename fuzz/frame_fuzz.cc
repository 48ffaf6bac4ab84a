// Fuzzes packet framing and the handshakes with proxies: the same bytes whole and cut at places
// that the input chooses must give the same packets and the same end. The first bytes choose the
// rules.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "proto/frame/frame.h"
#include "proto/proxy/handshake.h"

namespace {

using namespace stampede::proto;

frame::Rules rules_of(uint8_t choice, uint8_t detail) {
    constexpr std::string_view kLetters = "cCsSnvlLNVqQJP";
    frame::Rules rules;
    rules.kind = static_cast<frame::Kind>(1 + choice % 8);
    if (rules.kind == frame::Kind::kMeasured) {
        rules.kind = frame::Kind::kLength;
    }
    rules.mark = std::string(1 + detail % 3, 'a');
    frame::LengthField::of_letter(kLetters[detail % kLetters.size()], rules.length);
    rules.length_offset = detail % 5;
    rules.body_offset = choice % 11 - 3;
    rules.max_size = 64 + detail;
    return rules;
}

// A digest of the packets: their sizes in order, and how it ended.
std::string packets_of(const frame::Rules& rules, std::string_view bytes, size_t piece) {
    frame::Framer framer(rules);
    std::string seen;
    size_t begin = 0;
    for (size_t end = 0; end < bytes.size();) {
        end = piece < bytes.size() - end ? end + piece : bytes.size();
        for (;;) {
            // An allocation of its own, so that a look past the end is seen.
            size_t size = end - begin;
            std::unique_ptr<char[]> copy(new char[size]);
            bytes.copy(copy.get(), size, begin);
            frame::Verdict verdict = framer.look({copy.get(), size});
            if (verdict == frame::Verdict::kNeedMore) {
                break;
            }
            if (verdict != frame::Verdict::kPacket) {
                return seen + "!";
            }
            if (framer.size() == 0 || framer.size() > size || framer.size() > rules.max_size) {
                std::abort();
            }
            seen += std::to_string(framer.size()) + " ";
            begin += framer.size();
            framer.restart();
        }
    }
    return seen;
}

template <typename Machine>
std::string end_of(Machine machine, std::string_view bytes, size_t piece) {
    size_t at = 0;
    while (machine.state() == proxy::State::kSend || machine.state() == proxy::State::kReceive) {
        if (machine.state() == proxy::State::kSend) {
            machine.sent();
            continue;
        }
        if (at == bytes.size()) {
            break;
        }
        std::string part(bytes.substr(at, piece));
        size_t used = machine.feed(part);
        if (used == 0 || used > part.size()) {
            std::abort();
        }
        at += used;
    }
    return std::to_string(static_cast<int>(machine.state())) + " " +
           std::to_string(static_cast<int>(machine.failure())) + " " + std::to_string(at);
}

void expect_same(const std::string& whole, const std::string& cut) {
    if (whole != cut) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 4) {
        return 0;
    }
    std::string_view bytes(reinterpret_cast<const char*>(data) + 3, size - 3);
    size_t piece = 1 + data[2] % 16;
    frame::Rules rules = rules_of(data[0], data[1]);
    // What ends with the last mark depends on when one looks.
    if (rules.kind != frame::Kind::kMarkAtEnd) {
        expect_same(packets_of(rules, bytes, bytes.size()), packets_of(rules, bytes, piece));
    } else {
        packets_of(rules, bytes, piece);
    }
    proxy::Credentials login;
    login.user = data[0] % 2 == 0 ? "" : "user";
    proxy::Socks5 socks({"host", 1}, login);
    expect_same(end_of(socks, bytes, bytes.size()), end_of(socks, bytes, piece));
    proxy::HttpConnect http({"host", 1}, login);
    expect_same(end_of(http, bytes, bytes.size()), end_of(http, bytes, piece));
    return 0;
}
