// Names, children, file locks, and libraries that are loaded later.
#include <dlfcn.h>
#include <netdb.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "hooks/hooks.h"
#include "hooks/readiness.h"
#include "io/files.h"
#include "os/children.h"
#include "os/fd.h"
#include "runtime/runtime.h"

namespace stampede::hooks {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

namespace {

// A call that can only block, on a helper thread. Whoever gives the wait up leaves it behind; it
// goes when the thread is done with it.
struct Aside : loop::PoolJob {
    Fiber* fiber = nullptr;  // null: given up
    bool ended = false;
    int error = 0;  // errno of the call
    virtual ~Aside() = default;
    virtual void call() = 0;
};

// False when the wait was given up: the job must not be touched any more.
bool run_aside(Aside* job) {
    Runtime& runtime = Runtime::get();
    job->fiber = runtime.current();
    job->work = [](loop::PoolJob& base) {
        auto& self = static_cast<Aside&>(base);
        self.call();
        self.error = errno;
    };
    job->done = [](loop::PoolJob& base) {
        auto& self = static_cast<Aside&>(base);
        self.ended = true;
        if (self.fiber == nullptr) {
            delete &self;
        } else {
            Runtime::peek()->wake(*self.fiber, WakeReason::kReady);
        }
    };
    loop::WorkerPool& pool = io::file_queue().pool();
    pool.submit(*job);
    runtime.park(kNever);
    if (job->ended) {
        return true;
    }
    if (pool.take_back(*job)) {
        delete job;
    } else {
        job->fiber = nullptr;
    }
    errno = kGivenUp;
    return false;
}

struct Lookup final : Aside {
    std::string host, service;
    bool has_host, has_service, has_hints;
    addrinfo hints{};
    addrinfo* result = nullptr;
    int status = 0;

    ~Lookup() override {
        if (result != nullptr) {
            ::freeaddrinfo(result);
        }
    }
    void call() override {
        status = ::getaddrinfo(has_host ? host.c_str() : nullptr,
                               has_service ? service.c_str() : nullptr,
                               has_hints ? &hints : nullptr, &result);
    }
};

// The C library's own answer, hosts file, order and all, found beside the loop.
int hooked_getaddrinfo(const char* host, const char* service, const addrinfo* hints,
                       addrinfo** out) {
    bool numeric = hints != nullptr && (hints->ai_flags & AI_NUMERICHOST) != 0;
    if (host == nullptr || numeric || !waits(kNames | kSockets)) {
        return ::getaddrinfo(host, service, hints, out);
    }
    // An address needs no thread.
    addrinfo own = hints != nullptr ? *hints : addrinfo{};
    own.ai_flags |= AI_NUMERICHOST;
    if (::getaddrinfo(host, service, &own, out) == 0) {
        return 0;
    }
    auto* job = new Lookup();
    job->has_host = true;
    job->host = host;
    job->has_service = service != nullptr;
    job->service = service != nullptr ? service : "";
    job->has_hints = hints != nullptr;
    job->hints = hints != nullptr ? *hints : addrinfo{};
    if (!run_aside(job)) {
        return EAI_SYSTEM;
    }
    int status = job->status;
    *out = job->result;
    job->result = nullptr;
    errno = job->error;
    delete job;
    return status;
}

struct OldLookup final : Aside {
    std::string host;
    int family;
    hostent entry{};
    char buffer[8192];
    hostent* result = nullptr;
    int status = 0;

