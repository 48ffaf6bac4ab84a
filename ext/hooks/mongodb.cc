// Clients of the extension mongodb. Its library must not be entered again while a coroutine waits
// inside of it: the second call would take the first one's reply, and an error would free what the
// first one uses. So the calls of one client take turns, in order. Managers share the client that
// the driver keeps, unless they were made with disableClientPersistence: such a one has its own,
// and what comes from it (servers, cursors, sessions) belongs to that. What an object belongs to is
// not always known: then no client may be in use. The end of a cursor or a session is a call, too.
// One table per process, PHP thread; parks.
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hooks/hooks.h"
#include "io/bound.h"
#include "os/log.h"
#include "zend/throw.h"
#include "zend/view.h"
#include "zend/wrapped_function.h"

namespace stampede::hooks {

namespace {

using runtime::Fiber;
using runtime::Runtime;
using runtime::WakeReason;

using Client = int64_t;
constexpr Client kUnknown = 0;
constexpr Client kPersistent = 1;
Client next_client = kPersistent + 1;

struct Entry {
    Client client;
    int64_t cid;
};
// Coroutines inside of calls, and those that wait for theirs. A fatal error inside leaves its
// entry; that coroutine is not found any more.
std::vector<Entry> uses;
std::vector<Entry> turns;
std::unordered_map<const zend_object*, Client> clients;

using FreeObject = void (*)(zend_object*);
std::unordered_map<const zend_object_handlers*, FreeObject>& ends() {
    static auto* all = new std::unordered_map<const zend_object_handlers*, FreeObject>();
    return *all;
}
// By class and method. A closure of one has a copy of its function.
std::unordered_map<std::string, zif_handler>& originals() {
    static auto* all = new std::unordered_map<std::string, zif_handler>();
    return *all;
}

constexpr std::string_view kClasses[] = {"manager", "server",           "cursor",
                                         "session", "clientencryption", "writeresult"};

bool may_meet(Client one, Client other) {
    return one == kUnknown || other == kUnknown || one == other;
}

Client client_of(const zend_object* object) {
    auto found = clients.find(object);
    return found != clients.end() ? found->second : kUnknown;
}

// Another coroutine that is inside of a call of this client.
Fiber* holder_of(Runtime& runtime, Client client) {
    for (const Entry& use : uses) {
        Fiber* fiber = may_meet(use.client, client) ? runtime.find(use.cid) : nullptr;
        if (fiber != nullptr && fiber != runtime.current()) {
            return fiber;
        }
    }
    return nullptr;
}

bool is_first(Runtime& runtime, Client client) {
    for (const Entry& turn : turns) {
        if (turn.cid == runtime.current_cid()) {
            return true;
        }
        if (may_meet(turn.client, client) && runtime.find(turn.cid) != nullptr) {
            return false;
        }
    }
    return true;
}

bool is_inside(int64_t cid) {
    return std::ranges::any_of(uses, [&](const Entry& use) { return use.cid == cid; });
}

void wake_waiting(Runtime& runtime) {
    for (const Entry& turn : turns) {
        if (Fiber* fiber = runtime.find(turn.cid)) {
            runtime.wake(*fiber, WakeReason::kReady);
        }
    }
}

// The end of an object cannot fail.
enum class Kind : uint8_t { kCall, kEnd };

// False: it was cancelled, or could only wait for ever.
bool wait_for_turn(Runtime& runtime, Client client, Kind kind) {
    int64_t cid = runtime.current_cid();
    if (!runtime.can_park() || is_inside(cid)) {
        return false;
    }
    turns.push_back({client, cid});
    bool good = true;
    while (good && (holder_of(runtime, client) != nullptr || !is_first(runtime, client))) {
        // Without a deadline: the call before this one ends by the driver's own limits (such as
        // serverSelectionTimeoutMS and socketTimeoutMS), or by the end of its coroutine.
        WakeReason reason = runtime.park(kNever);
        if (reason == WakeReason::kCancelled && kind == Kind::kEnd) {
            runtime.count_as_cancelled();
            continue;
        }
        good = reason == WakeReason::kReady;
    }
    std::erase_if(turns, [&](const Entry& turn) { return turn.cid == cid; });
    if (!good) {
        wake_waiting(runtime);  // those after it may be first now
    }
    return good;
}

// As long as it lives the current coroutine is inside of a call, when it is good.
class Turn {
public:
    Turn(Client client, Kind kind) : runtime_(Runtime::peek()) {
        if (runtime_ == nullptr) {
            return;
        }
        std::erase_if(uses, [&](const Entry& use) { return runtime_->find(use.cid) == nullptr; });
        bool is_free =
            holder_of(*runtime_, client) == nullptr &&
            (turns.empty() || is_inside(runtime_->current_cid()) || is_first(*runtime_, client));
        good_ = is_free || wait_for_turn(*runtime_, client, kind);
        if (good_ && runtime_->current() != nullptr) {
            uses.push_back({client, runtime_->current_cid()});
            entered_ = true;
        } else if (!good_) {
            holder_ = holder_of(*runtime_, client);
        }
    }
    ~Turn() {
        if (!entered_) {
            return;
        }
        auto last = std::find_if(uses.rbegin(), uses.rend(), [&](const Entry& use) {
            return use.cid == runtime_->current_cid();
        });
        if (last != uses.rend()) {
            uses.erase(std::next(last).base());
        }
        wake_waiting(*runtime_);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    bool good() const { return good_; }
    Fiber* holder() const { return holder_; }

private:
    Runtime* runtime_;
    Fiber* holder_ = nullptr;
    bool good_ = true;
    bool entered_ = false;
};

// A cursor that has not ended is one of the server's, which is told; the last object of a client
// closes its connections.
void end_object(zend_object* object) {
    FreeObject original = ends()[object->handlers];
    Client client = client_of(object);
    clients.erase(object);
    Turn turn(client, Kind::kEnd);
    if (turn.good()) {
        original(object);
        return;
    }
    os::Log::get().write(os::LogLevel::kWarning,
                         "an object of %s stays in memory: a coroutine waits in a call of its "
                         "client, and it ended where nothing can wait for that",
                         ZSTR_VAL(object->ce->name));
    zend_object_std_dtor(object);
}

void watch_end(zend_object* object) {
    // The extension fills these tables when it starts: they are no constants.
    auto* handlers = const_cast<zend_object_handlers*>(object->handlers);
    if (handlers->free_obj != end_object) {
        ends()[handlers] = handlers->free_obj;
        handlers->free_obj = end_object;
    }
}

bool is_of_driver(const zend_object* object) {
    constexpr std::string_view kSpace = "MongoDB\\Driver\\";
    return std::string_view(ZSTR_VAL(object->ce->name), ZSTR_LEN(object->ce->name))
               .starts_with(kSpace) &&
           object->ce->type == ZEND_INTERNAL_CLASS;
}

void note(zval* value, Client client) {
    if (Z_TYPE_P(value) == IS_OBJECT && is_of_driver(Z_OBJ_P(value))) {
        clients[Z_OBJ_P(value)] = client;
        watch_end(Z_OBJ_P(value));
    } else if (Z_TYPE_P(value) == IS_ARRAY) {
        zval* each;
        ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(value), each) {
            if (Z_TYPE_P(each) == IS_OBJECT) {
                note(each, client);
            }
        }
        ZEND_HASH_FOREACH_END();
    }
}

bool wants_own_client(zend_execute_data* call) {
    zval* options = ZEND_CALL_NUM_ARGS(call) >= 3 ? ZEND_CALL_ARG(call, 3) : nullptr;
    if (options == nullptr || Z_TYPE_P(options) != IS_ARRAY) {
        return false;
    }
    zval* own =
        zend_hash_str_find_deref(Z_ARRVAL_P(options), ZEND_STRL("disableClientPersistence"));
    return own != nullptr && zend_is_true(own);
}

std::string key_of(const zend_internal_function& method) {
    return std::string(ZSTR_VAL(method.scope->name)) + "::" + ZSTR_VAL(method.function_name);
}

// Makes no connection.
void make_manager(INTERNAL_FUNCTION_PARAMETERS) {
    Client client = wants_own_client(execute_data) ? next_client++ : kPersistent;
    note(&EX(This), client);
    originals()[key_of(EX(func)->internal_function)](INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void guarded(INTERNAL_FUNCTION_PARAMETERS) {
    const zend_internal_function& method = EX(func)->internal_function;
    Client client = Z_TYPE(EX(This)) == IS_OBJECT ? client_of(Z_OBJ(EX(This))) : Client{kUnknown};
    Turn turn(client, Kind::kCall);
    if (!turn.good()) {
        if (turn.holder() != nullptr) {
            io::throw_bound({"The client of MongoDB", "client"}, *turn.holder(),
                            "waiting for a reply", ZSTR_VAL(method.function_name));
        } else {
            zend::throw_error(zend::error_classes.error, 0,
                              "%s::%s() was cancelled while it waited for the client",
                              ZSTR_VAL(method.scope->name), ZSTR_VAL(method.function_name));
        }
        return;
    }
    originals()[key_of(method)](INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (!zend::exception_pending() && client != kUnknown) {
        note(return_value, client);
    }
}

}  // namespace

void guard_mongodb() {
    for (std::string_view name : kClasses) {
        zend::each_internal_function(
            zend::methods_of("mongodb\\driver\\" + std::string(name)),
            [](zend_internal_function& method) {
                std::string_view own_name = zend::view(method.function_name);
                std::string_view scope = zend::view(method.scope->name);
                bool makes = own_name == "__construct" && scope.ends_with("\\Manager");
                if (makes || !own_name.starts_with("__")) {
                    originals().emplace(key_of(method),
                                        zend::displace(method, makes ? make_manager : guarded));
                }
            });
    }
}

void forget_mongodb_clients() {
    uses.clear();
    turns.clear();
}

}  // namespace stampede::hooks
