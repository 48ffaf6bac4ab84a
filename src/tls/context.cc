#include "tls/context.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <cstring>
#include <ctime>

#include "tls/server_names.h"
#include "tls/ticket_keys.h"

namespace stampede::tls {

namespace {

// The key's passphrase while it is loaded. Without a callback the library would ask the terminal.
struct Passphrase {
    const std::string& text;
    bool asked = false;
};

int give_passphrase(char* out, int capacity, int, void* argument) {
    auto* passphrase = static_cast<Passphrase*>(argument);
    passphrase->asked = true;
    int size = static_cast<int>(passphrase->text.size());
    if (size == 0 || size > capacity) {
        return -1;
    }
    passphrase->text.copy(out, passphrase->text.size());
    return size;
}

std::string complaint(const char* what, const std::string& file) {
    return std::string(what) + " \"" + file + "\" cannot be used: " + last_failure() + ".";
}

bool load_key(SSL_CTX* context, const Options& options, std::string& failure) {
    const std::string& file =
        options.key_file.empty() ? options.certificate_file : options.key_file;
    Passphrase passphrase{options.passphrase};
    SSL_CTX_set_default_passwd_cb(context, give_passphrase);
    SSL_CTX_set_default_passwd_cb_userdata(context, &passphrase);
    int loaded = SSL_CTX_use_PrivateKey_file(context, file.c_str(), SSL_FILETYPE_PEM);
    SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
    SSL_CTX_set_default_passwd_cb(context, nullptr);
    if (loaded == 1 && SSL_CTX_check_private_key(context) == 1) {
        return true;
    }
    bool mismatch = ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH;
    if (mismatch) {
        failure = "The key file \"" + file + "\" does not belong to the certificate \"" +
                  options.certificate_file + "\".";
    } else if (passphrase.asked) {
        failure = "The key file \"" + file + "\" is encrypted: ssl_passphrase is " +
                  (options.passphrase.empty() ? "missing." : "wrong.");
    } else {
        failure = complaint("The key file", file);
    }
    return false;
}

bool load_certificate(SSL_CTX* context, const Options& options, std::string& failure) {
    if (options.certificate_file.empty()) {
        if (options.role == Role::kServer) {
            failure = "A TLS server needs a certificate: set ssl_cert_file and ssl_key_file.";
            return false;
        }
        return true;
    }
    const char* file = options.certificate_file.c_str();
    if (SSL_CTX_use_certificate_chain_file(context, file) != 1) {
        failure = complaint("The certificate file", options.certificate_file);
        return false;
    }
    return load_key(context, options, failure);
}

int tolerate_self_signed(int good, X509_STORE_CTX* store) {
    if (good == 0 && X509_STORE_CTX_get_error(store) == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT) {
        X509_STORE_CTX_set_error(store, X509_V_OK);
        return 1;
    }
    return good;
}

bool load_trust(SSL_CTX* context, const Options& options, std::string& failure) {
    const char* file = options.ca_file.empty() ? nullptr : options.ca_file.c_str();
    const char* path = options.ca_path.empty() ? nullptr : options.ca_path.c_str();
    if (file == nullptr && path == nullptr) {
        return SSL_CTX_set_default_verify_paths(context) == 1;
    }
    if (SSL_CTX_load_verify_locations(context, file, path) != 1) {
        failure = complaint("The file of trusted certificates",
                            file != nullptr ? options.ca_file : options.ca_path);
        return false;
    }
    if (options.role == Role::kServer && file != nullptr) {
        SSL_CTX_set_client_CA_list(context, SSL_load_client_CA_file(file));
    }
    return true;
}

bool set_verification(SSL_CTX* context, const Options& options, std::string& failure) {
    // A client may look at the verdict later, also when the handshake does not depend on it.
    bool needed = options.verification != Verification::kNone || options.role == Role::kClient;
    if (needed && !load_trust(context, options, failure)) {
        return false;
    }
    if (options.verification != Verification::kNone) {
        bool lenient = options.verification == Verification::kPeerOrSelfSigned;
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT,
                           lenient ? tolerate_self_signed : nullptr);
    }
    if (options.verify_depth > 0) {
        SSL_CTX_set_verify_depth(context, options.verify_depth);
    }
    return true;
}

void set_protocols(SSL_CTX* context, const Options& options) {
    uint32_t protocols = options.protocols;
    if (protocols == 0 && options.role == Role::kServer) {
        SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    }
    constexpr struct {
        uint32_t bit;
        int version;
        uint64_t without;
    } kKnown[] = {
        {kTls1_0, TLS1_VERSION, SSL_OP_NO_TLSv1},
        {kTls1_1, TLS1_1_VERSION, SSL_OP_NO_TLSv1_1},
        {kTls1_2, TLS1_2_VERSION, SSL_OP_NO_TLSv1_2},
        {kTls1_3, TLS1_3_VERSION, SSL_OP_NO_TLSv1_3},
    };
    int lowest = 0;
    int highest = 0;
    uint64_t without = 0;
    for (const auto& known : kKnown) {
        if ((protocols & known.bit) == 0) {
            without |= known.without;
            continue;
        }
        lowest = lowest == 0 ? known.version : lowest;
        highest = known.version;
    }
    if (lowest != 0) {
        SSL_CTX_set_min_proto_version(context, lowest);
        SSL_CTX_set_max_proto_version(context, highest);
        SSL_CTX_set_options(context, without);
    }
}

// What TLS 1.2 may use unless the settings say otherwise: fresh keys for each connection, and
// ciphers that authenticate what they encrypt (RFC 9325, 4.2). An exchange of keys by RSA reveals
// everything once the key is known; padding in CBC suites has leaked again and again.
constexpr char kUsualCiphers[] = "ECDHE+AESGCM:ECDHE+CHACHA20:DHE+AESGCM:DHE+CHACHA20:ECDHE+AESCCM";

// TLS 1.0 and 1.1 have nothing but CBC suites: a setting of ssl_protocols that allows these
// versions asks for those suites.
bool allows_old_versions(const Options& options) {
    return (options.protocols & (kTls1_0 | kTls1_1)) != 0;
}

bool set_ciphers(SSL_CTX* context, const Options& options, std::string& failure) {
    if (options.ciphers.empty() && !allows_old_versions(options)) {
        SSL_CTX_set_cipher_list(context, kUsualCiphers);
    }
    if (!options.ciphers.empty() &&
        SSL_CTX_set_cipher_list(context, options.ciphers.c_str()) != 1) {
        failure = "The list of ciphers \"" + options.ciphers + "\" names none that is known.";
        return false;
    }
    if (!options.curves.empty() && options.curves != "auto" &&
        SSL_CTX_set1_curves_list(context, options.curves.c_str()) != 1) {
        failure = "The list of curves \"" + options.curves + "\" names one that is not known.";
        return false;
    }
    if (options.dh_file.empty()) {
        SSL_CTX_set_dh_auto(context, 1);
        return true;
    }
    BIO* file = BIO_new_file(options.dh_file.c_str(), "r");
    EVP_PKEY* parameters = file ? PEM_read_bio_Parameters(file, nullptr) : nullptr;
    BIO_free(file);
    if (parameters == nullptr || SSL_CTX_set0_tmp_dh_pkey(context, parameters) != 1) {
        EVP_PKEY_free(parameters);
        failure = complaint("The file of Diffie-Hellman parameters", options.dh_file);
        return false;
    }
    return true;
}

// ALPN as it stands on the wire: each name after its length. It hangs on the SSL_CTX, which
// sessions keep alive.
using AlpnList = std::string;

void free_alpn(void*, void* list, CRYPTO_EX_DATA*, int, long, void*) {
    delete static_cast<AlpnList*>(list);
}

int alpn_slot() {
    static const int slot = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, free_alpn);
    return slot;
}