    void call() override {
        ::gethostbyname2_r(host.c_str(), family, &entry, buffer, sizeof(buffer), &result, &status);
    }
};

hostent* lookup(const char* host, int family) {
    // As with the call itself, an answer is valid until the next one.
    static OldLookup* last = nullptr;
    auto* job = new OldLookup();
    job->host = host;
    job->family = family;
    if (!run_aside(job)) {
        h_errno = TRY_AGAIN;
        return nullptr;
    }
    delete last;
    last = job;
    h_errno = job->status;
    errno = job->error;
    return job->result;
}

hostent* hooked_gethostbyname(const char* host) {
    return waits(kNames | kSockets) ? lookup(host, AF_INET) : ::gethostbyname(host);
}

hostent* hooked_gethostbyname2(const char* host, int family) {
    return waits(kNames | kSockets) ? lookup(host, family) : ::gethostbyname2(host, family);
}

// Until this child has ended; false when the wait was given up.
bool wait_for_child(pid_t pid) {
    Result<int> ended = os::open_pidfd(pid);
    if (!ended) {
        return true;  // no such process: waitpid() says so
    }
    os::Fd fd(*ended);
    pollfd one{*ended, POLLIN, 0};
    while (::poll(&one, 1, 0) == 0) {
        if (wait_for_any(&one, 1, kNever) == Waited::kGivenUp) {
            errno = kGivenUp;
            return false;
        }
    }
    return true;
}

pid_t hooked_waitpid(pid_t pid, int* status, int options) {
    if ((options & WNOHANG) != 0 || !waits(kProcess)) {
        return ::waitpid(pid, status, options);
    }
    if (pid > 0) {
        return wait_for_child(pid) ? ::waitpid(pid, status, options) : -1;
    }
    // Any child: there is no descriptor for that.
    for (Nanos pause = kMillisecond;; pause = pause < 20 * kMillisecond ? pause * 2 : pause) {
        pid_t ended = ::waitpid(pid, status, options | WNOHANG);
        if (ended != 0) {
            return ended;
        }
        if (Runtime::get().park_for(pause) != WakeReason::kTimeout) {
            errno = kGivenUp;
            return -1;
        }
    }
}

pid_t hooked_wait4(pid_t pid, int* status, int options, rusage* usage) {
    if ((options & WNOHANG) == 0 && pid > 0 && waits(kProcess) && !wait_for_child(pid)) {
        return -1;
    }
    return ::wait4(pid, status, options, usage);
}

struct FileLock final : Aside {
    int fd;
    int operation;
    int status = 0;

    ~FileLock() override { os::close_fd(fd); }
    void call() override { status = ::flock(fd, operation); }
};

int hooked_flock(int fd, int operation) {
    if ((operation & LOCK_NB) != 0 || !waits(kFile)) {
        return ::flock(fd, operation);
    }
    int status = ::flock(fd, operation | LOCK_NB);
    if (status == 0 || errno != EWOULDBLOCK) {
        return status;
    }
    // The lock belongs to the open file, which both numbers name.
    Result<int> second = os::duplicate(fd);
    if (!second) {
        return -1;
    }
    auto* job = new FileLock();
    job->fd = *second;
    job->operation = operation;
    if (!run_aside(job)) {
        return -1;
    }
    status = job->status;
    errno = job->error;
    delete job;
    return status;
}

void* hooked_dlopen(const char* file, int mode) {
    void* library = ::dlopen(file, mode);
    if (library != nullptr && flags() != 0) {
        redirect_what_is_loaded();
    }
    return library;
}

}  // namespace

const Redirect kOtherRedirects[] = {
    {"getaddrinfo", reinterpret_cast<void*>(hooked_getaddrinfo)},
    {"gethostbyname", reinterpret_cast<void*>(hooked_gethostbyname)},
    {"gethostbyname2", reinterpret_cast<void*>(hooked_gethostbyname2)},
    {"waitpid", reinterpret_cast<void*>(hooked_waitpid)},
    {"wait4", reinterpret_cast<void*>(hooked_wait4)},
    {"flock", reinterpret_cast<void*>(hooked_flock)},
    {"dlopen", reinterpret_cast<void*>(hooked_dlopen)},
};
const size_t kOtherRedirectCount = sizeof(kOtherRedirects) / sizeof(kOtherRedirects[0]);

}  // namespace stampede::hooks
