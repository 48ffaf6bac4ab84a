#include "tls/ticket_keys.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>

#include <cstring>
#include <string_view>

namespace stampede::tls {

namespace {

constexpr int kGood = 1;
constexpr int kNoTicket = 0;
constexpr int kRenew = 2;

void mix(const uint8_t (&secret)[32], std::string_view purpose, uint8_t (&out)[32]) {
    unsigned size = sizeof(out);
    HMAC(EVP_sha256(), secret, sizeof(secret), reinterpret_cast<const uint8_t*>(purpose.data()),
         purpose.size(), out, &size);
}

bool prepare(const TicketKey& key, EVP_MAC_CTX* mac) {
    char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, const_cast<uint8_t*>(key.mac),
                                          sizeof(key.mac)),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(mac, parameters) == 1;
}

int handle_ticket(SSL* ssl, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher,
                  EVP_MAC_CTX* mac, int encrypting) {
    static EVP_CIPHER* const algorithm = EVP_CIPHER_fetch(nullptr, "AES-256-CBC", nullptr);
    TicketKeys& keys = TicketKeys::get();
    if (encrypting != 0) {
        const TicketKey& key = keys.present(wall_now());
        std::memcpy(name, key.name, sizeof(key.name));
        bool good = RAND_bytes(iv, EVP_CIPHER_get_iv_length(algorithm)) == 1 &&
                    EVP_EncryptInit_ex2(cipher, algorithm, key.cipher, iv, nullptr) == 1 &&
                    prepare(key, mac);
        return good ? kGood : -1;
    }
    const TicketKey* key = keys.find(name, wall_now());
    if (key == nullptr || EVP_DecryptInit_ex2(cipher, algorithm, key->cipher, iv, nullptr) != 1 ||
        !prepare(*key, mac)) {
        return kNoTicket;
    }
    // With TLS 1.3 a client takes each ticket once: after resuming it needs another for the next
    // time.
    bool used_up = SSL_version(ssl) >= TLS1_3_VERSION;
    return key == &keys.present(wall_now()) && !used_up ? kGood : kRenew;
}

}  // namespace

TicketKeys::TicketKeys(const uint8_t (&secret)[32]) {
    std::memcpy(secret_, secret, sizeof(secret_));
}

TicketKeys& TicketKeys::get() {
    static TicketKeys& keys = *[] {
        uint8_t secret[32];
        if (RAND_bytes(secret, sizeof(secret)) != 1) {
            std::abort();
        }
        auto* made = new TicketKeys(secret);
        OPENSSL_cleanse(secret, sizeof(secret));
        return made;
    }();
    return keys;
}

void TicketKeys::derive(TicketKey& key) const {
    uint8_t name[32];
    mix(secret_, "name", name);
    std::memcpy(key.name, name, sizeof(key.name));
    mix(secret_, "cipher", key.cipher);
    mix(secret_, "mac", key.mac);
}

// A clock that was set back changes nothing.
void TicketKeys::advance(Nanos wall) {
    int64_t period = wall / kPeriod;
    if (period <= period_) {
        return;
    }
    has_former_ = period_ == period - 1;
    int64_t steps = period_ < 0 ? 0 : period - period_;
    for (int64_t i = 0; i < steps; i++) {
        if (i + 1 == steps) {
            has_former_ = true;
            former_ = present_;
            if (steps > 1) {
                derive(former_);
            }
        }
        uint8_t next[32];
        mix(secret_, "next", next);
        std::memcpy(secret_, next, sizeof(secret_));
        OPENSSL_cleanse(next, sizeof(next));
    }
    period_ = period;
    derive(present_);
}

const TicketKey& TicketKeys::present(Nanos wall) {
    advance(wall);
    return present_;
}

const TicketKey* TicketKeys::find(const uint8_t* name, Nanos wall) {
    advance(wall);
    if (std::memcmp(name, present_.name, sizeof(present_.name)) == 0) {
        return &present_;
    }
    bool former = has_former_ && std::memcmp(name, former_.name, sizeof(former_.name)) == 0;
    return former ? &former_ : nullptr;
}

void use_ticket_keys(SSL_CTX* context) {
    (void)TicketKeys::get().present(wall_now());  // made before anything forks
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context, handle_ticket);
    SSL_CTX_set_timeout(context, static_cast<long>(TicketKeys::kPeriod / kSecond));
}

}  // namespace stampede::tls
