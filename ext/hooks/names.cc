// Names: the C library's own look-ups with all that they obey (hosts file, order, search list), on
// helper threads. What they return is copied to where the caller wants it.
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "hooks/offload.h"
#include "hooks/hooks.h"
#include "net/hosts_file.h"

namespace stampede::hooks {

namespace {

struct NameJob : OffloadJob {
    NameJob() { is_name = true; }
};

net::HostsFile& hosts_file() {
    static auto* file = new net::HostsFile();
    return *file;
}

bool offloads_lookups() { return waits(kNames | kSockets); }

// Frees a result that nobody took: the library's own memory, which any thread may free.
struct Lookup final : NameJob {
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
    if (host == nullptr || numeric || !offloads_lookups()) {
        return ::getaddrinfo(host, service, hints, out);
    }
    // Neither an address nor a name of the hosts file needs a thread.
    if (hosts_file().answers(host, hints != nullptr ? hints->ai_family : AF_UNSPEC)) {
        return ::getaddrinfo(host, service, hints, out);
    }
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
    if (!run_offloaded(job)) {
        return EAI_SYSTEM;
    }
    int status = job->status;
    *out = job->result;
    job->result = nullptr;
    errno = job->error;
    delete job;
    return status;
}

// A place in the caller's buffer.
struct Room {
    char* at;
    size_t left;

    // Aligned for pointers, as the library's own functions do it: the caller's buffer may begin
    // anywhere.
    char* take(size_t size) {
        size_t padding = (8 - reinterpret_cast<uintptr_t>(at) % 8) % 8;
        if (left < size + padding) {
            return nullptr;
        }
        char* place = at + padding;
        at += padding + size;
        left -= padding + size;
        return place;
    }
    char* copy(const char* from, size_t size) {
        char* place = take(size);
        if (place != nullptr) {
            std::memcpy(place, from, size);
        }
        return place;
    }
    // Each of size bytes, or texts where that is 0.
    char** copy_list(char** from, size_t size) {
        size_t count = 0;
        while (from != nullptr && from[count] != nullptr) {
            count++;
        }
        auto** list = reinterpret_cast<char**>(take((count + 1) * sizeof(char*)));
        for (size_t i = 0; list != nullptr && i < count; i++) {
            list[i] = copy(from[i], size != 0 ? size : std::strlen(from[i]) + 1);
            if (list[i] == nullptr) {
                return nullptr;
            }
        }
        if (list != nullptr) {
            list[count] = nullptr;
        }
        return list;
    }
};

bool copy_entry(const hostent& from, hostent& to, Room room) {
    to.h_addrtype = from.h_addrtype;
    to.h_length = from.h_length;
    to.h_name = room.copy(from.h_name, std::strlen(from.h_name) + 1);
    to.h_aliases = room.copy_list(from.h_aliases, 0);
    to.h_addr_list = room.copy_list(from.h_addr_list, static_cast<size_t>(from.h_length));
    return to.h_name != nullptr && to.h_aliases != nullptr && to.h_addr_list != nullptr;
}

// By name or by address.
struct OldLookup final : NameJob {
    std::string key;
    int family = AF_INET;
    bool by_address = false;
    hostent entry{};
    std::vector<char> buffer = std::vector<char>(1024);
    hostent* result = nullptr;
    int status = 0;
    int problem = 0;  // h_errno

