#include "net/hosts_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace stampede::net {
namespace {

class HostsFileTest : public ::testing::Test {
protected:
    void SetUp() override {
        char name[] = "/tmp/hosts_file_test_XXXXXX";
        folder_ = ::mkdtemp(name);
    }
    void TearDown() override {
        ::unlink(path("hosts").c_str());
        ::unlink(path("order").c_str());
        ::rmdir(folder_.c_str());
    }
    std::string path(const char* name) const { return folder_ + "/" + name; }
    void write(const char* name, const std::string& text) const {
        FILE* file = ::fopen(path(name).c_str(), "w");
        ::fwrite(text.data(), 1, text.size(), file);
        ::fclose(file);
    }

    std::string folder_;
};

TEST_F(HostsFileTest, NamesOfEachFamilyInAnyCaseAndWithComments) {
    write("order", "passwd: files\nhosts:\tfiles mdns4_minimal [NOTFOUND=return] dns\n");
    write("hosts",
          "127.0.0.1 Localhost own.test # not.this\n\n#10.0.0.1 nor.this\n::1\tlocalhost "
          "six.test\nbad line\n10.0.0.2 last.test");
    HostsFile file(path("hosts"), path("order"));
    EXPECT_TRUE(file.answers("localhost", AF_INET));
    EXPECT_TRUE(file.answers("LOCALHOST", AF_INET6));
    EXPECT_TRUE(file.answers("own.test", AF_INET));
    EXPECT_FALSE(file.answers("own.test", AF_INET6));
    EXPECT_TRUE(file.answers("own.test", AF_UNSPEC));
    EXPECT_FALSE(file.answers("six.test", AF_INET));
    EXPECT_TRUE(file.answers("six.test", AF_UNSPEC));
    EXPECT_TRUE(file.answers("last.test", AF_INET));
    for (const char* name : {"not.this", "nor.this", "line", "127.0.0.1", "", "other.test"}) {
        EXPECT_FALSE(file.answers(name, AF_UNSPEC)) << name;
    }
}

TEST_F(HostsFileTest, NothingWhereOthersAreAskedFirst) {
    write("hosts", "10.0.0.1 own.test\n");
    for (const char* order : {"hosts: dns files\n", "hosts: resolve files\n", "passwd: files\n",
                              "#hosts: files\n", ""}) {
        write("order", order);
        HostsFile file(path("hosts"), path("order"));
        EXPECT_FALSE(file.answers("own.test", AF_INET)) << order;
    }
    HostsFile without(path("hosts"), path("nothing"));
    EXPECT_FALSE(without.answers("own.test", AF_INET));
}

TEST_F(HostsFileTest, ChangesAreSeen) {
    write("order", "hosts: files dns\n");
    HostsFile file(path("hosts"), path("order"));
    EXPECT_FALSE(file.answers("own.test", AF_INET));
    uint64_t before = file.version();
    write("hosts", "10.0.0.1 own.test\n");
    EXPECT_TRUE(file.answers("own.test", AF_INET));
    EXPECT_NE(file.version(), before);
    before = file.version();
    EXPECT_TRUE(file.answers("own.test", AF_INET));
    EXPECT_EQ(file.version(), before);
    write("hosts", "10.0.0.1 another.test\n");
    EXPECT_FALSE(file.answers("own.test", AF_INET));
    write("hosts", std::string(300 * 1024, '#') + "\n10.0.0.1 own.test\n");
    EXPECT_FALSE(file.answers("own.test", AF_INET));
}

}  // namespace
}  // namespace stampede::net
