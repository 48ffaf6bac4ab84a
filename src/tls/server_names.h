// Which certificate a client gets: chosen by the name it asks for (SNI), before anything of the
// handshake is decided. And what is stapled to the certificate (OCSP). Owned by the SSL_CTX; any
// one thread; never parks.
#pragma once

#include <string>
#include <utility>
#include <vector>

using SSL_CTX = struct ssl_ctx_st;

namespace stampede::tls {

// "host" or "*.domain", and its context, of which a reference is taken.
using NamedContexts = std::vector<std::pair<std::string, SSL_CTX*>>;

// The contexts take the place of this one for clients that ask for their names; others get this
// one. proofs: the folder of name_proofs.h; empty: nobody is given one.
void choose_by_name(SSL_CTX* context, const NamedContexts& named, const std::string& proofs);

// Staples the OCSP response (DER) in the file. False: it cannot be read.
bool staple(SSL_CTX* context, const std::string& file);

}  // namespace stampede::tls