int pick_alpn(SSL* ssl, const unsigned char** out, unsigned char* size,
              const unsigned char* offered, unsigned int offered_size, void*) {
    auto* list =
        static_cast<const AlpnList*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), alpn_slot()));
    auto* mine = reinterpret_cast<const unsigned char*>(list->data());
    unsigned char* picked = nullptr;
    int result = SSL_select_next_proto(&picked, size, mine, static_cast<unsigned>(list->size()),
                                       offered, offered_size);
    if (result != OPENSSL_NPN_NEGOTIATED) {
        return SSL_TLSEXT_ERR_NOACK;  // the connection goes on without one
    }
    *out = picked;
    return SSL_TLSEXT_ERR_OK;
}

bool set_alpn(SSL_CTX* context, const Options& options, std::string& failure) {
    if (options.alpn.empty()) {
        return true;
    }
    auto list = std::make_unique<AlpnList>();
    for (const std::string& name : options.alpn) {
        if (name.empty() || name.size() > 255) {
            failure = "The name of a protocol offered by ALPN has 1 to 255 bytes.";
            return false;
        }
        list->push_back(static_cast<char>(name.size()));
        list->append(name);
    }
    if (options.role == Role::kClient) {
        auto* bytes = reinterpret_cast<const unsigned char*>(list->data());
        return SSL_CTX_set_alpn_protos(context, bytes, static_cast<unsigned>(list->size())) == 0;
    }
    SSL_CTX_set_ex_data(context, alpn_slot(), list.release());
    SSL_CTX_set_alpn_select_cb(context, pick_alpn, nullptr);
    return true;
}