    void call() override {
        while ((status = ask()) == ERANGE && buffer.size() < 1024 * size_t{1024}) {
            buffer.resize(buffer.size() * 2);
        }
    }
    int ask() {
        if (by_address) {
            return ::gethostbyaddr_r(key.data(), static_cast<socklen_t>(key.size()), family, &entry,
                                     buffer.data(), buffer.size(), &result, &problem);
        }
        return ::gethostbyname2_r(key.c_str(), family, &entry, buffer.data(), buffer.size(),
                                  &result, &problem);
    }
};

// Null when the wait was given up.
OldLookup* look_up(OldLookup* job) { return run_offloaded(job) ? job : nullptr; }

bool is_address(const char* name, int family) {
    unsigned char bytes[sizeof(in6_addr)];
    return ::inet_pton(family, name, bytes) == 1;
}

// What the library has made of the hosts file, as long as that stays as it is: it reads it as a
// whole for each name.
class AnswersOfFile {
public:
    // A copy; null where the file does not answer.
    OldLookup* find(const std::string& name, int family) {
        if (!hosts_file().answers(name, family)) {
            return nullptr;
        }
        if (answers_.size() >= kMost || version_ != hosts_file().version()) {
            version_ = hosts_file().version();
            answers_.clear();
        }
        auto& answer = answers_[(family == AF_INET ? '4' : '6') + name];
        if (answer == nullptr) {
            answer = std::make_unique<OldLookup>();
            answer->key = name;
            answer->family = family;
            answer->call();
        }
        return copy(*answer);
    }

private:
    static constexpr size_t kMost = 1000;

    static OldLookup* copy(const OldLookup& answer) {
        auto* job = new OldLookup();
        job->status = answer.status;
        job->problem = answer.problem;
        if (answer.result != nullptr) {
            job->buffer.resize(answer.buffer.size() + sizeof(void*));
            (void)copy_entry(*answer.result, job->entry, {job->buffer.data(), job->buffer.size()});
            job->result = &job->entry;
        }
        return job;
    }

    uint64_t version_ = 0;
    std::unordered_map<std::string, std::unique_ptr<OldLookup>> answers_;
};

// Neither an address, which is only copied, nor a name of the hosts file needs a thread.
OldLookup* by_name(const char* name, int family) {
    static auto* of_file = new AnswersOfFile();
    if (!is_address(name, family)) {
        if (OldLookup* answer = of_file->find(name, family)) {
            return answer;
        }
    }
    auto* job = new OldLookup();
    job->key = name;
    job->family = family;
    if (is_address(name, family)) {
        job->call();
        job->error = errno;
        return job;
    }
    return look_up(job);
}

// As with the call itself, an answer is valid until the next one.
// One for all coroutines, as libc has one for the thread: a coroutine that waits between the call
// and its use of the result finds another's. PHP copies it at once.
hostent* keep(OldLookup* job) {
    static OldLookup* last = nullptr;
    if (job == nullptr) {
        h_errno = TRY_AGAIN;
        return nullptr;
    }
    delete last;
    last = job;
    h_errno = job->problem;
    errno = job->error;
    return job->result;
}

hostent* hooked_gethostbyname(const char* name) {
    return offloads_lookups() ? keep(by_name(name, AF_INET)) : ::gethostbyname(name);
}

hostent* hooked_gethostbyname2(const char* name, int family) {
    return offloads_lookups() ? keep(by_name(name, family)) : ::gethostbyname2(name, family);
}

hostent* hooked_gethostbyaddr(const void* address, socklen_t size, int family) {
    if (!offloads_lookups()) {
        return ::gethostbyaddr(address, size, family);
    }
    auto* job = new OldLookup();
    job->by_address = true;
    job->key.assign(static_cast<const char*>(address), size);
    job->family = family;
    return keep(look_up(job));
}

// PHP has one entry and one buffer for all calls, and frees the buffer before each: who waits in a
// call when the next one begins has no buffer any more. Calls with one entry are counted, which
// tells. PHP thread.
class EntryUse {
public:
    explicit EntryUse(const hostent* entry) : entry_(entry) {
        Calls& calls = calls_of()[entry];
        calls.under_way++;
        number_ = ++calls.begun;
    }
    ~EntryUse() {
        auto found = calls_of().find(entry_);
        if (--found->second.under_way == 0) {
            calls_of().erase(found);
        }
    }
    EntryUse(const EntryUse&) = delete;
    EntryUse& operator=(const EntryUse&) = delete;

