#include "proto/proxy/header.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace stampede::proto::proxy {

namespace {

constexpr std::string_view kTextMark = "PROXY ";
constexpr std::string_view kBinaryMark("\r\n\r\n\0\r\nQUIT\n", 12);
constexpr size_t kMostText = 107;  // with the line's end
constexpr size_t kBinaryHead = 16;

constexpr HeaderResult kBad{HeaderStatus::kBad, 0};

// ---- version 1 ---------------------------------------------------------------------------------

// Up to the next space, which goes too. Empty: there is none, or nothing before it.
std::string_view next_word(std::string_view& rest) {
    size_t end = std::min(rest.find(' '), rest.size());
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
}

bool take_address(std::string_view host, std::string_view port, int family, Address& out) {
    uint16_t number = 0;
    if (!parse_ip(host, out) || out.sin6_family != family || !parse_port(port, number)) {
        return false;
    }
    out.sin6_port = htons(number);
    return true;
}

// The line without its end, after the mark.
bool read_text(std::string_view line, Header& out) {
    if (line == "UNKNOWN" || line.starts_with("UNKNOWN ")) {
        out.own = true;
        return true;
    }
    if (line.ends_with(" ")) {
        return false;
    }
    std::string_view family = next_word(line);
    std::string_view source = next_word(line);
    std::string_view destination = next_word(line);
    std::string_view source_port = next_word(line);
    std::string_view destination_port = line;
    if (family != "TCP4" && family != "TCP6") {
        return false;
    }
    int wanted = family == "TCP4" ? AF_INET : AF_INET6;
    return take_address(source, source_port, wanted, out.source) &&
           take_address(destination, destination_port, wanted, out.destination);
}

HeaderResult parse_text(std::string_view bytes, Header& out) {
    size_t end = bytes.substr(0, kMostText).find_first_of("\r\n");
    if (end == bytes.npos || (bytes[end] == '\r' && end + 1 == bytes.size())) {
        return bytes.size() < kMostText ? HeaderResult() : kBad;
    }
    bool ends_well = bytes[end] == '\r' && end + 1 < kMostText && bytes[end + 1] == '\n';
    std::string_view line = bytes.substr(kTextMark.size(), end - kTextMark.size());
    if (!ends_well || !read_text(line, out)) {
        return kBad;
    }
    return {HeaderStatus::kDone, end + 2};
}

// ---- version 2 ---------------------------------------------------------------------------------

enum Type : uint8_t { kChecksum = 0x03, kTls = 0x20 };

uint8_t byte_at(std::string_view bytes, size_t at) { return static_cast<uint8_t>(bytes[at]); }

uint32_t number_at(std::string_view bytes, size_t at, size_t size) {
    uint32_t number = 0;
    for (size_t i = 0; i < size; i++) {
        number = number << 8 | byte_at(bytes, at + i);
    }
    return number;
}

// CRC-32C (Castagnoli) of the header with zeros in the place of the checksum itself.
uint32_t checksum(std::string_view header, size_t place) {
    uint32_t crc = ~uint32_t{0};
    for (size_t i = 0; i < header.size(); i++) {
        crc ^= i >= place && i < place + 4 ? 0 : byte_at(header, i);
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78u : 0);
        }
    }
    return ~crc;
}

// What follows the addresses: type, length, value, until the header's end.
bool read_extras(std::string_view header, size_t at, Header& out) {
    while (at < header.size()) {
        if (header.size() - at < 3) {
            return false;
        }
        uint8_t type = byte_at(header, at);
        size_t length = number_at(header, at + 1, 2);
        at += 3;
        if (header.size() - at < length) {
            return false;
        }
        if (type == kChecksum) {
            if (length != 4 || number_at(header, at, 4) != checksum(header, at)) {
                return false;
            }
        } else if (type == kTls) {
            constexpr size_t kLeast = 5;  // what the client does, and whether it was verified
            if (length < kLeast) {
                return false;
            }
            out.encrypted = (byte_at(header, at) & 1) != 0;
        }
        at += length;
    }
    return true;
}

void copy_address(std::string_view header, size_t at, size_t port_at, Address& out) {
    uint16_t port;
    std::memcpy(&port, header.data() + port_at, sizeof(port));
    out.sin6_port = port;
    if (out.sin6_family == AF_INET) {
        std::memcpy(&reinterpret_cast<sockaddr_in&>(out).sin_addr, header.data() + at, 4);
    } else {
        std::memcpy(&out.sin6_addr, header.data() + at, 16);
    }
}

// Where the addresses end; 0: they are not those of a stream.
size_t read_addresses(std::string_view header, Header& out) {
    uint8_t family = byte_at(header, 13);
    size_t room = header.size() - kBinaryHead;
    if (family == 0x00) {  // the proxy does not say
        out.own = true;
        return header.size();
    }
    if (family == 0x31) {
        constexpr size_t kPaths = 2 * 108;
        return room >= kPaths ? kBinaryHead + kPaths : 0;
    }
    size_t width = family == 0x11 ? 4 : family == 0x21 ? 16 : 0;
    if (width == 0 || room < 2 * width + 4) {
        return 0;
    }
    size_t ports = kBinaryHead + 2 * width;
    out.source.sin6_family = out.destination.sin6_family = width == 4 ? AF_INET : AF_INET6;
    copy_address(header, kBinaryHead, ports, out.source);
    copy_address(header, kBinaryHead + width, ports + 2, out.destination);
    return ports + 4;
}

HeaderResult parse_binary(std::string_view bytes, Header& out) {
    if (bytes.size() < kBinaryHead) {
        return {};
    }
    uint8_t version = byte_at(bytes, 12) >> 4;
    uint8_t command = byte_at(bytes, 12) & 0x0f;
    size_t size = kBinaryHead + number_at(bytes, 14, 2);
    if (version != 2 || command > 1 || size > kMostHeader) {
        return kBad;
    }
    if (bytes.size() < size) {
        return {};
    }
    if (command == 0) {  // what it says of addresses is to be passed over
        out.own = true;
        return {HeaderStatus::kDone, size};
    }
    std::string_view header = bytes.substr(0, size);
    size_t extras = read_addresses(header, out);
    if (extras == 0 || !read_extras(header, extras, out)) {
        return kBad;
    }
    return {HeaderStatus::kDone, size};
}

}  // namespace

HeaderResult parse_header(const char* data, size_t size, Header& out) {
    std::string_view bytes(data, size);
    out = {};
    for (std::string_view mark : {kTextMark, kBinaryMark}) {
        size_t count = std::min(size, mark.size());
        if (bytes.substr(0, count) != mark.substr(0, count)) {
            continue;
        }
        if (count < mark.size()) {
            return {};
        }
        return mark == kTextMark ? parse_text(bytes, out) : parse_binary(bytes, out);
    }
    return kBad;
}

}  // namespace stampede::proto::proxy
