// What libcurl makes of a wait that was cancelled: it knows only that poll() has failed, and blames
// the arguments of the call.
#include "hooks/hooks.h"
#include "runtime/runtime.h"
#include "zend/throw.h"

namespace stampede::hooks {

namespace {

using Code = int;
constexpr Code kAborted = 42;          // CURLE_ABORTED_BY_CALLBACK
constexpr Code kBadArgument = 43;      // CURLE_BAD_FUNCTION_ARGUMENT
constexpr int kErrorCanceled = 10017;  // SWOOLE_ERROR_CO_CANCELED

struct Library {
    Code (*easy_perform)(void*);
};

Library curl;

Code hooked_easy_perform(void* handle) {
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
    zend::set_last_error(kErrorCanceled);
    return kAborted;
}

}  // namespace

const Redirect kCurlRedirects[] = {
    redirect_entry<hooked_easy_perform>("curl_easy_perform", curl.easy_perform),
};
const size_t kCurlRedirectCount = sizeof(kCurlRedirects) / sizeof(kCurlRedirects[0]);

}  // namespace stampede::hooks
