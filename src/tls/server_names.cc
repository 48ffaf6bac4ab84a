#include "tls/server_names.h"

#include <openssl/bio.h>
#include <openssl/ocsp.h>
#include <openssl/ssl.h>

#include <cstdint>
#include <cstring>
#include <string_view>

#include "tls/name_proofs.h"

namespace stampede::tls {

namespace {

constexpr size_t kLongestName = 255;

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }
    return result;
}

struct NameTable {
    NamedContexts entries;
    std::string proofs;

    ~NameTable() {
        for (auto& [name, context] : entries) {
            SSL_CTX_free(context);
        }
    }
    // A name itself, else a pattern for its first label.
    SSL_CTX* find(std::string_view wanted) const {
        std::string name = lower(wanted);
        size_t dot = name.find('.');
        std::string pattern = dot != name.npos ? "*" + name.substr(dot) : "";
        SSL_CTX* by_pattern = nullptr;
        for (const auto& [known, context] : entries) {
            if (known == name) {
                return context;
            }
            by_pattern = known == pattern ? context : by_pattern;
        }
        return by_pattern;
    }
};

template <typename T>
void free_attached(void*, void* object, CRYPTO_EX_DATA*, int, long, void*) {
    delete static_cast<T*>(object);
}

// Each type hangs on an SSL_CTX in a slot of its own.
template <typename T>
int slot_for() {
    static const int slot =
        SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, free_attached<T>);
    return slot;
}

// The first host name of the extension; empty when there is none, or it is none.
std::string_view asked_name(SSL* ssl) {
    const unsigned char* data = nullptr;
    size_t size = 0;
    if (SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_server_name, &data, &size) != 1 || size < 5) {
        return {};
    }
    size_t length = static_cast<size_t>(data[3]) << 8 | data[4];
    bool is_host = data[2] == TLSEXT_NAMETYPE_host_name;
    if (!is_host || length > size - 5 || length > kLongestName) {
        return {};
    }
    return {reinterpret_cast<const char*>(data + 5), length};
}

int choose(SSL* ssl, int* alert, void*) {
    auto* table =
        static_cast<NameTable*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), slot_for<NameTable>()));
    if (table == nullptr) {
        return SSL_CLIENT_HELLO_SUCCESS;
    }
    if (!table->proofs.empty() && asks_for_proof(ssl)) {
        SSL_CTX* proof = proof_of(table->proofs, lower(asked_name(ssl)));
        if (proof == nullptr) {
            *alert = SSL_AD_UNRECOGNIZED_NAME;
            return SSL_CLIENT_HELLO_ERROR;
        }
        SSL_set_SSL_CTX(ssl, proof);
        SSL_CTX_free(proof);  // the session has a reference
        return SSL_CLIENT_HELLO_SUCCESS;
    }
    SSL_CTX* context = table->find(asked_name(ssl));
    if (context != nullptr) {
        SSL_set_SSL_CTX(ssl, context);
    }
    return SSL_CLIENT_HELLO_SUCCESS;
}

int give_staple(SSL* ssl, void*) {
    auto* response = static_cast<std::string*>(
        SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), slot_for<std::string>()));
    if (response == nullptr) {
        return SSL_TLSEXT_ERR_NOACK;
    }
    void* copy = OPENSSL_malloc(response->size());
    if (copy == nullptr) {
        return SSL_TLSEXT_ERR_NOACK;
    }
    std::memcpy(copy, response->data(), response->size());
    SSL_set_tlsext_status_ocsp_resp(ssl, copy, static_cast<long>(response->size()));
    return SSL_TLSEXT_ERR_OK;
}

}  // namespace

void choose_by_name(SSL_CTX* context, const NamedContexts& named, const std::string& proofs) {
    auto* table = new NameTable();
    table->proofs = proofs;
    for (const auto& [name, chosen] : named) {
        SSL_CTX_up_ref(chosen);
        table->entries.emplace_back(lower(name), chosen);
    }
    SSL_CTX_set_ex_data(context, slot_for<NameTable>(), table);
    SSL_CTX_set_client_hello_cb(context, choose, nullptr);
}

bool staple(SSL_CTX* context, const std::string& file) {
    BIO* input = BIO_new_file(file.c_str(), "rb");
    OCSP_RESPONSE* response = input != nullptr ? d2i_OCSP_RESPONSE_bio(input, nullptr) : nullptr;
    BIO_free(input);
    if (response == nullptr) {
        return false;
    }
    unsigned char* bytes = nullptr;
    int size = i2d_OCSP_RESPONSE(response, &bytes);
    OCSP_RESPONSE_free(response);
    if (size <= 0) {
        return false;
    }
    auto* kept = new std::string(reinterpret_cast<char*>(bytes), static_cast<size_t>(size));
    OPENSSL_free(bytes);
    SSL_CTX_set_ex_data(context, slot_for<std::string>(), kept);
    SSL_CTX_set_tlsext_status_cb(context, give_staple);
    return true;
}

}  // namespace stampede::tls
