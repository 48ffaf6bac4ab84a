#include "hooks/observed_calls.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "hooks/curl_fields.h"
#include "runtime/runtime.h"
#include "zend/call.h"
#include "zend/throw.h"
#include "zend/wrapped_function.h"

// An observed call:
//
//   around<N>          nobody observes, or the observer itself calls     the function, nothing else
//     ask()            calls $begin                                      no interest: the function
//     the function     with the arguments that $begin has given, if any
//     tell()           calls $end with what was returned or thrown
//
// A fatal error in the function jumps over the rest, as over any code: $end is not called, and what
// lies in this frame goes with the memory of the script. So no destructor of C++ may be needed in a
// frame that is there while the function runs.
namespace stampede::hooks {

namespace {

using runtime::Fiber;
using runtime::Runtime;

constexpr std::string_view kRows[] = {
    // Databases
    "PDO::__construct",
    "PDO::connect",
    "PDO::query",
    "PDO::exec",
    "PDO::prepare",
    "PDO::beginTransaction",
    "PDO::commit",
    "PDO::rollBack",
    "PDOStatement::execute",
    "mysqli::__construct",
    "mysqli::real_connect",
    "mysqli::query",
    "mysqli::real_query",
    "mysqli::multi_query",
    "mysqli::execute_query",
    "mysqli::prepare",
    "mysqli::begin_transaction",
    "mysqli::commit",
    "mysqli::rollback",
    "mysqli_stmt::prepare",
    "mysqli_stmt::execute",
    "mysqli_connect",
    "mysqli_real_connect",
    "mysqli_query",
    "mysqli_real_query",
    "mysqli_multi_query",
    "mysqli_execute_query",
    "mysqli_prepare",
    "mysqli_begin_transaction",
    "mysqli_commit",
    "mysqli_rollback",
    "mysqli_stmt_prepare",
    "mysqli_stmt_execute",
    "pg_connect",
    "pg_pconnect",
    "pg_query",
    "pg_query_params",
    "pg_prepare",
    "pg_execute",
    // HTTP
    "curl_exec",
    "curl_multi_add_handle",
    "curl_multi_remove_handle",
    "file_get_contents",
    "fopen",
    "file",
    "readfile",
    "copy",
    "get_headers",
    // Commands of Redis
    "Redis::connect",
    "Redis::open",
    "Redis::pconnect",
    "Redis::popen",
    "Redis::auth",
    "Redis::select",
    "Redis::ping",
    "Redis::get",
    "Redis::getEx",
    "Redis::getDel",
    "Redis::set",
    "Redis::setex",
    "Redis::psetex",
    "Redis::setnx",
    "Redis::getSet",
    "Redis::mget",
    "Redis::mset",
    "Redis::msetnx",
    "Redis::append",
    "Redis::strlen",
    "Redis::getRange",
    "Redis::setRange",
    "Redis::incr",
    "Redis::incrBy",
    "Redis::incrByFloat",
    "Redis::decr",
    "Redis::decrBy",
    "Redis::del",
    "Redis::unlink",
    "Redis::exists",
    "Redis::expire",
    "Redis::pexpire",
    "Redis::expireAt",
    "Redis::ttl",
    "Redis::pttl",
    "Redis::persist",
    "Redis::type",
    "Redis::rename",
    "Redis::keys",
    "Redis::scan",
    "Redis::hGet",
    "Redis::hSet",
    "Redis::hSetNx",
    "Redis::hGetAll",
    "Redis::hMGet",
    "Redis::hMSet",
    "Redis::hDel",
    "Redis::hExists",
    "Redis::hIncrBy",
    "Redis::hIncrByFloat",
    "Redis::hKeys",
    "Redis::hVals",
    "Redis::hLen",
    "Redis::hScan",
    "Redis::lPush",
    "Redis::lPushx",
    "Redis::rPush",
    "Redis::rPushx",
    "Redis::lPop",
    "Redis::rPop",
    "Redis::blPop",
    "Redis::brPop",
    "Redis::rpoplpush",
    "Redis::brpoplpush",
    "Redis::lLen",
    "Redis::lRange",
    "Redis::lIndex",
    "Redis::lSet",
    "Redis::lRem",
    "Redis::lTrim",
    "Redis::lInsert",
    "Redis::sAdd",
    "Redis::sAddArray",
    "Redis::sRem",
    "Redis::sMembers",
    "Redis::sIsMember",
    "Redis::sCard",
    "Redis::sPop",
    "Redis::sRandMember",
    "Redis::sInter",
    "Redis::sUnion",
    "Redis::sDiff",
    "Redis::sScan",
    "Redis::zAdd",
    "Redis::zRem",
    "Redis::zRange",
    "Redis::zRevRange",
    "Redis::zRangeByScore",
    "Redis::zRevRangeByScore",
    "Redis::zScore",
    "Redis::zCard",
    "Redis::zCount",
    "Redis::zIncrBy",
    "Redis::zRank",
    "Redis::zRevRank",
    "Redis::zRemRangeByScore",
    "Redis::zRemRangeByRank",
    "Redis::zPopMin",
    "Redis::zPopMax",
    "Redis::eval",
    "Redis::evalSha",
    "Redis::script",
    "Redis::publish",
    "Redis::exec",
    "Redis::watch",
    "Redis::unwatch",
    "Redis::xAdd",
    "Redis::xRead",
    "Redis::xReadGroup",
    "Redis::xAck",
    "Redis::xLen",
    "Redis::xRange",
    "Redis::rawCommand",
    "Redis::flushDB",
    "Redis::dbSize",
    "Redis::info",
};

// Those that are about HTTP only with such an address.
constexpr std::string_view kOpen[] = {"file_get_contents", "fopen", "file",
                                      "readfile",          "copy",  "get_headers"};

constexpr bool opens(std::string_view name) {
    return std::find(std::begin(kOpen), std::end(kOpen), name) != std::end(kOpen);
}

bool observes;
zend::Callable on_begin = zend::Callable::none();
zend::Callable on_end = zend::Callable::none();
bool busy_outside_coroutines;

// The observer itself makes calls in this coroutine. The flag lies in the coroutine's block or is a
// global, so the reference is good for as long as the call is on the stack.
bool& is_busy() {
    Runtime* runtime = Runtime::peek();
    Fiber* fiber = runtime != nullptr ? runtime->current() : nullptr;
    return fiber != nullptr ? fiber->in_observer : busy_outside_coroutines;
}

bool is_http_address(zend_execute_data* call) {
    if (ZEND_CALL_NUM_ARGS(call) == 0) {
        return false;
    }
    zval* address = ZEND_CALL_ARG(call, 1);
    ZVAL_DEREF(address);
    return Z_TYPE_P(address) == IS_STRING && (strncasecmp(Z_STRVAL_P(address), "http://", 7) == 0 ||
                                              strncasecmp(Z_STRVAL_P(address), "https://", 8) == 0);
}

void copy_arguments(zend_execute_data* call, zval* out) {
    uint32_t count = ZEND_CALL_NUM_ARGS(call);
    array_init_size(out, count);
    for (uint32_t i = 1; i <= count; i++) {
        zval argument;
        ZVAL_COPY_DEREF(&argument, ZEND_CALL_ARG(call, i));
        zend_hash_next_index_insert(Z_ARRVAL_P(out), &argument);
    }
}

zend_object* object_of(zend_execute_data* call) {
    return Z_TYPE(call->This) == IS_OBJECT ? Z_OBJ(call->This) : nullptr;
}

// Takes the list of arguments over. True: the answer is a list, which the caller owns.
bool ask(std::string_view name, zend_object* object, zval* list, zval* answer) {
    zval arguments[3];
    ZVAL_STRINGL(&arguments[0], name.data(), name.size());
    if (object != nullptr) {
        ZVAL_OBJ_COPY(&arguments[1], object);
    } else {
        ZVAL_NULL(&arguments[1]);
    }
    ZVAL_COPY_VALUE(&arguments[2], list);
    zend::call(on_begin, 3, arguments, answer);
    for (zval& argument : arguments) {
        zval_ptr_dtor(&argument);
    }
    if (Z_TYPE_P(answer) == IS_ARRAY) {
        return true;
    }
    zval_ptr_dtor(answer);
    ZVAL_UNDEF(answer);
    return false;
}

// What was thrown stays under way. A coroutine that is being unwound, or exits, runs no code more.
void tell(zval* token, zval* result) {
    zend::ExceptionsOfSteps steps;
    zend_object* thrown = steps.pending();
    if (thrown != nullptr && (zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown))) {
        return;
    }
    zval arguments[3];
    ZVAL_COPY(&arguments[0], token);
    if (thrown != nullptr) {
        ZVAL_NULL(&arguments[1]);
        ZVAL_OBJ_COPY(&arguments[2], thrown);
    } else {
        ZVAL_COPY_DEREF(&arguments[1], result);
        ZVAL_NULL(&arguments[2]);
    }
    zend::call(on_end, 3, arguments, nullptr);
    for (zval& argument : arguments) {
        zval_ptr_dtor(&argument);
    }
}

void hand_out_fields(HashTable* answer) {
    zval* fields = zend_hash_index_find(answer, 2);
    if (fields == nullptr || Z_TYPE_P(fields) != IS_ARRAY) {
        return;
    }
    std::vector<std::string> lines;
    zval* line;
    ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(fields), line) {
        if (Z_TYPE_P(line) == IS_STRING) {
            lines.emplace_back(Z_STRVAL_P(line), Z_STRLEN_P(line));
        }
    }
    ZEND_HASH_FOREACH_END();
    set_outgoing_fields(std::move(lines));
}

