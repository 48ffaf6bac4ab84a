// PHP frees the state of a TLS stream before it closes the descriptor. A coroutine that waits in
// SSL_read() or SSL_write() must have left them by then.
#include <openssl/ssl.h>

#include "hooks/connection_use.h"
#include "hooks/hooks.h"

namespace stampede::hooks {

namespace {

struct Library {
    int (*shutdown)(SSL*);
    void (*free)(SSL*);
};

Library openssl;

// Another copy of the library than ours has sessions of another shape, perhaps.
// openssl.free is where the importers' slots led: to the copy that this module is linked with, or
// not.
bool is_our_library() { return openssl.free == &::SSL_free; }

void leave_first(const SSL* session) {
    if (session == nullptr || !on_php_thread() || !is_our_library()) {
        return;
    }
    int fd = ::SSL_get_fd(session);
    if (fd >= 0) {
        cut_use(fd);
    }
}

int hooked_shutdown(SSL* session) {
    leave_first(session);
    return openssl.shutdown(session);
}

void hooked_free(SSL* session) {
    leave_first(session);
    openssl.free(session);
}

}  // namespace

const Redirect kTlsRedirects[] = {
    redirect_entry<hooked_shutdown>("SSL_shutdown", openssl.shutdown),
    redirect_entry<hooked_free>("SSL_free", openssl.free),
};
const size_t kTlsRedirectCount = sizeof(kTlsRedirects) / sizeof(kTlsRedirects[0]);

}  // namespace stampede::hooks
