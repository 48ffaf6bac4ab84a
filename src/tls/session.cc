#include "tls/session.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <cerrno>
#include <cstring>

#include "os/socket.h"
#include "tls/socket_bio.h"

namespace stampede::tls {

namespace {

bool is_address(const std::string& host) {
    return os::parse_ipv4(host.c_str(), 0) || os::parse_ipv6(host.c_str(), 0);
}

// Addresses are verified, but not sent as a name.
bool expect_host(SSL* ssl, std::string host) {
    if (!host.empty() && host.back() == '.') {
        host.pop_back();
    }
    if (host.empty()) {
        return true;
    }
    X509_VERIFY_PARAM* expected = SSL_get0_param(ssl);
    if (is_address(host)) {
        return X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str()) == 1;
    }
    X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return X509_VERIFY_PARAM_set1_host(expected, host.data(), host.size()) == 1 &&
           SSL_set_tlsext_host_name(ssl, host.c_str()) == 1;
}

}  // namespace

std::unique_ptr<Session> Session::create(Context& context, int fd, Role role, const char* host) {
    SSL* ssl = SSL_new(context.native());
    BIO* bio = ssl != nullptr ? new_socket_bio(fd) : nullptr;
    if (bio == nullptr) {
        SSL_free(ssl);
        return nullptr;
    }
    SSL_set_bio(ssl, bio, bio);
    std::unique_ptr<Session> session(new Session(ssl));
    session->let_kernel_send(fd);
    if (role == Role::kServer) {
        SSL_set_accept_state(ssl);
        return session;
    }
    SSL_set_connect_state(ssl);
    return expect_host(ssl, host != nullptr ? host : "") ? std::move(session) : nullptr;
}

Session::~Session() { SSL_free(ssl_); }

Step Session::step_of(int result) {
    int saved_errno = errno;
    if (result > 0) {
        return Step::kDone;
    }
    switch (SSL_get_error(ssl_, result)) {
        case SSL_ERROR_WANT_READ:
            return Step::kWantRead;
        case SSL_ERROR_WANT_WRITE:
            return Step::kWantWrite;
        case SSL_ERROR_ZERO_RETURN:
            return Step::kClosed;
        case SSL_ERROR_SYSCALL:
            system_error_ = saved_errno != 0 ? saved_errno : ECONNRESET;
            return Step::kFailed;
        default:
            break;
    }
    failure_ = ERR_peek_error();
    ERR_clear_error();
    if (ERR_GET_REASON(failure_) == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
        // Many peers end this way on purpose.
        cut_off_ = true;
        if (established_) {
            return Step::kClosed;
        }
        system_error_ = ECONNRESET;
    }
    return Step::kFailed;
}

Step Session::handshake() {
    ERR_clear_error();
    errno = 0;
    Step step = step_of(SSL_do_handshake(ssl_));
    if (step == Step::kDone && !established_) {
        established_ = true;
        settle_who_sends();
    }
    return step;
}

bool Session::is_resumed() const { return SSL_session_reused(ssl_) == 1; }

bool Session::ends_with_tickets() const { return SSL_version(ssl_) >= TLS1_3_VERSION; }

Step Session::read(char* out, size_t capacity, size_t& count) {
    ERR_clear_error();
    errno = 0;
    return step_of(SSL_read_ex(ssl_, out, capacity, &count));
}

Step Session::peek(char* out, size_t capacity, size_t& count) {
    ERR_clear_error();
    errno = 0;
    return step_of(SSL_peek_ex(ssl_, out, capacity, &count));
}

Step Session::write(const char* data, size_t size, size_t& count) {
    ERR_clear_error();
    errno = 0;
    return step_of(SSL_write_ex(ssl_, data, size, &count));
}

void Session::divert(Buffer* output) {
    if (!kernel_may_send_) {
        divert_output(SSL_get_wbio(ssl_), output);
    }
}

// The library hands the keys to the kernel where it knows the descriptor: through a BIO of its own
// kind, until it is known whether it could.
void Session::let_kernel_send(int fd) {
    if ((SSL_get_options(ssl_) & SSL_OP_ENABLE_KTLS) == 0) {
        return;
    }
    if (BIO* own = BIO_new_socket(fd, BIO_NOCLOSE)) {
        SSL_set0_wbio(ssl_, own);
        kernel_may_send_ = true;
    }
}

void Session::settle_who_sends() {
    if (!kernel_may_send_) {
        return;
    }
    kernel_sends_ = BIO_get_ktls_send(SSL_get_wbio(ssl_));
    if (kernel_sends_) {
        return;
    }
    BIO* bio = SSL_get_rbio(ssl_);
    BIO_up_ref(bio);
    SSL_set0_wbio(ssl_, bio);
    kernel_may_send_ = false;
}

void Session::say_goodbye() {
    if (established_ && failure_ == 0 && system_error_ == 0) {
        ERR_clear_error();
        SSL_shutdown(ssl_);
        ERR_clear_error();
    }
}

bool Session::has_pending() const { return SSL_pending(ssl_) > 0; }

void Session::read_ahead() { SSL_set_read_ahead(ssl_, 1); }

bool Session::holds_bytes() const { return SSL_has_pending(ssl_) == 1; }

bool Session::drained() const {
    return SSL_has_pending(ssl_) == 0 && socket_is_drained(SSL_get_rbio(ssl_));
}

bool Session::peer_is_refused() const {
    return !SSL_is_server(ssl_) && SSL_get_verify_result(ssl_) != X509_V_OK &&
           (established_ || ERR_GET_REASON(failure_) == SSL_R_CERTIFICATE_VERIFY_FAILED);
}

std::string Session::verdict(Verification verification) const {
    if (SSL_get0_peer_certificate(ssl_) == nullptr) {
        return "the peer has shown no certificate";
    }
    long result = SSL_get_verify_result(ssl_);
    bool tolerated = verification == Verification::kPeerOrSelfSigned &&
                     result == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT;
    return result == X509_V_OK || tolerated ? "" : X509_verify_cert_error_string(result);
}

std::string Session::failure() const {
    if (ERR_GET_REASON(failure_) == SSL_R_CERTIFICATE_VERIFY_FAILED) {
        return std::string("The peer's certificate is refused: ") +
               X509_verify_cert_error_string(SSL_get_verify_result(ssl_)) + ".";
    }
    if (system_error_ != 0) {
        return std::string("The connection broke during TLS: ") + std::strerror(system_error_) +
               ".";
    }
    const char* reason = ERR_reason_error_string(failure_);
    return std::string("TLS failed: ") + (reason != nullptr ? reason : "no reason is known") + ".";
}

std::string_view Session::alpn() const {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl_, &name, &size);
    return {reinterpret_cast<const char*>(name), size};
}

std::string Session::peer_certificate_pem() const {
    X509* certificate = SSL_get0_peer_certificate(ssl_);
    BIO* memory = certificate != nullptr ? BIO_new(BIO_s_mem()) : nullptr;
    std::string pem;
    if (memory != nullptr && PEM_write_bio_X509(memory, certificate) == 1) {
        char* text = nullptr;
        long size = BIO_get_mem_data(memory, &text);
        pem.assign(text, static_cast<size_t>(size));
    }
    BIO_free(memory);
    return pem;
}

}  // namespace stampede::tls
