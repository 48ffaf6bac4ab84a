// What many TLS sessions share: certificate, key, trust and the protocols allowed (an SSL_CTX).
// Owned by the code that makes sessions of it, a session keeps what it needs of it; any one thread;
// never parks.
#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

using SSL_CTX = struct ssl_ctx_st;

namespace stampede::tls {

enum class Role : uint8_t { kClient, kServer };

enum class Verification : uint8_t {
    kNone,
    kPeer,              // a chain to a trusted root, and the name when one is given
    kPeerOrSelfSigned,  // the same, or a certificate that signed itself
};

// Bits of Options::protocols, with the values of SWOOLE_SSL_TLSv1 and its successors.
inline constexpr uint32_t kTls1_0 = 8;
inline constexpr uint32_t kTls1_1 = 16;
inline constexpr uint32_t kTls1_2 = 32;
inline constexpr uint32_t kTls1_3 = 64;

// A certificate for clients that ask for one name.
struct NamedCertificate {
    std::string name;  // "host" or "*.domain"
    std::string certificate_file;
    std::string key_file;
    std::string passphrase;
    std::string ocsp_file;

    bool operator==(const NamedCertificate&) const = default;
};

struct Options {
    Role role = Role::kClient;
    std::string certificate_file;  // PEM, the own one first, then its chain
    std::string key_file;          // PEM; empty = in the same file
    std::string passphrase;
    std::string ca_file;  // for verification; both empty = the system's
    std::string ca_path;
    Verification verification = Verification::kNone;
    int verify_depth = 0;  // 0 = the library's
    std::string ciphers;   // of TLS 1.2 and below
    std::string curves;
    std::string dh_file;                  // server; empty = the library's choice
    std::string ocsp_file;                // server: a response (DER) that is stapled
    std::vector<NamedCertificate> named;  // server: by the name a client asks for
    std::string proof_folder;             // server: see name_proofs.h; empty: there is none
    uint32_t protocols = 0;               // 0 = the library's, for servers not below TLS 1.2
    std::vector<std::string> alpn;        // client: offered; server: what it takes, best first
    bool prefer_own_ciphers = false;
    bool compression = false;
    bool kernel_records = false;  // the kernel encrypts what is sent, where it can

    bool operator==(const Options&) const = default;
};

class Context {
public:
    // Null with one sentence about what is wrong.
    static std::unique_ptr<Context> create(const Options& options, std::string& failure);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    SSL_CTX* native() const { return context_; }
    // One sentence when a certificate of a server is out of date by now, else empty.
    std::string expiry() const;

private:
    explicit Context(SSL_CTX* context) : context_(context) {}
    static bool add_named(Context& main, const Options& options, std::string& failure);

    struct Expiring {
        std::string file;
        time_t end;
    };
    void note_end(const Options& options);

    SSL_CTX* context_;
    std::vector<Expiring> certificates_;  // of a server, with those for names
};

// The reason of the newest error of this thread's queue that says something, which is emptied.
std::string last_failure();

}  // namespace stampede::tls
