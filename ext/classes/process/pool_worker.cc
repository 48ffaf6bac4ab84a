// Swoole\Process\Pool: a worker: its start, the messages that come to it, its end.
#include <csignal>

#include <cerrno>
#include <cstring>
#include <deque>

#include "classes/coroutine/coroutine.h"
#include "classes/event.h"
#include "classes/process/pool.h"
#include "classes/process/pool_messages.h"
#include "io/signals.h"
#include "os/log.h"
#include "os/message_queue.h"
#include "os/process.h"
#include "os/signal.h"
#include "runtime/runtime.h"
#include "zend/process_end.h"
#include "zend/process_state.h"
#include "zend/throw.h"

namespace stampede::classes {

using runtime::Runtime;

namespace {

constexpr Nanos kExitEventPeriod = 100 * kMillisecond;
constexpr Nanos kShortestPause = kMillisecond;  // between two looks at a message queue
constexpr Nanos kLongestPause = 10 * kMillisecond;
constexpr size_t kMostOfMessage = 65536;
constexpr int kAtOnce = 64;  // messages of one iteration

zend_object* volatile told_object;  // null once it is freed
volatile sig_atomic_t told_to_end = 0;
pid_t told_pid;

// A worker that never comes to its loop finds out as well.
void on_term(int) {
    if (os::own_pid() != told_pid) {  // a child of the worker's own ends as any process
        os::die_by_signal(SIGTERM);
        return;
    }
    told_to_end = 1;
    if (told_object == nullptr) {
        return;
    }
    for (uint32_t slot : {kPoolWorkerRunningSlot, kPoolRunningSlot}) {
        zval* value = OBJ_PROP_NUM(told_object, slot);
        if (Z_TYPE_P(value) == IS_TRUE) {
            ZVAL_FALSE(value);
        }
    }
}

}  // namespace

class PoolWorker {
public:
    PoolWorker(Pool& pool, uint32_t id) : pool_(pool), id_(id), runtime_(Runtime::get()) {}

    void run();
    void stop();
    void detach();
    uint32_t id() const { return id_; }
    bool respond(std::string_view data);
    void rest() {
        readers_++;
        settle_inbox();
    }
    void wake() {
        readers_--;
        settle_inbox();
    }

private:
    struct Listener : io::SignalListener {
        PoolWorker* worker;
    };
    struct InboxWatch : loop::Watch {
        PoolWorker* worker;
    };
    struct WorkerTimer : loop::Timer {
        PoolWorker* worker;
    };
    struct WorkerTask : loop::Task {
        PoolWorker* worker;
    };

    void prepare();
    void open_inbox();
    void close_inbox();
    void settle_inbox();
    void on_inbox();
    void look_at_queue();
    void deliver();
    void deliver_stream();
    void begin_exit();
    static bool running() { return told_to_end == 0; }
    bool done();

