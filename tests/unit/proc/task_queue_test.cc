// Tasks keep their order and their bytes, what is no task is told apart, and a queue that is not
// this user's alone is refused.
#include "proc/task_queue.h"

#include <gtest/gtest.h>
#include <sys/msg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace stampede::proc {
namespace {

class Queue : public ::testing::Test {
protected:
    Queue() {
        char name[] = "/tmp/stampede-queue-XXXXXX";
        settings.folder = ::mkdtemp(name);
        settings.key = 0x58000000 | (::getpid() & 0xffffff);
    }
    ~Queue() override {
        (void)::msgctl(::msgget(settings.key, 0), IPC_RMID, nullptr);
        (void)!std::system(("rm -r " + settings.folder).c_str());
    }
    std::unique_ptr<TaskQueue> open() {
        std::unique_ptr<TaskQueue> queue;
        EXPECT_EQ(TaskQueue::open(settings, queue), "");
        return queue;
    }
    std::string refusal() {
        std::unique_ptr<TaskQueue> queue;
        return TaskQueue::open(settings, queue);
    }
    static void give(TaskQueue& queue, long type, const std::string& body) {
        auto task = queue.pack("head", body);
        ASSERT_TRUE(task);
        ASSERT_FALSE(queue.put(type, *task));
    }
    // What no task queue has written.
    void push(const std::string& bytes) {
        struct {
            long type = 1;
            char data[512];
        } message;
        std::memcpy(message.data, bytes.data(), bytes.size());
        ASSERT_EQ(::msgsnd(::msgget(settings.key, 0), &message, bytes.size(), 0), 0);
    }
    bool folder_is_empty() { return ::rmdir(settings.folder.c_str()) == 0; }