void set_behaviour(SSL_CTX* context, const Options& options) {
    // Writing may be given up and taken up again with the same bytes elsewhere in memory.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    if (options.compression) {
        SSL_CTX_clear_options(context, SSL_OP_NO_COMPRESSION);
    } else {
        SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION);
    }
    if (options.kernel_records) {
        SSL_CTX_set_options(context, SSL_OP_ENABLE_KTLS);
    }
    if (options.prefer_own_ciphers) {
        SSL_CTX_set_options(context, SSL_OP_CIPHER_SERVER_PREFERENCE);
    }
    if (options.role == Role::kServer) {
        // A session is resumed only where it would be begun the same way.
        unsigned char name[SHA256_DIGEST_LENGTH];
        std::string text = options.certificate_file + '\n' + options.ca_file + '\n' +
                           options.ca_path + '\n' +
                           std::to_string(static_cast<int>(options.verification)) + '\n' +
                           std::to_string(options.verify_depth);
        SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), name);
        SSL_CTX_set_session_id_context(context, name, sizeof(name));
        // Tickets serve all workers; a store of sessions would serve one, and take its memory.
        SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
        use_ticket_keys(context);
    }
}

// What a server shows after its certificate is looked for once: by itself the library verifies the
// certificate in each handshake to find it. A file that holds a chain is shown as it is.
void complete_chain(SSL_CTX* context, const Options& options) {
    if (options.role != Role::kServer) {
        return;
    }
    STACK_OF(X509)* chain = nullptr;
    if (SSL_CTX_get0_chain_certs(context, &chain) == 1 && sk_X509_num(chain) <= 0) {
        (void)SSL_CTX_build_cert_chain(context, SSL_BUILD_CHAIN_FLAG_NO_ROOT |
                                                    SSL_BUILD_CHAIN_FLAG_IGNORE_ERROR |
                                                    SSL_BUILD_CHAIN_FLAG_CLEAR_ERROR);
    }
    SSL_CTX_set_mode(context, SSL_MODE_NO_AUTO_CHAIN);
}

bool set_staple(SSL_CTX* context, const Options& options, std::string& failure) {
    if (options.ocsp_file.empty() || staple(context, options.ocsp_file)) {
        return true;
    }
    failure = complaint("The OCSP response", options.ocsp_file);
    return false;
}

}  // namespace

std::string last_failure() {
    std::string text;
    unsigned long code;
    while ((code = ERR_get_error()) != 0) {
        const char* reason = ERR_GET_LIB(code) == ERR_LIB_SYS ? std::strerror(ERR_GET_REASON(code))
                                                              : ERR_reason_error_string(code);
        // The first is the cause; what follows are the callers that passed it on.
        if (text.empty() && reason != nullptr) {
            text = reason;
        }
    }
    return text.empty() ? "the TLS library gives no reason" : text;
}

std::string Context::expiry() const {
    for (const Expiring& one : certificates_) {
        if (one.end != 0 && one.end <= ::time(nullptr)) {
            tm date{};
            ::gmtime_r(&one.end, &date);
            char text[32];
            strftime(text, sizeof(text), "%Y-%m-%d", &date);
            return "The certificate \"" + one.file + "\" expired on " + text +
                   ": clients refuse it until it is renewed.";
        }
    }
    return {};
}

void Context::note_end(const Options& options) {
    const X509* certificate = SSL_CTX_get0_certificate(context_);
    tm end{};
    if (options.role == Role::kServer && certificate != nullptr &&
        ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) == 1) {
        certificates_.push_back({options.certificate_file, ::timegm(&end)});
    }
}

// A context each, alike but for the certificate.
bool Context::add_named(Context& main, const Options& options, std::string& failure) {
    std::vector<std::unique_ptr<Context>> made;
    NamedContexts named;
    for (const NamedCertificate& certificate : options.named) {
        Options own = options;
        own.named.clear();
        own.proof_folder.clear();
        own.certificate_file = certificate.certificate_file;
        own.key_file = certificate.key_file;
        own.passphrase = certificate.passphrase;
        own.ocsp_file = certificate.ocsp_file;
        auto context = create(own, failure);
        if (context == nullptr) {
            return false;
        }
        named.emplace_back(certificate.name, context->native());
        main.certificates_.insert(main.certificates_.end(), context->certificates_.begin(),
                                  context->certificates_.end());
        made.push_back(std::move(context));
    }
    if (!named.empty() || !options.proof_folder.empty()) {
        choose_by_name(main.native(), named, options.proof_folder);
    }
    return true;
}

std::unique_ptr<Context> Context::create(const Options& options, std::string& failure) {
    ERR_clear_error();
    SSL_CTX* native =
        SSL_CTX_new(options.role == Role::kServer ? TLS_server_method() : TLS_client_method());
    if (native == nullptr) {
        failure = "The TLS library cannot be used: " + last_failure() + ".";
        return nullptr;
    }
    std::unique_ptr<Context> context(new Context(native));
    set_behaviour(native, options);
    set_protocols(native, options);
    bool good = set_ciphers(native, options, failure) &&
                load_certificate(native, options, failure) &&
                set_verification(native, options, failure) && set_alpn(native, options, failure) &&
                set_staple(native, options, failure) && add_named(*context, options, failure);
    if (!good && failure.empty()) {
        failure = "TLS cannot be set up: " + last_failure() + ".";
    }
    if (good) {
        context->note_end(options);
        complete_chain(native, options);
    }
    ERR_clear_error();
    return good ? std::move(context) : nullptr;
}

Context::~Context() { SSL_CTX_free(context_); }

}  // namespace stampede::tls
