#include "os/line_writer.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "os/fd.h"
#include "os/thread.h"

namespace stampede::os {

namespace {

constexpr int kReaderPatience = 1000;  // milliseconds for a pipe that takes nothing
constexpr auto kEndPatience = std::chrono::seconds(1);

int open_target(const std::string& target) {
    if (target == "stdout") {
        return ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    }
    if (target == "stderr") {
        return ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    }
    return ::open(target.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0644);
}

bool is_file(int fd) {
    struct stat info;
    return ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

uint64_t count_lines(std::string_view text) {
    return static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

struct LineWriter::Shared {
    std::mutex mutex;
    std::condition_variable more;
    std::condition_variable ended;
    Buffer waiting;
    uint64_t lost = 0;
    bool reopen = false;
    bool ending = false;
    bool left = false;     // nobody waits for the thread any more: it frees this
    bool running = false;  // there is a thread
    std::string target;
    int fd = -1;
    bool torn = false;  // the last line in the file has no end

    ~Shared() { close_fd(fd); }

    static void* thread_main(void* self);
    void run();
    // What could not be written.
    uint64_t write(std::string_view text);
    bool write_piece(std::string_view piece, size_t& done);
    void open_again();
};

void* LineWriter::Shared::thread_main(void* self) {
    auto* shared = static_cast<Shared*>(self);
    shared->run();
    return nullptr;
}

void LineWriter::Shared::run() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
        more.wait(lock, [this] { return !waiting.empty() || reopen || ending; });
        if (std::exchange(reopen, false)) {
            lock.unlock();
            open_again();
            lock.lock();
        }
        if (waiting.empty()) {
            if (ending) {
                break;
            }
            continue;
        }
        Buffer text;
        text.swap(waiting);
        lock.unlock();
        uint64_t dropped = write(text.view());
        lock.lock();
        lost += dropped;
    }
    running = false;
    bool alone = left;
    ended.notify_all();
    lock.unlock();
    if (alone) {
        delete this;
    }
}

void LineWriter::Shared::open_again() {
    if (int fresh = target.empty() ? -1 : open_target(target); fresh >= 0) {
        close_fd(fd);
        fd = fresh;
        torn = false;
    }
}

// A pipe takes up to PIPE_BUF bytes of one writer without those of another between them.
uint64_t LineWriter::Shared::write(std::string_view text) {
    bool file = is_file(fd);
    while (!text.empty()) {
        std::string_view piece = text;
        if (!file && piece.size() > PIPE_BUF) {
            size_t end = piece.substr(0, PIPE_BUF).rfind('\n');
            piece = piece.substr(0, end == piece.npos ? PIPE_BUF : end + 1);
        }
        size_t done = 0;
        if (torn && write_piece("\n", done)) {
            torn = false;
            done = 0;
        }
        bool good = !torn && write_piece(piece, done);
        text.remove_prefix(done);
        if (!good) {
            torn = torn || (done > 0 && piece[done - 1] != '\n');
            return count_lines(text);
        }
    }
    return 0;
}

bool LineWriter::Shared::write_piece(std::string_view piece, size_t& done) {
    done = 0;
    while (done < piece.size()) {
        long count = write_some(fd, piece.data() + done, piece.size() - done);
        if (count > 0) {
            done += static_cast<size_t>(count);
            continue;
        }
        pollfd room{fd, POLLOUT, 0};
        if (count == 0 || errno != EAGAIN || ::poll(&room, 1, kReaderPatience) <= 0) {
            return false;
        }
    }
    return true;
}

Result<std::unique_ptr<LineWriter>> LineWriter::open(const std::string& target) {
    return make(target, open_target(target));
}

Result<std::unique_ptr<LineWriter>> LineWriter::open(int fd) {
    return make(std::string(), ::fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

Result<std::unique_ptr<LineWriter>> LineWriter::make(const std::string& target, int fd) {
    if (fd < 0) {
        return Error::last_errno();
    }
    return std::unique_ptr<LineWriter>(new LineWriter(target, fd));
}

LineWriter::LineWriter(const std::string& target, int fd) : shared_(new Shared()) {
    shared_->target = target;
    shared_->fd = fd;
}

LineWriter::~LineWriter() {
    if (pid_ == 0 || pid_ == ::getpid()) {
        flush();
    }
    bool own = pid_ == ::getpid();  // a forked child has no such thread
    std::unique_lock<std::mutex> lock(shared_->mutex, std::defer_lock);
    if (own) {
        lock.lock();
        shared_->ending = true;
        shared_->more.notify_one();
        shared_->left =
            !shared_->ended.wait_for(lock, kEndPatience, [this] { return !shared_->running; });
        bool stays = shared_->left;
        lock.unlock();
        if (stays) {
            return;
        }
    } else if (pid_ != 0) {
        return;  // its lock may be held by a thread that is not here
    }
    delete shared_;
}

bool LineWriter::start() {
    if (pid_ == ::getpid()) {
        return true;
    }
    pid_ = ::getpid();
    shared_->running = !start_thread(Shared::thread_main, shared_);
    return shared_->running;
}

void LineWriter::flush() {
    uint64_t count = std::exchange(line_count_, 0);
    if (lines_.empty()) {
        return;
    }
    if (!start()) {
        lost_ += count;
        pid_ = 0;
        lines_.clear();
        return;
    }
    std::lock_guard<std::mutex> lock(shared_->mutex);
    if (shared_->waiting.empty()) {
        shared_->waiting.swap(lines_);
    } else if (shared_->waiting.size() + lines_.size() <= kMostWaiting) {
        shared_->waiting.append(lines_.view());
    } else {
        shared_->lost += count;
    }
    lines_.clear();
    shared_->more.notify_one();
}

void LineWriter::reopen() {
    if (pid_ != ::getpid()) {  // no thread yet
        shared_->open_again();
        return;
    }
    flush();
    std::lock_guard<std::mutex> lock(shared_->mutex);
    shared_->reopen = true;
    shared_->more.notify_one();
}

uint64_t LineWriter::take_lost() {
    uint64_t lost = std::exchange(lost_, 0);
    if (pid_ == ::getpid()) {
        std::lock_guard<std::mutex> lock(shared_->mutex);
        lost += std::exchange(shared_->lost, 0);
    }
    return lost;
}

}  // namespace stampede::os