    bool is_last() const { return calls_of().find(entry_)->second.begun == number_; }
    // A call that does not wait.
    static void note(const hostent* entry) {
        auto found = calls_of().find(entry);
        if (found != calls_of().end()) {
            found->second.begun++;
        }
    }

private:
    struct Calls {
        uint64_t begun = 0;
        uint32_t under_way = 0;
    };
    static std::unordered_map<const hostent*, Calls>& calls_of() {
        static std::unordered_map<const hostent*, Calls> calls;
        return calls;
    }

    const hostent* entry_;
    uint64_t number_;
};

struct Target {
    hostent* entry;
    Room room;
    hostent** result;
    int* problem;
};

// The caller's buffer is filled here, on the PHP thread, after the wait: a caller that gave up has
// it no more, and neither has one whose entry was used again, which gets memory of ours.
int hand_over(OldLookup* job, Target target, bool has_buffer) {
    *target.result = nullptr;
    if (job == nullptr) {
        *target.problem = TRY_AGAIN;
        return kGivenUp;
    }
    int status = job->status;
    *target.problem = job->problem;
    if (!has_buffer) {
        *target.result = keep(job);
        return status;
    }
    if (job->result != nullptr) {
        bool fits = copy_entry(*job->result, *target.entry, target.room);
        status = fits ? status : ERANGE;
        *target.problem = fits ? *target.problem : NETDB_INTERNAL;
        *target.result = fits ? target.entry : nullptr;
    }
    delete job;
    return status;
}

int hooked_gethostbyname2_r(const char* name, int family, hostent* entry, char* buffer, size_t size,
                            hostent** result, int* problem) {
    if (!offloads_lookups()) {
        if (on_php_thread()) {
            EntryUse::note(entry);
        }
        return ::gethostbyname2_r(name, family, entry, buffer, size, result, problem);
    }
    EntryUse use(entry);
    OldLookup* job = by_name(name, family);
    return hand_over(job, {entry, {buffer, size}, result, problem}, use.is_last());
}

int hooked_gethostbyname_r(const char* name, hostent* entry, char* buffer, size_t size,
                           hostent** result, int* problem) {
    return hooked_gethostbyname2_r(name, AF_INET, entry, buffer, size, result, problem);
}

struct NameOfAddress final : NameJob {
    sockaddr_storage address{};
    socklen_t size = 0;
    int flags = 0;
    char host[NI_MAXHOST]{};
    char service[NI_MAXSERV]{};
    int status = 0;

    void call() override {
        status = ::getnameinfo(reinterpret_cast<sockaddr*>(&address), size, host, sizeof(host),
                               service, sizeof(service), flags);
    }
};

bool copy_text(const char* from, char* to, socklen_t size) {
    if (to == nullptr || size == 0) {
        return true;
    }
    size_t needed = std::strlen(from) + 1;
    if (needed > size) {
        return false;
    }
    std::memcpy(to, from, needed);
    return true;
}

int hooked_getnameinfo(const sockaddr* address, socklen_t size, char* host, socklen_t host_size,
                       char* service, socklen_t service_size, int flags) {
    constexpr int kNothingToAsk = NI_NUMERICHOST;
    if (host == nullptr || (flags & kNothingToAsk) != 0 || size > sizeof(sockaddr_storage) ||
        !offloads_lookups()) {
        return ::getnameinfo(address, size, host, host_size, service, service_size, flags);
    }
    auto* job = new NameOfAddress();
    std::memcpy(&job->address, address, size);
    job->size = size;
    job->flags = flags;
    if (!run_offloaded(job)) {
        return EAI_SYSTEM;
    }
    int status = job->status;
    if (status == 0 && (!copy_text(job->host, host, host_size) ||
                        !copy_text(job->service, service, service_size))) {
        status = EAI_OVERFLOW;
    }
    errno = job->error;
    delete job;
    return status;
}

// A question to name servers. The state of the caller's resolver may go while it waits.
// A resolver state belongs to its thread: the thread makes its own from resolv.conf and takes over
// the options alone.
struct Question final : NameJob {
    std::string name;
    int net_class;
    int type;
    bool searches;
    std::vector<unsigned char> answer;
    int count = -1;
    int problem = 0;
    unsigned long options = 0;