// The function is called once more, by the engine: its frame has no room for further arguments.
void call_with(zend_execute_data* call, HashTable* arguments, zval* return_value) {
    uint32_t count = zend_hash_num_elements(arguments);
    auto* list = static_cast<zval*>(safe_emalloc(count, sizeof(zval), 0));
    uint32_t used = 0;
    zval* argument;
    ZEND_HASH_FOREACH_VAL(arguments, argument) { ZVAL_COPY_VALUE(&list[used++], argument); }
    ZEND_HASH_FOREACH_END();
    zend_call_known_function(call->func, object_of(call), call->func->common.scope, return_value,
                             used, list, nullptr);
    efree(list);
}

void observed(std::string_view name, zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    bool& busy = is_busy();
    if (busy || zend::exception_pending() || (opens(name) && !is_http_address(execute_data))) {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    zval arguments, answer;
    copy_arguments(execute_data, &arguments);
    busy = true;
    bool is_interesting = ask(name, object_of(execute_data), &arguments, &answer);
    busy = false;
    if (!is_interesting) {
        if (!zend::exception_pending()) {
            usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        }
        return;
    }
    zval* token = zend_hash_index_find(Z_ARRVAL(answer), 0);
    zval* instead = zend_hash_index_find(Z_ARRVAL(answer), 1);
    hand_out_fields(Z_ARRVAL(answer));
    if (instead != nullptr && Z_TYPE_P(instead) == IS_ARRAY) {
        busy = true;
        call_with(execute_data, Z_ARRVAL_P(instead), return_value);
        busy = false;
    } else {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    }
    forget_outgoing_fields();
    if (observes && token != nullptr) {
        busy = true;
        tell(token, return_value);
        busy = false;
    }
    zval_ptr_dtor(&answer);
}

template <int kNumber>
void around(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    if (EXPECTED(!observes)) {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    } else {
        observed(kRows[kNumber], usual, INTERNAL_FUNCTION_PARAM_PASSTHRU);
    }
}

template <int kNumber>
void stand_before() {
    std::string name(kRows[kNumber]);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    size_t colons = name.find("::");
    if (colons == std::string::npos) {
        zend::WrappedFunction<around<kNumber>>::wrap(name);
    } else {
        zend::WrappedFunction<around<kNumber>>::wrap(zend::methods_of(name.substr(0, colons)),
                                                     name.substr(colons + 2));
    }
}

template <int... kNumbers>
void stand_before_all(std::integer_sequence<int, kNumbers...> /*numbers*/) {
    (stand_before<kNumbers>(), ...);
}

}  // namespace