    TaskQueue::Settings settings;
};

TEST_F(Queue, GivesBackWhatWasPutByType) {
    auto queue = open();
    std::string large(100000, 'x');
    give(*queue, 5, "first");
    give(*queue, 6, large);
    give(*queue, 5, "");
    EXPECT_EQ(queue->state().tasks, 3u);
    EXPECT_EQ(queue->take(6)->bytes, "head" + large);
    EXPECT_TRUE(queue->take(6).error().is_system(ENOMSG));
    EXPECT_EQ(queue->take(5)->bytes, "headfirst");
    auto last = queue->take(0);
    EXPECT_EQ(last->bytes, "head");
    EXPECT_FALSE(last->is_old);
    EXPECT_TRUE(folder_is_empty());
}

TEST_F(Queue, ShowsWhatIsTakenNext) {
    auto queue = open();
    EXPECT_TRUE(queue->look(0).error().is_system(ENOMSG));
    give(*queue, 5, "first");
    give(*queue, 6, std::string(100000, 'x'));
    give(*queue, 5, std::string(200, 'y'));
    EXPECT_EQ(queue->look(0)->bytes, "headfirst");
    EXPECT_EQ(queue->look(6)->bytes, "head");
    EXPECT_TRUE(queue->look(7).error().is_system(ENOMSG));
    std::string third = "head" + std::string(TaskQueue::kMostFront - 4, 'y');
    EXPECT_EQ(queue->fronts(), (std::vector<std::string>{third, "head", "headfirst"}));
    EXPECT_TRUE(queue->take(5));
    EXPECT_EQ(queue->look(5)->bytes, third);
    EXPECT_TRUE(queue->take(5));
    EXPECT_EQ(queue->take(6)->bytes.size(), 100004u);
    push("none of ours");
    EXPECT_TRUE(queue->look(1).error().is_system(EBADMSG));
    EXPECT_TRUE(queue->fronts().empty());
}

TEST_F(Queue, IsFullOneDayAndTakesBackItsFile) {
    auto queue = open();
    auto task = queue->pack("", std::string(3000, 'x'));
    while (!queue->put(1, *task)) {
    }
    auto large = queue->pack("", std::string(4000, 'x'));
    Error error;
    while (!(error = queue->put(1, *large))) {
    }
    EXPECT_TRUE(error.is_system(EAGAIN));
    queue->discard(*large);
    EXPECT_TRUE(folder_is_empty());
}

TEST_F(Queue, TasksOfARunBeforeGoToTheTypesThereAre) {
    auto before = open();
    for (int i = 0; i < 6; i++) {
        give(*before, 3 + i, std::to_string(i));
    }
    before.reset();
    auto queue = open();
    EXPECT_EQ(queue->adopt(4, 5), 6u);
    std::string seen;
    for (long type : {4, 5}) {
        while (auto task = queue->take(type)) {
            EXPECT_TRUE(task->is_old);
            seen += task->bytes.substr(4);
        }
        seen += ' ';
    }
    EXPECT_EQ(seen, "014 235 ");
}

TEST_F(Queue, WhatIsNoTaskIsTold) {
    auto queue = open();
    for (const char* bytes : {"", "short", "much longer than the head of a task, but none of it"}) {
        push(bytes);
        EXPECT_TRUE(queue->take(1).error().is_system(EBADMSG)) << bytes;
    }
    // Files elsewhere, of another kind or another size than was said.
    std::string outside = settings.folder + "/outside";
    std::ofstream(outside) << "secret";
    for (std::string name : {std::string("../../etc/passwd"), std::string("outside")}) {
        auto large = queue->pack("", std::string(4000, 'x'));
        std::string bytes = large->bytes.substr(0, large->bytes.size() - large->file.size());
        queue->discard(*large);
        push(bytes + name);
        EXPECT_TRUE(queue->take(1).error().is_system(EBADMSG)) << name;
    }
    auto large = queue->pack("", std::string(4000, 'x'));
    push(large->bytes);
    ASSERT_EQ(::unlink((settings.folder + "/" + large->file).c_str()), 0);
    ASSERT_EQ(::symlink(outside.c_str(), (settings.folder + "/" + large->file).c_str()), 0);
    EXPECT_TRUE(queue->take(1).error().is_system(EBADMSG));
    EXPECT_EQ(::access(outside.c_str(), F_OK), 0);
    push(large->bytes);
    (void)::unlink((settings.folder + "/" + large->file).c_str());
    std::ofstream(settings.folder + "/" + large->file) << "short";
    EXPECT_TRUE(queue->take(1).error().is_system(EBADMSG));
}

TEST_F(Queue, FilesOfAQueueThatWasRemovedGo) {
    auto queue = open();
    give(*queue, 1, std::string(4000, 'x'));
    (void)open();
    EXPECT_TRUE(queue->take(1));
    give(*queue, 1, std::string(4000, 'x'));
    (void)::msgctl(::msgget(settings.key, 0), IPC_RMID, nullptr);
    EXPECT_TRUE(queue->take(1).error());
    (void)open();
    EXPECT_TRUE(folder_is_empty());
}

TEST_F(Queue, OneThatOthersCanUseIsRefused) {
    int id = ::msgget(settings.key, IPC_CREAT | 0620);
    EXPECT_NE(refusal().find("can be used by other users, too"), std::string::npos) << refusal();
    (void)::msgctl(id, IPC_RMID, nullptr);
    settings.user = "no-such-user";
    EXPECT_NE(refusal().find("does not exist"), std::string::npos) << refusal();
}

// Only the superuser can make a queue as somebody else.
TEST_F(Queue, OneOfAnotherUserIsRefused) {
    if (::geteuid() != 0) {
        return;
    }
    for (bool given_away : {false, true}) {
        pid_t child = ::fork();
        if (child == 0) {
            (void)!::setuid(65534);
            int id = ::msgget(settings.key, IPC_CREAT | 0600);
            msqid_ds state;
            (void)::msgctl(id, IPC_STAT, &state);
            state.msg_perm.uid = given_away ? 0 : 65534;
            ::_exit(::msgctl(id, IPC_SET, &state));
        }
        int status = 0;
        (void)::waitpid(child, &status, 0);
        ASSERT_EQ(status, 0);
        EXPECT_NE(refusal().find("belongs to another user"), std::string::npos) << refusal();
        (void)::msgctl(::msgget(settings.key, 0), IPC_RMID, nullptr);
    }
}

TEST_F(Queue, BelongsToTheUserOfItsReaders) {
    if (::geteuid() != 0) {
        return;
    }
    settings.user = "nobody";
    auto queue = open();
    msqid_ds state;
    (void)::msgctl(::msgget(settings.key, 0), IPC_STAT, &state);
    EXPECT_EQ(state.msg_perm.uid, 65534u);
    EXPECT_EQ(state.msg_perm.mode & 0777, 0600);
    auto large = queue->pack("", std::string(4000, 'x'));
    struct stat facts;
    ASSERT_EQ(::stat((settings.folder + "/" + large->file).c_str(), &facts), 0);
    EXPECT_EQ(facts.st_uid, 65534u);
    EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

}  // namespace
}  // namespace stampede::proc
