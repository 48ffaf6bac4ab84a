// Certificates by which an authority proves that a name leads to this server: a connection that
// asks for the protocol "acme-tls/1" gets the one of the name from a folder, and is ended after
// the handshake (ACME, RFC 8737). Called within handshakes; any one thread; reads a small file.
#pragma once

#include <string>
#include <string_view>

using SSL = struct ssl_st;
using SSL_CTX = struct ssl_ctx_st;

namespace stampede::tls {

// Whether the client's hello offers that protocol, and no other.
bool asks_for_proof(SSL* ssl);

// The context with the certificate and the key of NAME.pem in the folder; the caller owns it. Null:
// there is none for this name.
SSL_CTX* proof_of(const std::string& folder, std::string_view name);

}  // namespace stampede::tls
