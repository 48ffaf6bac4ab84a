#include "ext/server/boot.h"

#include <algorithm>
#include <csignal>
#include <string>

#include "ext/server/api_options.h"
#include "hooks/hooks.h"
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
    struct EventJob : runtime::Job {
        BootProcess* boot;
        ServerEvent event;
        zval server;
    };

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
    zend::reseed_after_fork();
    zend::forget_paths();
    take_signals();
    const ServerSettings& settings = state_.settings;
    std::string error = os::assume_identity({settings.user, settings.group, settings.chroot});
    if (!error.empty()) {
        fail(error);
    }
    state_.has_identity = true;
    runtime_.set_server_role(runtime::ServerRole::kServer);
    runtime_.start_callbacks_in_coroutines(settings.enable_coroutine);
    if (settings.hook_flags != 0) {
        hooks::set_flags(settings.hook_flags);
    }
    use_coroutine_options(state_);
    runtime_.limits().max_coroutines = static_cast<size_t>(settings.max_coroutine);
    runtime_.set_bail_hook(
        [](void* self) {
            zend::grant_memory_after_limit();
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

void BootProcess::run_event(ServerEvent event) {
    done_ = false;
    auto* job = new EventJob();
    job->boot = this;
    job->event = event;
    job->run = [](runtime::Job& base) {
        auto& self = static_cast<EventJob&>(base);
        zend::call(self.boot->state_.events.at(self.event), 1, &self.server, nullptr);
    };
    job->finished = [](runtime::Job& base, Outcome outcome, zend_object* exception) {
        auto& self = static_cast<EventJob&>(base);
        BootProcess& boot = *self.boot;
        if (outcome != Outcome::kBailed) {
            zval_ptr_dtor(&self.server);
        }
        delete &self;
        boot.on_event_end(outcome, exception);
    };
    ZVAL_OBJ_COPY(&job->server, state_.object);
    if (runtime_.start_callback(*job) < 0) {
        fail("no coroutine can be started");
    }
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
        zend::reseed_after_fork();
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
