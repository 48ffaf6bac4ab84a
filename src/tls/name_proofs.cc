#include "tls/name_proofs.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cstring>

namespace stampede::tls {

namespace {

constexpr unsigned char kProtocol[] = {10, 'a', 'c', 'm', 'e', '-', 't', 'l', 's', '/', '1'};
constexpr size_t kListHead = 2;  // the extension begins with the length of its list

int pick_protocol(SSL*, const unsigned char** out, unsigned char* size, const unsigned char*,
                  unsigned int, void*) {
    *out = kProtocol + 1;
    *size = kProtocol[0];
    return SSL_TLSEXT_ERR_OK;
}

// The client chooses what becomes a part of a path.
bool is_host_name(std::string_view name) {
    return !name.empty() && name.front() != '.' &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
           });
}

}  // namespace

bool asks_for_proof(SSL* ssl) {
    const unsigned char* data = nullptr;
    size_t size = 0;
    return SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_application_layer_protocol_negotiation, &data,
                                     &size) == 1 &&
           size == kListHead + sizeof(kProtocol) &&
           std::memcmp(data + kListHead, kProtocol, sizeof(kProtocol)) == 0;
}

SSL_CTX* proof_of(const std::string& folder, std::string_view name) {
    if (!is_host_name(name)) {
        return nullptr;
    }
    std::string file = folder + '/' + std::string(name) + ".pem";
    SSL_CTX* context = SSL_CTX_new(TLS_server_method());
    if (context == nullptr || SSL_CTX_use_certificate_chain_file(context, file.c_str()) != 1 ||
        SSL_CTX_use_PrivateKey_file(context, file.c_str(), SSL_FILETYPE_PEM) != 1) {
        SSL_CTX_free(context);
        ERR_clear_error();
        return nullptr;
    }
    SSL_CTX_set_alpn_select_cb(context, pick_protocol, nullptr);
    return context;
}

}  // namespace stampede::tls