void stand_before_observed_calls() {
    stand_before_all(std::make_integer_sequence<int, static_cast<int>(std::size(kRows))>());
}

void call_observed(zend_string* name, zend_object* object, zval* closure, zval* return_value) {
    zval answer;
    ZVAL_UNDEF(&answer);
    bool& busy = is_busy();
    if (observes && !busy) {
        zval arguments;
        ZVAL_EMPTY_ARRAY(&arguments);
        busy = true;
        ask({ZSTR_VAL(name), ZSTR_LEN(name)}, object, &arguments, &answer);
        busy = false;
    }
    zend::Callable call = zend::Callable::none();
    if (!zend::exception_pending() && zend::Callable::hold(closure, call)) {
        zend::call(call, 0, nullptr, return_value);
        call.release();
    }
    zval* token = Z_TYPE(answer) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL(answer), 0) : nullptr;
    if (observes && token != nullptr) {
        busy = true;
        tell(token, return_value);
        busy = false;
    }
    zval_ptr_dtor(&answer);
}

void observe_calls(zval* begin, zval* end) {
    observes = false;
    on_begin.release();
    on_end.release();
    if (begin != nullptr && end != nullptr && zend::Callable::hold(begin, on_begin) &&
        zend::Callable::hold(end, on_end)) {
        observes = true;
        follow_curl_handles();
    }
}

}  // namespace stampede::hooks
