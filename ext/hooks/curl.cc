// What libcurl makes of a wait that was cancelled: it knows only that poll() has failed, and blames
// the arguments of the call. And the handles of ext-curl in which a coroutine waits: curl_setopt()
// and curl_reset() free what the transfer under way still reads (headers, the body, the URL), so
// that another coroutine is refused. PHP thread.
#include <cstring>

#include "error_numbers.h"
#include "hooks/curl_fields.h"
#include "hooks/object_use.h"
#include "hooks/hooks.h"
#include "runtime/runtime.h"
#include "zend/throw.h"
#include "zend/wrapped_function.h"

namespace stampede::hooks {

namespace {

using Code = int;
constexpr Code kAborted = 42;      // CURLE_ABORTED_BY_CALLBACK
constexpr Code kBadArgument = 43;  // CURLE_BAD_FUNCTION_ARGUMENT

struct Library {
    Code (*easy_perform)(void*);
};

Library curl;

Code perform_in_coroutine(void* handle) {
    runtime::Runtime* runtime = on_php_thread() ? runtime::Runtime::peek() : nullptr;
    runtime::Fiber* self = runtime != nullptr ? runtime->current() : nullptr;
    if (self == nullptr) {
        return curl.easy_perform(handle);
    }
    bool before = self->canceled;
    self->canceled = false;
    Code code = curl.easy_perform(handle);
    bool meanwhile = self->canceled;
    self->canceled = before || meanwhile;
    if (code != kBadArgument || !(meanwhile || zend::exception_pending())) {
        return code;
    }
    zend::set_last_error(api_error::kCanceled);
    return kAborted;
}

Code hooked_easy_perform(void* handle) {
    if (!follows_curl_handles()) {
        return perform_in_coroutine(handle);
    }
    add_fields(handle);
    Code code = perform_in_coroutine(handle);
    take_fields_back(handle);
    return code;
}

// ---- handles in use

// Before the function has parsed its arguments: anything may be there, and nothing is reported
// here.
const zend_object* handle_of(zend_execute_data* execute_data, uint32_t number) {
    if (ZEND_NUM_ARGS() < number) {
        return nullptr;
    }
    zval* argument = ZEND_CALL_ARG(execute_data, number);
    ZVAL_DEREF(argument);
    return Z_TYPE_P(argument) == IS_OBJECT ? Z_OBJ_P(argument) : nullptr;
}

constexpr io::Bound kHandle = {"The curl handle", "handle"};

struct Guard {
    const char* function;
    uint32_t argument;  // the handle, from 1
    const char* wanting;
};

constexpr Guard kGuards[] = {
    {"curl_exec", 1, "a transfer"},
    {"curl_setopt", 1, "setting an option"},
    {"curl_setopt_array", 1, "setting options"},
    {"curl_reset", 1, "a reset"},
    {"curl_upkeep", 1, "upkeep"},
    {"curl_multi_add_handle", 2, "a transfer"},
};

template <int kNumber>
void guarded(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    const Guard& guard = kGuards[kNumber];
    if (!is_held(handle_of(execute_data, guard.argument), kHandle, guard.wanting)) {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    }
}

// The handle is an argument of this call, so the frame holds it until the transfer has ended.
void guarded_exec(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    const zend_object* handle = handle_of(execute_data, 1);
    const Guard& guard = kGuards[0];
    if (is_held(handle, kHandle, guard.wanting)) {
        return;
    }
    bool notes = begin_object_use(handle);
    usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (notes) {
        end_object_use(handle);
    }
}

template <int... kNumbers>
void guard_all(std::integer_sequence<int, kNumbers...> /*numbers*/) {
    (zend::WrappedFunction<guarded<kNumbers + 1>>::wrap(kGuards[kNumbers + 1].function), ...);
}

}  // namespace

void guard_curl_handles() {
    zend::WrappedFunction<guarded_exec>::wrap(kGuards[0].function);
    guard_all(std::make_integer_sequence<int, static_cast<int>(std::size(kGuards)) - 1>());
}

const Redirect kCurlRedirects[] = {
    redirect_entry<hooked_easy_perform>("curl_easy_perform", curl.easy_perform),
};
const size_t kCurlRedirectCount = sizeof(kCurlRedirects) / sizeof(kCurlRedirects[0]);

}  // namespace stampede::hooks
