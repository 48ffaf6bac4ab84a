#include "proto/ws/handshake.h"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <cstring>

namespace stampede::proto::ws {

namespace {

constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

bool is_base64(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/';
}

}  // namespace

void make_accept(std::string_view key, char (&out)[kAcceptLength]) {
    unsigned char text[64 + 36];
    size_t length = key.size() < 64 ? key.size() : 64;
    std::memcpy(text, key.data(), length);
    std::memcpy(text + length, kGuid.data(), kGuid.size());
    unsigned char digest[SHA_DIGEST_LENGTH];
    SHA1(text, length + kGuid.size(), digest);
    unsigned char coded[kAcceptLength + 1];
    EVP_EncodeBlock(coded, digest, sizeof(digest));
    std::memcpy(out, coded, kAcceptLength);
}

void make_key(const unsigned char (&chance)[16], char (&out)[kKeyLength]) {
    unsigned char coded[kKeyLength + 1];
    EVP_EncodeBlock(coded, chance, sizeof(chance));
    std::memcpy(out, coded, kKeyLength);
}

bool valid_key(std::string_view key) {
    if (key.size() != kKeyLength || key.substr(22) != "==") {
        return false;
    }
    for (char c : key.substr(0, 22)) {
        if (!is_base64(c)) {
            return false;
        }
    }
    return true;
}

}  // namespace stampede::proto::ws
