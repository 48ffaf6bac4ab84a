// Fuzzes the PROXY header and the fields that proxies add. A header that is cut anywhere must ask
// for more or be refused as the whole one is, and what is behind it must not matter. A client's
// part of a field must not change what trusted hops wrote behind it.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "proto/proxy/forwarded.h"
#include "proto/proxy/header.h"

namespace {

using namespace stampede::proto::proxy;

void check(bool condition) {
    if (!condition) {
        std::abort();
    }
}

HeaderResult parse(std::string_view bytes, Header& out) {
    // An allocation of its own, so that a look past the end is seen.
    std::unique_ptr<char[]> copy(new char[bytes.size()]);
    bytes.copy(copy.get(), bytes.size());
    return parse_header(copy.get(), bytes.size(), out);
}

void fuzz_header(std::string_view bytes) {
    Header whole;
    HeaderResult result = parse(bytes, whole);
    check(result.size <= bytes.size() && result.size <= kMostHeader);
    check((result.status == HeaderStatus::kDone) == (result.size > 0));
    for (size_t size = 0; size < bytes.size(); size++) {
        Header part;
        HeaderResult cut = parse(bytes.substr(0, size), part);
        if (result.status == HeaderStatus::kDone && size >= result.size) {
            check(cut.status == HeaderStatus::kDone && cut.size == result.size);
            check(std::memcmp(&part.source, &whole.source, sizeof(part.source)) == 0);
        } else if (result.status != HeaderStatus::kBad) {
            check(cut.status == HeaderStatus::kNeedMore);
        } else {
            check(cut.status != HeaderStatus::kDone);
        }
    }
    check(result.status != HeaderStatus::kNeedMore || bytes.size() < kMostHeader);
}

void fuzz_fields(std::string_view text) {
    static const TrustedPeers trusted = [] {
        TrustedPeers peers;
        check(peers.add("private"));
        return peers;
    }();
    Address peer;
    check(parse_ip("10.0.0.1", peer));
    std::string_view first = text.substr(0, text.size() / 2);
    std::string_view second = text.substr(first.size());
    std::string x_for = std::string(text) + ", 203.0.113.9, 10.0.0.2";
    std::string forwarded = std::string(text) + ", for=203.0.113.9;proto=https, for=10.0.0.2";
    ForwardedFields fields;
    fields.x_for.add(first);
    fields.x_for.add(x_for);
    fields.x_proto.add(second);
    fields.x_host.add(first);
    fields.x_port.add(second);
    fields.forwarded.add(second);
    fields.forwarded.add(forwarded);
    Address client;
    check(parse_ip("203.0.113.9", client));
    for (ForwardedStyle style : {ForwardedStyle::kXForwarded, ForwardedStyle::kForwarded}) {
        Origin origin = find_origin(fields, style, trusted, peer);
        check(std::memcmp(&origin.client, &client, sizeof(client)) == 0);
        check(style == ForwardedStyle::kXForwarded || origin.scheme == Origin::Scheme::kHttps);
    }
    // The text alone: whatever it says, the outcome is an address.
    ForwardedFields alone;
    alone.forwarded.add(text);
    alone.x_for.add(text);
    for (ForwardedStyle style : {ForwardedStyle::kXForwarded, ForwardedStyle::kForwarded}) {
        Origin origin = find_origin(alone, style, trusted, peer);
        check(origin.client.sin6_family == AF_INET || origin.client.sin6_family == AF_INET6);
    }
    TrustedPeers list;
    (void)list.add(text);
    (void)list.contains(peer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 1 || size > 4500) {
        return 0;
    }
    std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] % 2 == 0) {
        fuzz_header(bytes);
    } else {
        fuzz_fields(bytes);
    }
    return 0;
}
