// The keys of the opening handshake (RFC 6455 4). Free functions, any thread, never parks.
#pragma once

#include <string_view>

namespace stampede::proto::ws {

inline constexpr size_t kAcceptLength = 28;
inline constexpr size_t kKeyLength = 24;

// What a server replies to a key, in base64 without a terminating NUL.
void make_accept(std::string_view key, char (&out)[kAcceptLength]);
// A key from 16 bytes of chance.
void make_key(const unsigned char (&chance)[16], char (&out)[kKeyLength]);
// Whether it is the base64 of 16 bytes.
bool valid_key(std::string_view key);

}  // namespace stampede::proto::ws
