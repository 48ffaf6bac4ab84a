#include "ext/server/boot.h"

#include <algorithm>
#include <csignal>
#include <string>

#include "ext/server/event_job.h"
#include "ext/server/process_start.h"
#include "os/log.h"
#include "os/open_files.h"
#include "os/process.h"
#include "os/signal.h"
#include "proc/nursery.h"
#include "runtime/runtime.h"
#include "zend/pending.h"
#include "zend/process_state.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

using os::Log;
using os::LogLevel;
using runtime::Outcome;

class BootProcess {
public:
    explicit BootProcess(ServerState& state)
        : state_(state),
          runtime_(runtime::Runtime::get()),
          nursery_(state.master->boot_channel()) {}

    // Ends the process when the application is not there then.
    void load();
    void become_worker();

private:
    class Event;

    void prepare();
    void take_signals();
    void run_event(ServerEvent event);
    void check();
    void on_event_end(Outcome outcome, zend_object* exception);
    void report_left_work();
    void report_shared_files(const std::vector<os::OpenFile>& before);
    [[noreturn]] void fail(const std::string& why);

    ServerState& state_;
    runtime::Runtime& runtime_;
    proc::Nursery nursery_;
    bool done_ = false;
};

void BootProcess::load() {
    prepare();
    std::vector<os::OpenFile> before = os::shareless_files();
    run_event(ServerEvent::kBoot);
    report_left_work();
    report_shared_files(before);
    if (state_.events.has(ServerEvent::kBootCheck)) {
        check();
    }
    nursery_.report_booted();
}

void BootProcess::prepare() {
    take_signals();
    std::string error = start_process(state_);
    if (!error.empty()) {
        fail(error);
    }
    runtime_.set_bail_hook(
        [](void* self) {
            (void)zend::grant_memory_after_limit();
            static_cast<BootProcess*>(self)->fail(zend::describe_last_error());
        },
        this);
}

// A terminal or a service manager signals all processes of the server: this one goes when the
// supervisor has no more use for it.
void BootProcess::take_signals() {
    os::SignalInbox& inbox = os::SignalInbox::get();
    if (inbox.open()) {
        fail("it has no descriptor left (ulimit -n)");
    }
    for (int number : {SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGRTMIN}) {
        (void)inbox.take(number);
    }
    inbox.ignore(SIGPIPE);
    os::unblock_all_signals();
}

// The boot itself, or its check.
class BootProcess::Event final : public EventJob {
public:
    Event(BootProcess& boot, ServerEvent event)
        : boot_(boot), callback_(boot.state_.events.at(event)) {
        arguments.add_object(boot.state_.object);
    }

private:
    void work() override { arguments.call(callback_); }
    void report(Outcome outcome, zend_object* exception) override {
        boot_.on_event_end(outcome, exception);
    }
    void not_started() override { boot_.fail("no coroutine can be started"); }

    BootProcess& boot_;
    const zend::Callable& callback_;
};

void BootProcess::run_event(ServerEvent event) {
    done_ = false;
    (new Event(*this, event))->start();
    runtime_.run_until([](void* self) { return static_cast<BootProcess*>(self)->done_; }, this);
    if (!done_) {
        fail("it waits for something that cannot happen");
    }
}

// In a process of its own, whose state does not come into the workers. It reports a failure itself.
void BootProcess::check() {
    Result<pid_t> pid = os::fork_process(os::SignalsOfChild::kAsBefore);
    if (!pid) {
        fail("no process can be forked for the event bootCheck");
    }
    if (*pid == 0) {
        os::signal_on_parent_death(SIGKILL);
        runtime::Runtime::after_fork_in_child();
        zend::reseed();
        run_event(ServerEvent::kBootCheck);
        os::exit_now(0);
    }
    os::ChildExit how = os::block_until_ended(*pid);
    if (how.signal != 0) {
        fail("the process of the event bootCheck was ended by signal " +
             std::to_string(how.signal));
    }
    if (how.code != 0) {
        os::exit_now(1);  // the supervisor has heard why
    }
}

void BootProcess::on_event_end(Outcome outcome, zend_object* exception) {
    done_ = true;
    if (outcome == Outcome::kThrew && exception != nullptr) {
        log_thrown(outcome, exception);
        fail(zend::describe_exception(exception));
    } else if (outcome == Outcome::kExited) {
        fail("it called exit()");
    } else if (outcome == Outcome::kBailed) {
        fail(zend::describe_last_error());
    }
}

void BootProcess::fail(const std::string& why) {
    nursery_.report_failure(why);
    os::exit_now(1);
}

void BootProcess::report_left_work() {
    size_t coroutines = runtime_.coroutine_count();
    if (coroutines > 0) {
        Log::get().write(LogLevel::kWarning,
                         "the event boot leaves %zu coroutines that wait: they go on in no worker; "
                         "start them in the event workerStart",
                         coroutines);
    }
    // One of each that sleeps is its own.
    size_t timers = runtime_.loop().timer_count();
    timers -= std::min(timers, coroutines);
    if (timers > 0) {
        Log::get().write(LogLevel::kWarning,
                         "the event boot leaves %zu timers: they fire in no worker; start them in "
                         "the event workerStart",
                         timers);
    }
}

void BootProcess::report_shared_files(const std::vector<os::OpenFile>& before) {
    for (const os::OpenFile& file : os::shareless_files()) {
        bool was_there = std::ranges::any_of(
            before, [&](const auto& old) { return old.fd == file.fd && old.what == file.what; });
        if (!was_there) {
            Log::get().write(LogLevel::kWarning,
                             "the event boot leaves %s open (descriptor %d): all workers would use "
                             "it at once; open it in the event workerStart, or when it is needed",
                             file.what.c_str(), file.fd);
        }
    }
}

void BootProcess::become_worker() {
    proc::Nursery::Events events;
    events.owner = &state_;
    events.reopen_log = [](void* owner) {
        Log::get().reopen();
        auto& state = *static_cast<ServerState*>(owner);
        if (state.access_lines != nullptr) {
            state.access_lines->reopen();
        }
    };
    runtime_.set_bail_hook(nullptr, nullptr);
    state_.place = nursery_.serve(events);
    state_.board->line(state_.place.line).pid.store(os::own_pid());
}

}  // namespace

void run_boot_process(ServerState& state) {
    runtime::Runtime::after_fork_in_child();
    BootProcess boot(state);
    boot.load();
    boot.become_worker();
}

}  // namespace stampede::classes
