#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <linux/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "net/connection.h"
#include "os/file.h"
#include "os/socket.h"

namespace stampede::net {
namespace {

class SilentSession final : public Session {
public:
    explicit SilentSession(bool& closed) : closed_(closed) {}
    void on_bytes(const char*, size_t) override {}
    void on_end() override {}
    void on_drained() override {}
    void on_deadline() override {}
    void drain() override {}
    void on_closed() override { closed_ = true; }

private:
    bool& closed_;
};

int file_of(std::string_view content) {
    char path[] = "/tmp/sending-files-test.XXXXXX";
    int fd = os::make_temporary(path);
    EXPECT_TRUE(os::write_all(fd, content));
    os::remove_path(path);
    return fd;
}

// A connection over TCP, which counts packets.
class SendingFiles : public ::testing::Test {
protected:
    SendingFiles() : loop_(std::move(*loop::Loop::create())), hub_(*loop_) {
        int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof(address);
        EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), length), 0);
        EXPECT_EQ(listen(listener, 1), 0);
        EXPECT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length), 0);
        peer_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        EXPECT_EQ(connect(peer_, reinterpret_cast<sockaddr*>(&address), length), 0);
        timeval limit{10, 0};
        setsockopt(peer_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
        fd_ = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        os::set_nodelay(fd_);
        close(listener);
        connection_ = new Connection(hub_, fd_, 1, times_);
        connection_->set_session(std::make_unique<SilentSession>(closed_));
    }
    ~SendingFiles() override {
        if (!closed_) {
            connection_->close_now(CloseCause::kServer);
        }
        hub_.end_iteration();
        close(peer_);
    }

    std::string heard(size_t size) {
        std::string bytes(size, '\0');
        ssize_t count = recv(peer_, bytes.data(), size, MSG_WAITALL);
        bytes.resize(count > 0 ? static_cast<size_t>(count) : 0);
        return bytes;
    }
    uint32_t packets() const {
        tcp_info info{};
        socklen_t size = sizeof(info);
        EXPECT_EQ(getsockopt(fd_, IPPROTO_TCP, TCP_INFO, &info, &size), 0);
        return info.tcpi_data_segs_out;
    }

    int peer_ = -1;
    int fd_ = -1;
    bool closed_ = false;
    ConnectionTimes times_;
    std::unique_ptr<loop::Loop> loop_;
    Hub hub_;
    Connection* connection_ = nullptr;
};

TEST_F(SendingFiles, ASmallOneIsCopiedAndLeavesInOnePacketWithTheHead) {
    connection_->cork().append("head ");
    connection_->write_file({file_of("..small file"), 2, 10});
    EXPECT_EQ(connection_->pending_files(), 0u);
    EXPECT_EQ(connection_->pending(), 15u);
    connection_->flush();
    EXPECT_EQ(heard(15), "head small file");
    EXPECT_EQ(packets(), 1u);
}

TEST_F(SendingFiles, ALargeOneIsNotCopied) {
    std::string content(40'000, 'x');
    connection_->cork().append("head ");
    connection_->write_file({file_of(content), 0, content.size()});
    EXPECT_EQ(connection_->pending_files(), 1u);
    connection_->flush();
    EXPECT_EQ(heard(5 + content.size()), "head " + content);
    EXPECT_EQ(connection_->pending_files(), 0u);
}

// Not a large one here: half of the window that the peer begins with is the most in a packet.
TEST_F(SendingFiles, OneThatIsNotCopiedLeavesInOnePacketWithTheHead) {
    PlainTransport transport(fd_);
    WriteQueue queue;
    queue.cork().append("head ");
    queue.add(FileRange{file_of("file"), 0, 4});
    uint64_t sent = 0;
    EXPECT_EQ(queue.flush(transport, sent), FlushResult::kDrained);
    EXPECT_EQ(heard(9), "head file");
    EXPECT_EQ(packets(), 1u);
}

TEST_F(SendingFiles, ASmallOneThatShrankEndsTheConnection) {
    connection_->cork().append("head");
    connection_->write_file({file_of("abc"), 0, 10});
    connection_->flush();
    EXPECT_TRUE(closed_);
    EXPECT_EQ(connection_->close_cause(), CloseCause::kReset);
}

}  // namespace
}  // namespace stampede::net
