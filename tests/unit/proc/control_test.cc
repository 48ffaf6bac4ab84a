#include "proc/control.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "os/fd.h"
#include "os/socket.h"
#include "os/socket_io.h"

namespace stampede::proc {
namespace {

// The clients are of the same process: the loop runs between what they send and what they read.
class ControlTest : public testing::Test {
public:
    ControlTest()
        : loop(std::move(*loop::Loop::create())),
          path("/tmp/stampede-control-test-" + std::to_string(::getpid())) {}

    void open(Nanos patience = ControlSocket::kPatience) {
        control = std::move(*ControlSocket::open(path));
        EXPECT_FALSE(control->serve(*loop, &ControlTest::take, this, patience));
    }
    static void take(void* self, uint64_t client, std::string_view line) {
        auto& test = *static_cast<ControlTest*>(self);
        test.lines.emplace_back(line);
        test.last_client = client;
        if (test.responds) {
            test.control->respond(client, "<" + std::string(line) + ">");
        }
    }
    os::Fd connect() {
        os::Address address = *os::parse_unix(path.c_str());
        os::Fd fd(*os::open_socket(AF_UNIX, SOCK_STREAM, 0));
        EXPECT_FALSE(os::connect_socket(fd.get(), address));
        iterate();
        return fd;
    }
    void iterate() {
        for (int i = 0; i < 5; i++) {
            loop->run_once(0);
        }
    }
    // What has come; "(end)" at the end of it when the server has closed.
    std::string read(const os::Fd& fd) {
        std::string all;
        char bytes[4096];
        for (;;) {
            iterate();
            long count = os::receive(fd.get(), bytes, sizeof(bytes));
            if (count <= 0) {
                bool closed = count == 0 || errno != EAGAIN;
                return closed ? all + "(end)" : all;
            }
            all.append(bytes, static_cast<size_t>(count));
        }
    }
    // Sends all of it, as far as the server takes it.
    void send(const os::Fd& fd, std::string_view text) {
        for (int i = 0; i < 1000 && !text.empty(); i++) {
            long count = os::send_bytes(fd.get(), text.data(), text.size());
            if (count < 0 && errno != EAGAIN) {
                return;
            }
            text.remove_prefix(count > 0 ? static_cast<size_t>(count) : 0);
            iterate();
        }
    }

    std::unique_ptr<loop::Loop> loop;
    std::string path;
    std::unique_ptr<ControlSocket> control;
    std::vector<std::string> lines;
    uint64_t last_client = 0;
    bool responds = true;
};

TEST_F(ControlTest, IsForItsOwnerAloneAndGoesWithItsProcess) {
    mode_t before = ::umask(0);
    open();
    ::umask(before);
    struct stat status;
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
    control.reset();
    EXPECT_NE(::stat(path.c_str(), &status), 0);
}

TEST_F(ControlTest, LinesAreResponseedOneAfterTheOther) {
    open();
    os::Fd client = connect();
    send(client, "one\ntwo\nthr");
    EXPECT_EQ(read(client), "<one>\n<two>\n");
    send(client, "ee\n");
    EXPECT_EQ(read(client), "<three>\n");
    control->respond(last_client, "again");  // there is nothing to respond to
    EXPECT_EQ(read(client), "");
}

TEST_F(ControlTest, TheNextLineWaitsForTheResponse) {
    open();
    responds = false;
    os::Fd client = connect();
    send(client, "one\ntwo\n");
    iterate();
    EXPECT_EQ(lines, std::vector<std::string>{"one"});
    control->respond(last_client, "1");
    iterate();
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));
    EXPECT_EQ(read(client), "1\n");
}

TEST_F(ControlTest, AClientThatSendsNoMoreStillGetsItsResponse) {
    open();
    os::Fd client = connect();
    send(client, "one\n");
    os::shutdown_write(client.get());
    EXPECT_EQ(read(client), "<one>\n(end)");
    EXPECT_EQ(control->client_count(), 0u);
}

TEST_F(ControlTest, AClientThatHasGoneIsForgottenBeforeItsResponse) {
    open();
    responds = false;
    os::Fd client = connect();
    send(client, "one\n");
    iterate();
    client.reset();
    iterate();
    EXPECT_EQ(control->client_count(), 0u);
    control->respond(last_client, "late");
}

TEST_F(ControlTest, ALineThatIsTooLongIsRefusedAndClosed) {
    open();
    os::Fd fits = connect();
    std::string most(ControlSocket::kMostLine, 'x');
    send(fits, most + "\n");
    EXPECT_EQ(read(fits).size(), most.size() + 3);
    for (const char* end : {"", "\n"}) {
        os::Fd client = connect();
        send(client, most + "y" + end);
        std::string response = read(client);
        EXPECT_NE(response.find("at most 65536"), std::string::npos) << response;
        EXPECT_NE(response.find("(end)"), std::string::npos);
    }
    EXPECT_EQ(lines.size(), 1u);
}

TEST_F(ControlTest, ServesSixteenClientsAtATime) {
    open();
    std::vector<os::Fd> clients;
    for (size_t i = 0; i < ControlSocket::kMostClients; i++) {
        clients.push_back(connect());
    }
    os::Fd one_more = connect();
    EXPECT_NE(read(one_more).find("too many clients"), std::string::npos);
    clients.pop_back();
    iterate();
    os::Fd next = connect();
    send(next, "one\n");
    EXPECT_EQ(read(next), "<one>\n");
}

TEST_F(ControlTest, AClientThatSendsNoLineIsClosed) {
    open(50 * kMillisecond);
    os::Fd client = connect();
    send(client, "not ");
    Nanos deadline = monotonic_now() + 5 * kSecond;
    while (control->client_count() > 0 && monotonic_now() < deadline) {
        (void)os::send_bytes(client.get(), "x", 1);  // single bytes are no line
        loop->run_once(10 * kMillisecond);
    }
    EXPECT_EQ(control->client_count(), 0u);
    EXPECT_TRUE(lines.empty());
}

TEST_F(ControlTest, ASocketInUseStaysAndADeadOneIsReplaced) {
    open();
    EXPECT_TRUE(ControlSocket::open(path).error().is_system(EADDRINUSE));
    // As a killed process leaves it: the file without a listener.
    control->abandon();
    control = std::move(*ControlSocket::open(path));
    EXPECT_FALSE(control->serve(*loop, &ControlTest::take, this));
    os::Fd client = connect();
    send(client, "one\n");
    EXPECT_EQ(read(client), "<one>\n");
}

TEST_F(ControlTest, AFileThatIsNoSocketStays) {
    ASSERT_EQ(::symlink("/dev/null", path.c_str()), 0);
    EXPECT_TRUE(ControlSocket::open(path).error().is_system(EADDRINUSE));
    EXPECT_EQ(::unlink(path.c_str()), 0);
    EXPECT_TRUE(ControlSocket::open(std::string(200, 'x')).error().is(ServerError::kBadAddress));
}

}  // namespace
}  // namespace stampede::proc
