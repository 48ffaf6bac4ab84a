#include "io/ssl_options.h"

#include <string_view>

#include "io/options.h"
#include "os/file.h"
#include "os/log.h"

namespace stampede::io {

namespace {

// "h2,http/1.1" or an array of names.
void read_alpn(HashTable* settings, std::vector<std::string>& out) {
    zval* value = find_option(settings, "ssl_alpn");
    if (value == nullptr) {
        return;
    }
    out.clear();
    if (Z_TYPE_P(value) == IS_ARRAY) {
        zval* name;
        ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(value), name) {
            zend_string* text = zval_get_string(name);
            out.emplace_back(ZSTR_VAL(text), ZSTR_LEN(text));
            zend_string_release(text);
        }
        ZEND_HASH_FOREACH_END();
        return;
    }
    zend_string* text = zval_get_string(value);
    std::string_view rest(ZSTR_VAL(text), ZSTR_LEN(text));
    while (!rest.empty()) {
        size_t comma = rest.find(',');
        out.emplace_back(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
    }
    zend_string_release(text);
}

void read_verification(HashTable* settings, tls::Options& options) {
    bool verify = options.verification != tls::Verification::kNone;
    bool lenient = options.verification == tls::Verification::kPeerOrSelfSigned;
    read_flag(settings, "ssl_verify_peer", verify);
    read_flag(settings, "ssl_allow_self_signed", lenient);
    options.verification = !verify   ? tls::Verification::kNone
                           : lenient ? tls::Verification::kPeerOrSelfSigned
                                     : tls::Verification::kPeer;
    if (zval* depth = find_option(settings, "ssl_verify_depth")) {
        options.verify_depth = static_cast<int>(zval_get_long(depth));
    }
    read_text(settings, "ssl_cafile", options.ca_file);
    read_text(settings, "ssl_capath", options.ca_path);
    read_text(settings, "ssl_client_cert_file", options.ca_file);  // what servers call it
}

// ["host" => ["ssl_cert_file" => ..., "ssl_key_file" => ...], ...]
void read_named(HashTable* settings, std::vector<tls::NamedCertificate>& out) {
    zval* given = find_option(settings, "ssl_sni_certs");
    if (given == nullptr || Z_TYPE_P(given) != IS_ARRAY) {
        return;
    }
    out.clear();
    zend_string* name;
    zval* files;
    ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(given), name, files) {
        ZVAL_DEREF(files);
        if (name == nullptr || Z_TYPE_P(files) != IS_ARRAY) {
            continue;
        }
        tls::NamedCertificate& certificate = out.emplace_back();
        certificate.name.assign(ZSTR_VAL(name), ZSTR_LEN(name));
        read_text(Z_ARRVAL_P(files), "ssl_cert_file", certificate.certificate_file);
        read_text(Z_ARRVAL_P(files), "ssl_key_file", certificate.key_file);
        read_text(Z_ARRVAL_P(files), "ssl_passphrase", certificate.passphrase);
        read_text(Z_ARRVAL_P(files), "ssl_stapling_file", certificate.ocsp_file);
    }
    ZEND_HASH_FOREACH_END();
}

struct CachedContext {
    tls::Options options;
    uint64_t marks[3];
    std::unique_ptr<tls::Context> context;
};

constexpr size_t kCachedContexts = 16;

void mark_files(const tls::Options& options, uint64_t (&marks)[3]) {
    const std::string* files[] = {&options.certificate_file, &options.key_file, &options.ca_file};
    for (size_t i = 0; i < 3; i++) {
        marks[i] = files[i]->empty() ? 0 : os::file_mark(files[i]->c_str());
    }
}

// Reading the files costs more than a handshake. What is returned is good until the next call.
tls::Context* context_for(const tls::Options& options, std::string& failure) {
    static auto& cache = *new std::vector<CachedContext>();  // the process ends with it
    uint64_t marks[3];
    mark_files(options, marks);
    for (size_t i = 0; i < cache.size(); i++) {
        if (!(cache[i].options == options)) {
            continue;
        }
        if (memcmp(cache[i].marks, marks, sizeof(marks)) == 0) {
            return cache[i].context.get();
        }
        cache.erase(cache.begin() + static_cast<ptrdiff_t>(i));
        break;
    }
    std::unique_ptr<tls::Context> context = tls::Context::create(options, failure);
    if (context == nullptr) {
        return nullptr;
    }
    if (std::string expiry = context->expiry(); !expiry.empty()) {
        os::Log::get().write(os::LogLevel::kError, "%s", expiry.c_str());
    }
    if (cache.size() == kCachedContexts) {
        cache.erase(cache.begin());
    }
    cache.push_back({options, {marks[0], marks[1], marks[2]}, std::move(context)});
    return cache.back().context.get();
}

}  // namespace

void read_ssl_options(HashTable* settings, SslSettings& out) {
    tls::Options& options = out.options;
    read_text(settings, "ssl_cert_file", options.certificate_file);
    read_text(settings, "ssl_key_file", options.key_file);
    read_text(settings, "ssl_passphrase", options.passphrase);
    read_text(settings, "ssl_host_name", out.host_name);
    read_text(settings, "ssl_ciphers", options.ciphers);
    read_text(settings, "ssl_ecdh_curve", options.curves);
    read_text(settings, "ssl_dhparam", options.dh_file);
    if (zval* protocols = find_option(settings, "ssl_protocols")) {
        options.protocols = static_cast<uint32_t>(zval_get_long(protocols));
    }
    read_flag(settings, "ssl_compress", options.compression);
    if (zval* off = find_option(settings, "ssl_disable_compression")) {
        options.compression = !zend_is_true(off);
    }
    read_flag(settings, "ssl_prefer_server_ciphers", options.prefer_own_ciphers);
    read_text(settings, "ssl_stapling_file", options.ocsp_file);
    read_text(settings, "ssl_proof_folder", options.proof_folder);
    read_named(settings, options.named);
    read_alpn(settings, options.alpn);
    read_verification(settings, options);
}

std::unique_ptr<tls::Session> make_tls_session(const SslSettings& settings, int fd,
                                               const char* host, std::string& failure) {
    tls::Context* context = context_for(settings.options, failure);
    if (context == nullptr) {
        return nullptr;
    }
    const char* name = settings.host_name.empty() ? host : settings.host_name.c_str();
    auto session = tls::Session::create(*context, fd, settings.options.role, name);
    if (session == nullptr) {
        failure = "The TLS library has no memory for a session.";
    }
    return session;
}

}  // namespace stampede::io
