#include "classes/client/client_kind.h"

#include "classes/socket/socket.h"
#include "error_numbers.h"

namespace stampede::classes {

namespace {

constexpr zend_long kTls = 512;    // SWOOLE_SSL
constexpr zend_long kKeep = 4096;  // SWOOLE_KEEP
constexpr zend_long kKinds = 0xff;

}  // namespace

bool client_kind_of(zend_long type, ClientKind& out) {
    static constexpr os::SocketKind kKnown[] = {
        {AF_INET, SOCK_STREAM, 0}, {AF_INET, SOCK_DGRAM, 0},  {AF_INET6, SOCK_STREAM, 0},
        {AF_INET6, SOCK_DGRAM, 0}, {AF_UNIX, SOCK_STREAM, 0}, {AF_UNIX, SOCK_DGRAM, 0},
    };
    zend_long kind = type & kKinds;
    if (kind < 1 || kind > 6) {
        return false;
    }
    out.socket = kKnown[kind - 1];
    out.tls = (type & kTls) != 0;
    out.keep = (type & kKeep) != 0;
    return true;
}

void merge_settings(zval* property, HashTable* settings) {
    ZVAL_DEREF(property);
    if (Z_TYPE_P(property) != IS_ARRAY) {
        zval_ptr_dtor(property);
        array_init(property);
    }
    SEPARATE_ARRAY(property);
    zend_hash_merge(Z_ARRVAL_P(property), settings, zval_add_ref, 1);
}

bool prepare_endpoint(io::Endpoint& endpoint, const ClientKind& kind, const zval* settings,
                      const io::Timeouts& limits) {
    endpoint.timeouts() = limits;
    ZVAL_DEREF(settings);
    if (Z_TYPE_P(settings) == IS_ARRAY && !endpoint.configure(Z_ARRVAL_P(settings))) {
        return false;
    }
    if (kind.tls && endpoint.is_stream()) {
        endpoint.settings().open_ssl = true;
    }
    return true;
}

bool return_client_address(io::Endpoint* endpoint, os::Address (*ask)(int), zval* return_value) {
    if (endpoint == nullptr || !endpoint->is_open()) {
        return false;
    }
    os::Address address = ask(endpoint->fd());
    if (address.length == 0) {
        return endpoint->fail(errno);
    }
    array_init(return_value);
    describe_address(address, "host", return_value);
    return true;
}

bool verify_certificate(io::Endpoint& endpoint, tls::Verification verification) {
    tls::Session* session = endpoint.stream().tls();
    if (session == nullptr || !session->established()) {
        return endpoint.fail(api_error::kSslNotReady);
    }
    std::string verdict = session->verdict(verification);
    if (verdict.empty()) {
        return true;
    }
    endpoint.fail(api_error::kSslVerifyFailed);
    endpoint.explain("The peer's certificate is refused: " + verdict + ".");
    return false;
}

zend_string* peer_certificate(io::Endpoint& endpoint) {
    tls::Session* session = endpoint.stream().tls();
    if (session == nullptr || !session->established()) {
        endpoint.fail(api_error::kSslNotReady);
        return nullptr;
    }
    std::string pem = session->peer_certificate_pem();
    if (pem.empty()) {
        endpoint.fail(api_error::kSslEmptyPeerCertificate);
        return nullptr;
    }
    return zend_string_init(pem.data(), pem.size(), 0);
}

}  // namespace stampede::classes