    Pool& pool_;
    uint32_t id_;
    Runtime& runtime_;
    Listener term_;
    InboxWatch inbox_;
    WorkerTimer queue_timer_;
    WorkerTimer exit_timer_;
    WorkerTask deliver_task_;
    WorkerTask exit_task_;
    PoolMessages assembled_;
    std::deque<std::string> messages_;
    Nanos pause_ = kShortestPause;
    std::string response_;
    uint32_t readers_ = 0;  // coroutines that wait for the pipe
    bool responds_ = false;
    bool open_ = false;
    bool exiting_ = false;
};

void PoolWorker::prepare() {
    pool_.worker = this;
    zend::reseed();
    zend::leave_after_request();
    ZVAL_LONG(pool_.property(kPoolWorkerPidSlot), os::own_pid());
    ZVAL_LONG(pool_.property(kPoolWorkerIdSlot), id_);
    ZVAL_TRUE(pool_.property(kPoolWorkerRunningSlot));
    ZVAL_TRUE(pool_.property(kPoolRunningSlot));
    pool_.pid_of(id_).store(os::own_pid());
    zval* made = pool_.property(kPoolWorkersSlot);  // by the supervisor: the sides are its own
    zval_ptr_dtor(made);
    ZVAL_NULL(made);
    runtime_.start_callbacks_in_coroutines(pool_.in_coroutines);
    told_object = pool_.object;
    told_pid = os::own_pid();
    os::on_signal_directly(SIGTERM, on_term);
    term_.worker = this;
    term_.keeps_loop = false;
    term_.on_signal = [](io::SignalListener& listener) {
        static_cast<Listener&>(listener).worker->stop();
    };
    static_cast<void>(io::listen_to_signal(SIGTERM, term_));
    for (WorkerTimer* timer : {&queue_timer_, &exit_timer_}) {
        timer->worker = this;
    }
    queue_timer_.on_fire = [](loop::Timer& timer) {
        static_cast<WorkerTimer&>(timer).worker->look_at_queue();
    };
    exit_timer_.on_fire = [](loop::Timer& timer) {
        PoolWorker& self = *static_cast<WorkerTimer&>(timer).worker;
        self.runtime_.loop().enqueue(self.exit_task_);
    };
    deliver_task_.worker = this;
    deliver_task_.run = [](loop::Task& task) { static_cast<WorkerTask&>(task).worker->deliver(); };
    exit_task_.worker = this;
    exit_task_.run = [](loop::Task& task) {
        PoolWorker& self = *static_cast<WorkerTask&>(task).worker;
        self.runtime_.loop().arm(self.exit_timer_, kExitEventPeriod);
        self.pool_.fire(PoolEvent::kWorkerExit, self.id_);
    };
    os::signal_on_parent_death(SIGTERM);
    os::unblock_all_signals();
}

void PoolWorker::run() {
    prepare();
    if (os::parent_pid() != Z_LVAL_P(pool_.property(kPoolMasterPidSlot))) {
        stop();  // it ended before this process could be told
    }
    pool_.fire(PoolEvent::kWorkerStart, id_);
    if (!zend::exception_pending()) {
        open_inbox();
        pool_.line(id_).serves.store(open_ || runtime_.coroutine_count() > 0);
        runtime_.run_until([](void* self) { return static_cast<PoolWorker*>(self)->done(); }, this);
    }
    if (os::own_pid() != told_pid) {  // a child that a function has made, on its way out
        return;
    }
    drop_events_after_exit();
    close_inbox();
    runtime_.loop().disarm(exit_timer_);
    exit_task_.unlink();
    if (!zend::exception_pending()) {
        if (pool_.line(id_).told.load()) {  // also when the script took the signal itself
            ZVAL_FALSE(pool_.property(kPoolWorkerRunningSlot));
        }
        pool_.fire(PoolEvent::kWorkerStop, id_);
    }
    if (!zend::exception_pending() && pool_.in_coroutines) {
        // What the last event has started; in a worker that ends by itself also the report of what
        // can never go on.
        running() ? run_loop(runtime_) : runtime_.run_until(nullptr, nullptr);
    }
}

// Without coroutines nothing is under way between two events. With them all that was started is
// waited for.
bool PoolWorker::done() {
    if (running()) {
        return false;
    }
    begin_exit();
    return !pool_.in_coroutines;
}

void PoolWorker::begin_exit() {
    if (exiting_) {
        return;
    }
    exiting_ = true;
    close_inbox();
    if (pool_.in_coroutines && pool_.has(PoolEvent::kWorkerExit)) {
        // It must not be what keeps the loop going.
        runtime_.loop().ignore_for_liveness(0, 1);
        runtime_.loop().arm(exit_timer_, 0);
    }
}

void PoolWorker::stop() { on_term(SIGTERM); }

void PoolWorker::detach() {
    close_inbox();
    os::signal_on_parent_death(0);
}

bool PoolWorker::respond(std::string_view data) {
    if (responds_) {
        response_.append(data);
    }
    return responds_;
}

void PoolWorker::open_inbox() {
    if (!pool_.has(PoolEvent::kMessage) || !running() || exiting_) {
        return;
    }
    open_ = true;
    if (pool_.ipc == PoolIpc::kQueue) {
        runtime_.loop().arm(queue_timer_, 0);
        return;
    }
    inbox_.worker = this;
    inbox_.fd =
        pool_.ipc == PoolIpc::kSocket ? pool_.listener.get() : pool_.pipes[id_].worker.get();
    inbox_.interest = readers_ > 0 ? 0 : loop::kReadable;
    inbox_.on_ready = [](loop::Watch& watch, uint32_t) {
        static_cast<InboxWatch&>(watch).worker->on_inbox();
    };
    if (Error error = runtime_.loop().watch(inbox_)) {
        open_ = false;
        zend::warning("the messages cannot be watched: %s",
                      strerror(static_cast<int>(error.code())));
    }
}

void PoolWorker::settle_inbox() {
    bool is_pipe = pool_.ipc == PoolIpc::kUnixSocket && os::own_pid() == told_pid;
    if (is_pipe && open_ && inbox_.worker != nullptr) {
        (void)runtime_.loop().set_interest(inbox_, readers_ > 0 ? 0 : loop::kReadable);
    }
}

void PoolWorker::close_inbox() {
    if (!std::exchange(open_, false)) {
        return;
    }
    runtime_.loop().disarm(queue_timer_);
    if (inbox_.worker != nullptr) {
        runtime_.loop().unwatch(inbox_);
    }
}

// Without coroutines one message after the other, so that none is lost with the one that it waits
// for and other workers get their share.
void PoolWorker::on_inbox() {
    if (pool_.ipc != PoolIpc::kSocket) {
        std::string message;
        int most = pool_.in_coroutines ? kAtOnce : 1;
        for (int i = 0; i < most && assembled_.receive(inbox_.fd, message); i++) {
            messages_.push_back(std::move(message));
        }
        if (messages_.empty()) {
            return;
        }
    }
    if (!deliver_task_.linked()) {
        runtime_.loop().enqueue(deliver_task_);
    }
}

void PoolWorker::look_at_queue() {
    Result<os::TakenMessage> taken =
        os::take_message(pool_.queue, 0, kMostOfMessage, os::Waiting::kLook);
    if (!taken) {
        runtime_.loop().arm(queue_timer_, pause_);
        pause_ = std::min(pause_ * 2, kLongestPause);
        return;
    }
    pause_ = kShortestPause;
    messages_.emplace_back(taken->bytes);
    runtime_.loop().enqueue(deliver_task_);
    runtime_.loop().arm(queue_timer_, 0);
}

void PoolWorker::deliver() {
    if (pool_.ipc == PoolIpc::kSocket) {
        deliver_stream();
        return;
    }
    while (!messages_.empty() && !zend::exception_pending()) {
        zval text;
        ZVAL_STRINGL(&text, messages_.front().data(), messages_.front().size());
        messages_.pop_front();
        pool_.fire(PoolEvent::kMessage, &text);
        zval_ptr_dtor(&text);
    }
}

void PoolWorker::deliver_stream() {
    PoolConnection connection(pool_.listener.get());
    std::string message;
    if (!open_ || !connection.receive(message, static_cast<size_t>(pool_.max_package))) {
        return;
    }
    zval text;
    ZVAL_STRINGL(&text, message.data(), message.size());
    response_.clear();
    responds_ = true;
    pool_.fire(PoolEvent::kMessage, &text);
    responds_ = false;
    zval_ptr_dtor(&text);
    if (!response_.empty()) {
        connection.respond(response_);
    }
}

void run_pool_worker(Pool& pool, uint32_t id) {
    static PoolWorker* volatile worker;  // until the process ends: its script may look at it
    worker = new PoolWorker(pool, id);
    worker->run();
    if (!zend::exception_pending()) {
        zend::leave_script(zend::exit_status());
    }
}

void forget_pool(const zend_object* object) {
    if (told_object == object) {
        told_object = nullptr;
    }
}

void stop_pool_worker(PoolWorker& worker) { worker.stop(); }
void detach_pool_worker(PoolWorker& worker) { worker.detach(); }
void rest_inbox(PoolWorker& worker) { worker.rest(); }
void wake_inbox(PoolWorker& worker) { worker.wake(); }
uint32_t number_of(const PoolWorker& worker) { return worker.id(); }
bool add_to_response(PoolWorker& worker, std::string_view data) { return worker.respond(data); }

}  // namespace stampede::classes
