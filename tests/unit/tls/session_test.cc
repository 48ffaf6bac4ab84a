#include "tls/session.h"

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace stampede::tls {
namespace {

// A folder with a certificate that signed itself for localhost and 127.0.0.1, its key in two forms,
// and another key.
class Files {
public:
    Files() {
        char name[] = "/tmp/stampede-tls-XXXXXX";
        folder_ = mkdtemp(name);
        EVP_PKEY* key = EVP_EC_gen("P-256");
        X509* certificate = X509_new();
        X509_set_version(certificate, 2);
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
        X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
        X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
        X509_set_pubkey(certificate, key);
        X509_NAME* subject = X509_get_subject_name(certificate);
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                   reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
        X509_set_issuer_name(certificate, subject);
        X509_EXTENSION* names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name,
                                                    "DNS:localhost,IP:127.0.0.1");
        X509_add_ext(certificate, names, -1);
        X509_EXTENSION_free(names);
        X509_sign(certificate, key, EVP_sha256());
        write("cert.pem", [&](FILE* file) { PEM_write_X509(file, certificate); });
        write("key.pem", [&](FILE* file) {
            PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
        });
        write("locked.pem", [&](FILE* file) {
            PEM_write_PrivateKey(file, key, EVP_aes_128_cbc(), nullptr, 0, nullptr,
                                 const_cast<char*>("secret"));
        });
        EVP_PKEY_free(key);
        EVP_PKEY* other = EVP_EC_gen("P-256");
        write("other.pem", [&](FILE* file) {
            PEM_write_PrivateKey(file, other, nullptr, nullptr, 0, nullptr, nullptr);
        });
        EVP_PKEY_free(other);
        X509_free(certificate);
    }
    ~Files() {
        for (const char* name : {"cert.pem", "key.pem", "locked.pem", "other.pem"}) {
            (void)std::remove(path(name).c_str());
        }
        (void)rmdir(folder_.c_str());
    }
    std::string path(const char* name) const { return folder_ + "/" + name; }

private:
    template <typename Write>
    void write(const char* name, Write write) {
        FILE* file = std::fopen(path(name).c_str(), "w");
        write(file);
        std::fclose(file);
    }
    std::string folder_;
};

const Files& files() {
    static const Files made;
    return made;
}

Options server_options() {
    Options options;
    options.role = Role::kServer;
    options.certificate_file = files().path("cert.pem");
    options.key_file = files().path("key.pem");
    return options;
}

Options client_options(Verification verification = Verification::kPeer) {
    Options options;
    options.verification = verification;
    options.ca_file = files().path("cert.pem");
    return options;
}

std::unique_ptr<Context> make(const Options& options) {
    std::string failure;
    auto context = Context::create(options, failure);
    EXPECT_NE(context, nullptr) << failure;
    return context;
}

std::string failure_of(const Options& options) {
    std::string failure;
    EXPECT_EQ(Context::create(options, failure), nullptr);
    return failure;
}

// Both ends in one thread, over a pair of sockets. The contexts go before the sessions do.
struct Pair {
    Pair(const Options& client_side, const Options& server_side, const char* host) {
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
        auto client_context = make(client_side);
        auto server_context = make(server_side);
        client = Session::create(*client_context, fds[0], Role::kClient, host);
        server = Session::create(*server_context, fds[1], Role::kServer, nullptr);
    }
    ~Pair() {
        close(fds[0]);
        close(fds[1]);
    }
    bool shake() {
        Step mine = Step::kWantRead;
        Step theirs = Step::kWantRead;
        for (int i = 0; i < 20 && (mine != Step::kDone || theirs != Step::kDone); i++) {
            mine = mine == Step::kDone ? mine : client->handshake();
            if (mine == Step::kFailed) {
                return false;
            }
            theirs = theirs == Step::kDone ? theirs : server->handshake();
            if (theirs == Step::kFailed || theirs == Step::kClosed) {
                return false;
            }
        }
        return mine == Step::kDone && theirs == Step::kDone;
    }
    int fds[2];
    std::unique_ptr<Session> client;
    std::unique_ptr<Session> server;
};

TEST(Context, SaysWhatIsWrong) {
    Options options = server_options();
    options.certificate_file = "/no/such/file";
    EXPECT_EQ(failure_of(options),
              "The certificate file \"/no/such/file\" cannot be used: No such file or directory.");
    options = server_options();
    options.key_file = files().path("other.pem");
    EXPECT_NE(failure_of(options).find("does not belong to the certificate"), std::string::npos);
    options.key_file = files().path("locked.pem");
    EXPECT_NE(failure_of(options).find("ssl_passphrase is missing"), std::string::npos);
    options.passphrase = "guess";
    EXPECT_NE(failure_of(options).find("ssl_passphrase is wrong"), std::string::npos);
    options.passphrase = "secret";
    EXPECT_NE(make(options), nullptr);
    options.ciphers = "NONSENSE";
    EXPECT_NE(failure_of(options).find("list of ciphers"), std::string::npos);
    options = Options();
    options.role = Role::kServer;
    EXPECT_NE(failure_of(options).find("needs a certificate"), std::string::npos);
    options = client_options();
    options.ca_file = files().path("key.pem");
    EXPECT_NE(failure_of(options).find("trusted certificates"), std::string::npos);
}

TEST(Session, MovesBytesBothWays) {
    Pair pair(client_options(), server_options(), "localhost");
    ASSERT_TRUE(pair.shake()) << pair.client->failure();
    size_t count = 0;
    ASSERT_EQ(pair.client->write("hello", 5, count), Step::kDone);
    EXPECT_EQ(count, 5u);
    char bytes[16];
    ASSERT_EQ(pair.server->peek(bytes, sizeof(bytes), count), Step::kDone);
    ASSERT_EQ(pair.server->read(bytes, 2, count), Step::kDone);
    EXPECT_TRUE(pair.server->has_pending());
    ASSERT_EQ(pair.server->read(bytes + 2, 14, count), Step::kDone);
    EXPECT_EQ(std::string(bytes, 5), "hello");
    EXPECT_EQ(pair.server->read(bytes, 16, count), Step::kWantRead);
    pair.client->say_goodbye();
    EXPECT_EQ(pair.server->read(bytes, 16, count), Step::kClosed);
    EXPECT_FALSE(pair.server->was_cut_off());
}

TEST(Session, VerifiesNamesAndAddresses) {
    EXPECT_TRUE(Pair(client_options(), server_options(), "localhost").shake());
    EXPECT_TRUE(Pair(client_options(), server_options(), "127.0.0.1").shake());
    EXPECT_TRUE(Pair(client_options(), server_options(), "").shake());
    Pair wrong(client_options(), server_options(), "example.com");
    EXPECT_FALSE(wrong.shake());
    EXPECT_TRUE(wrong.client->peer_is_refused());
    EXPECT_EQ(wrong.client->failure(), "The peer's certificate is refused: hostname mismatch.");
    EXPECT_FALSE(Pair(client_options(), server_options(), "127.0.0.2").shake());
}

TEST(Session, TakesSelfSignedOnesOnlyWhenAllowed) {
    Options strict;
    strict.verification = Verification::kPeer;
    Pair refused(strict, server_options(), "localhost");
    EXPECT_FALSE(refused.shake());
    EXPECT_NE(refused.client->failure().find("self-signed"), std::string::npos);
    Options lenient = strict;
    lenient.verification = Verification::kPeerOrSelfSigned;
    EXPECT_TRUE(Pair(lenient, server_options(), "localhost").shake());
    EXPECT_FALSE(Pair(lenient, server_options(), "example.com").shake());
    Pair blind(Options(), server_options(), "localhost");
    EXPECT_TRUE(blind.shake());
    EXPECT_NE(blind.client->verdict(Verification::kPeer), "");
    EXPECT_EQ(blind.client->verdict(Verification::kPeerOrSelfSigned), "");
    EXPECT_NE(blind.client->peer_certificate_pem().find("BEGIN CERTIFICATE"), std::string::npos);
}

TEST(Session, AsksClientsForCertificates) {
    Options server = server_options();
    server.verification = Verification::kPeer;
    server.ca_file = files().path("cert.pem");
    Options client = client_options();
    client.protocols = kTls1_2;  // a client of 1.3 is done before the server has looked
    EXPECT_FALSE(Pair(client, server, "localhost").shake());
    client.certificate_file = files().path("cert.pem");
    client.key_file = files().path("key.pem");
    EXPECT_TRUE(Pair(client, server, "localhost").shake());
}

TEST(Session, AgreesOnProtocolsAndAlpn) {
    Options server = server_options();
    server.alpn = {"h2", "http/1.1"};
    server.protocols = kTls1_2;
    Options client = client_options();
    client.alpn = {"http/1.1", "h2"};
    Pair pair(client, server, "localhost");
    ASSERT_TRUE(pair.shake());
    EXPECT_EQ(pair.client->alpn(), "h2");
    EXPECT_EQ(pair.server->alpn(), "h2");
    EXPECT_STREQ(SSL_get_version(pair.client->native()), "TLSv1.2");
    client.alpn = {"other"};
    Pair apart(client, server, "localhost");
    ASSERT_TRUE(apart.shake());
    EXPECT_EQ(apart.client->alpn(), "");
    client.protocols = kTls1_3;
    EXPECT_FALSE(Pair(client, server, "localhost").shake());
}

TEST(Session, SeesABrokenConnectionWithoutASignal) {
    // The usual action of SIGPIPE would end the test.
    std::signal(SIGPIPE, SIG_DFL);
    Pair pair(client_options(), server_options(), "localhost");
    ASSERT_TRUE(pair.shake());
    close(pair.fds[1]);
    char bytes[4096] = {};
    size_t count = 0;
    EXPECT_EQ(pair.client->read(bytes, sizeof(bytes), count), Step::kClosed);
    EXPECT_TRUE(pair.client->was_cut_off());
    EXPECT_EQ(pair.client->write(bytes, sizeof(bytes), count), Step::kFailed);
    EXPECT_NE(pair.client->system_error(), 0);
    EXPECT_EQ(pair.client->write(bytes, sizeof(bytes), count), Step::kFailed);
    pair.fds[1] = dup(pair.fds[0]);
}

TEST(Session, RefusesWhatIsNotTls) {
    Pair pair(client_options(), server_options(), "localhost");
    ASSERT_EQ(pair.client->handshake(), Step::kWantRead);
    ASSERT_EQ(write(pair.fds[1], "HTTP/1.1 400 Bad Request\r\n\r\n", 28), 28);
    EXPECT_EQ(pair.client->handshake(), Step::kFailed);
    EXPECT_EQ(pair.client->failure().substr(0, 11), "TLS failed:");
    EXPECT_FALSE(pair.client->established());
}

}  // namespace
}  // namespace stampede::tls
