// WebSocket bytes, with and without compression: the pieces they come in change nothing, and no
// message is larger than its limit.
#include <cstdlib>
#include <string>
#include <vector>

#include "proto/ws/reader.h"

using namespace stampede;
using namespace stampede::proto;

namespace {

std::vector<std::string> read(std::string_view data, size_t piece, ws::Role role) {
    auto deflate = ws::Deflate::create(role, {}, 1);
    ws::Reader reader(role, {4096, 64}, deflate.get());
    Buffer in;
    std::vector<std::string> seen;
    while (!data.empty()) {
        in.append(data.substr(0, piece));
        data.remove_prefix(std::min(piece, data.size()));
        for (;;) {
            ws::ReadEvent event = reader.next(in);
            if (event.kind == ws::ReadEvent::Kind::kNeedMore) {
                break;
            }
            if (event.payload.size() > 4096) {
                std::abort();
            }
            seen.push_back(std::to_string(static_cast<int>(event.kind)) + ":" +
                           std::to_string(event.code) + ":" + std::string(event.payload));
            if (event.kind == ws::ReadEvent::Kind::kBad) {
                return seen;
            }
        }
    }
    return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    std::string_view data(reinterpret_cast<const char*>(bytes), size);
    for (ws::Role role : {ws::Role::kClient, ws::Role::kServer}) {
        auto whole = read(data, size + 1, role);
        if (read(data, 1, role) != whole || read(data, 13, role) != whole) {
            std::abort();
        }
    }
    return 0;
}