    void call() override {
        struct __res_state state {};
        if (::res_ninit(&state) != 0) {
            return;
        }
        state.options |= options;
        count = (searches ? ::res_nsearch : ::res_nquery)(
            &state, name.c_str(), net_class, type, answer.data(), static_cast<int>(answer.size()));
        problem = state.res_h_errno;
        ::res_nclose(&state);
    }
};

struct Asked {
    const char* name;
    int net_class;
    int type;
    unsigned char* answer;
    int size;
};

// `asked` points to memory of the caller, which is only written to here, after the wait, and only
// when the wait was not given up. `state` is the caller's, too, and may have gone by then only if
// the caller has: it is not passed to the thread.
int ask(Asked asked, bool searches, res_state state) {
    auto* job = new Question();
    job->name = asked.name;
    job->net_class = asked.net_class;
    job->type = asked.type;
    job->searches = searches;
    job->answer.resize(static_cast<size_t>(std::max(asked.size, 0)));
    job->options = state != nullptr ? state->options : 0;
    if (!run_offloaded(job)) {
        h_errno = TRY_AGAIN;
        if (state != nullptr) {
            state->res_h_errno = TRY_AGAIN;
        }
        return -1;
    }
    int count = job->count;
    // A longer answer is counted, too, but not there.
    int copied = std::min(count, asked.size);
    if (copied > 0) {
        std::memcpy(asked.answer, job->answer.data(), static_cast<size_t>(copied));
    }
    h_errno = job->problem;
    if (state != nullptr) {
        state->res_h_errno = job->problem;
    }
    errno = job->error;
    delete job;
    return count;
}

int hooked_res_query(const char* name, int net_class, int type, unsigned char* answer, int size) {
    return offloads_lookups() ? ask({name, net_class, type, answer, size}, false, nullptr)
                              : ::res_query(name, net_class, type, answer, size);
}

int hooked_res_search(const char* name, int net_class, int type, unsigned char* answer, int size) {
    return offloads_lookups() ? ask({name, net_class, type, answer, size}, true, nullptr)
                              : ::res_search(name, net_class, type, answer, size);
}

int hooked_res_nquery(res_state state, const char* name, int net_class, int type,
                      unsigned char* answer, int size) {
    return offloads_lookups() ? ask({name, net_class, type, answer, size}, false, state)
                              : ::res_nquery(state, name, net_class, type, answer, size);
}

int hooked_res_nsearch(res_state state, const char* name, int net_class, int type,
                       unsigned char* answer, int size) {
    return offloads_lookups() ? ask({name, net_class, type, answer, size}, true, state)
                              : ::res_nsearch(state, name, net_class, type, answer, size);
}

}  // namespace

// The older C library has the names with underscores.
const Redirect kNameRedirects[] = {
    redirect<hooked_getaddrinfo>("getaddrinfo"),
    redirect<hooked_getnameinfo>("getnameinfo"),
    redirect<hooked_gethostbyname>("gethostbyname"),
    redirect<hooked_gethostbyname2>("gethostbyname2"),
    redirect<hooked_gethostbyname_r>("gethostbyname_r"),
    redirect<hooked_gethostbyname2_r>("gethostbyname2_r"),
    redirect<hooked_gethostbyaddr>("gethostbyaddr"),
    redirect<hooked_res_query>("res_query"),
    redirect<hooked_res_query>("__res_query"),
    redirect<hooked_res_search>("res_search"),
    redirect<hooked_res_search>("__res_search"),
    redirect<hooked_res_nquery>("res_nquery"),
    redirect<hooked_res_nquery>("__res_nquery"),
    redirect<hooked_res_nsearch>("res_nsearch"),
    redirect<hooked_res_nsearch>("__res_nsearch"),
};
const size_t kNameRedirectCount = sizeof(kNameRedirects) / sizeof(kNameRedirects[0]);

}  // namespace stampede::hooks
