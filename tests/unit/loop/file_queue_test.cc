#include "loop/file_queue.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "loop/worker_pool.h"

namespace stampede::loop {
namespace {

struct Counted : FileOperation {
    int* ended = nullptr;
};

void note(PoolJob& job) { (*static_cast<Counted&>(job).ended)++; }

class FileQueueTest : public testing::TestWithParam<FileBackend> {
protected:
    void SetUp() override {
        loop_ = std::move(*Loop::create());
        queue_ = std::make_unique<FileQueue>(*loop_, GetParam());
    }
    // Turns until so many operations have ended.
    void wait_for(const int& ended, int wanted) {
        Nanos deadline = monotonic_now() + 20 * kSecond;
        while (ended < wanted && monotonic_now() < deadline) {
            loop_->run_once(100 * kMillisecond);
        }
        ASSERT_EQ(wanted, ended);
    }
    int64_t run(Counted& operation) {
        int ended = 0;
        operation.ended = &ended;
        operation.done = note;
        queue_->submit(operation);
        EXPECT_EQ(0, ended);
        EXPECT_TRUE(loop_->has_work());
        wait_for(ended, 1);
        EXPECT_FALSE(loop_->has_work());
        return operation.result;
    }

    std::unique_ptr<Loop> loop_;
    std::unique_ptr<FileQueue> queue_;
};

TEST_P(FileQueueTest, AFileIsOpenedWrittenReadAndClosed) {
    std::string path = testing::TempDir() + "/file_queue_test";
    Counted open;
    open.kind = FileOperation::Kind::kOpen;
    open.path = path.c_str();
    open.flags = O_RDWR | O_CREAT | O_TRUNC;
    open.mode = 0600;
    int fd = static_cast<int>(run(open));
    ASSERT_GE(fd, 0);
    std::string text = "written and read";
    Counted write;
    write.kind = FileOperation::Kind::kWrite;
    write.fd = fd;
    write.data = text.data();
    write.size = text.size();
    EXPECT_EQ(static_cast<int64_t>(text.size()), run(write));
    Counted sync;
    sync.kind = FileOperation::Kind::kSync;
    sync.fd = fd;
    EXPECT_EQ(0, run(sync));
    char bytes[64];
    Counted read;
    read.kind = FileOperation::Kind::kRead;
    read.fd = fd;
    read.data = bytes;
    read.size = sizeof(bytes);
    read.offset = 8;
    EXPECT_EQ(8, run(read));
    EXPECT_EQ("and read", std::string(bytes, 8));
    struct statx facts {};
    Counted stat;
    stat.kind = FileOperation::Kind::kStat;
    stat.path = path.c_str();
    stat.data = reinterpret_cast<char*>(&facts);
    EXPECT_EQ(0, run(stat));
    EXPECT_EQ(text.size(), facts.stx_size);
    Counted close;
    close.kind = FileOperation::Kind::kClose;
    close.fd = fd;
    EXPECT_EQ(0, run(close));
    EXPECT_EQ(-1, fcntl(fd, F_GETFD));
    unlink(path.c_str());
}

TEST_P(FileQueueTest, ErrorsAreNegative) {
    Counted open;
    open.kind = FileOperation::Kind::kOpen;
    open.path = "/does/not/exist";
    EXPECT_EQ(-ENOENT, run(open));
    char byte;
    Counted read;
    read.kind = FileOperation::Kind::kRead;
    read.fd = -1;
    read.data = &byte;
    read.size = 1;
    EXPECT_EQ(-EBADF, run(read));
}

TEST_P(FileQueueTest, MoreAtOnceThanTheRingHolds) {
    constexpr int kCount = 1000;
    std::vector<Counted> operations(kCount);
    std::vector<std::array<char, 16>> bytes(kCount);
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    int ended = 0;
    for (int i = 0; i < kCount; i++) {
        operations[i].kind = FileOperation::Kind::kRead;
        operations[i].fd = fd;
        operations[i].data = bytes[i].data();
        operations[i].size = bytes[i].size();
        operations[i].offset = i;
        operations[i].ended = &ended;
        operations[i].done = note;
        queue_->submit(operations[i]);
    }
    wait_for(ended, kCount);
    EXPECT_EQ(0, std::memcmp(bytes[0].data(),
                             "\x7f"
                             "ELF",
                             4));
    for (auto& operation : operations) {
        EXPECT_EQ(16, operation.result);
    }
    EXPECT_EQ(0u, queue_->in_flight());
    EXPECT_FALSE(loop_->has_work());
    close(fd);
}

INSTANTIATE_TEST_SUITE_P(Backends, FileQueueTest,
                         testing::Values(FileBackend::kRing, FileBackend::kThreads));

struct Job : PoolJob {
    std::atomic<int>* running;
    std::atomic<int>* most;
    std::atomic<bool>* go;
    std::thread::id worker;
    int* ended;
};

void work(PoolJob& base) {
    auto& job = static_cast<Job&>(base);
    job.worker = std::this_thread::get_id();
    int now = ++*job.running;
    int most = job.most->load();
    while (now > most && !job.most->compare_exchange_weak(most, now)) {
    }
    while (!job.go->load()) {
        std::this_thread::yield();
    }
    --*job.running;
}

TEST(WorkerPool, UsesAsManyThreadsAsAllowedAndNoMore) {
    auto loop = std::move(*Loop::create());
    WorkerPool pool(*loop);
    pool.set_limit(3);
    std::atomic<int> running = 0, most = 0;
    std::atomic<bool> go = false;
    int ended = 0;
    std::vector<Job> jobs(10);
    for (Job& job : jobs) {
        job.running = &running;
        job.most = &most;
        job.go = &go;
        job.ended = &ended;
        job.work = work;
        job.done = [](PoolJob& base) { (*static_cast<Job&>(base).ended)++; };
        pool.submit(job);
    }
    Nanos deadline = monotonic_now() + 20 * kSecond;
    while (running < 3 && monotonic_now() < deadline) {
        std::this_thread::yield();
    }
    EXPECT_EQ(3, pool.threads());
    EXPECT_TRUE(pool.take_back(jobs[9]));
    EXPECT_FALSE(pool.take_back(jobs[9]));
    go = true;
    while (ended < 9 && monotonic_now() < deadline) {
        loop->run_once(100 * kMillisecond);
    }
    EXPECT_EQ(9, ended);
    EXPECT_EQ(3, most.load());
    for (int i = 0; i < 9; i++) {
        EXPECT_NE(std::this_thread::get_id(), jobs[static_cast<size_t>(i)].worker);
    }
    EXPECT_FALSE(loop->has_work());
}

TEST(WorkerPool, IdleThreadsEnd) {
    auto loop = std::move(*Loop::create());
    WorkerPool pool(*loop);
    pool.set_idle_time(kMillisecond);
    std::atomic<int> running = 0, most = 0;
    std::atomic<bool> go = true;
    int ended = 0;
    Job job;
    job.running = &running;
    job.most = &most;
    job.go = &go;
    job.ended = &ended;
    job.work = work;
    job.done = [](PoolJob& base) { (*static_cast<Job&>(base).ended)++; };
    pool.submit(job);
    Nanos deadline = monotonic_now() + 20 * kSecond;
    while ((ended < 1 || pool.threads() > 0) && monotonic_now() < deadline) {
        loop->run_once(kMillisecond);
    }
    EXPECT_EQ(1, ended);
    EXPECT_EQ(0, pool.threads());
}

}  // namespace
}  // namespace stampede::loop
