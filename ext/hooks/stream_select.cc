#include "hooks/stream_select.h"

#include <algorithm>
#include <vector>

#include "base/clock.h"
#include "hooks/hooks.h"
#include "io/descriptor.h"
#include "runtime/runtime.h"
#include "zend/php.h"
#include "zend/throw.h"
#include "zend/wrapped_function.h"

namespace stampede::hooks {

using runtime::Runtime;

namespace {

// The calls under way. By number: a fatal error in one leaves its entry here.
struct Select {
    int64_t cid;
    bool in_vain = false;
};
std::vector<Select> selects;

Select* select_of(int64_t cid) {
    auto is_its = [cid](const Select& select) { return select.cid == cid; };
    auto found = std::find_if(selects.begin(), selects.end(), is_its);
    return found != selects.end() ? &*found : nullptr;
}

// What the script has given, for a second call: the first has emptied its arrays.
class Arguments {
public:
    explicit Arguments(zend_execute_data* execute_data) {
        for (uint32_t i = 0; i < kArrays; i++) {
            zval* argument = ZEND_CALL_ARG(execute_data, i + 1);
            is_usual_ = is_usual_ && Z_ISREF_P(argument);
            ZVAL_COPY_VALUE(&values_[i], argument);
            ZVAL_UNDEF(&arrays_[i]);
            if (is_usual_) {
                ZVAL_COPY(&arrays_[i], Z_REFVAL_P(argument));
            }
        }
        read_time(execute_data);
    }
    ~Arguments() {
        for (zval& array : arrays_) {
            zval_ptr_dtor(&array);
        }
    }
    Arguments(const Arguments&) = delete;
    Arguments& operator=(const Arguments&) = delete;

    bool is_usual() const { return is_usual_; }

    // With the arrays as they were and the time that is left.
    void call_again(zend_function* function, zval* result) {
        for (uint32_t i = 0; i < kArrays; i++) {
            zval* array = Z_REFVAL(values_[i]);
            zval_ptr_dtor(array);
            ZVAL_COPY(array, &arrays_[i]);
        }
        if (deadline_ == kNever) {
            ZVAL_NULL(&values_[3]);
            ZVAL_NULL(&values_[4]);
        } else {
            Nanos left = std::max<Nanos>(deadline_ - monotonic_now(), 0);
            ZVAL_LONG(&values_[3], left / kSecond);
            ZVAL_LONG(&values_[4], left % kSecond / kMicrosecond);
        }
        zend_call_known_function(function, nullptr, nullptr, result, 5, values_, nullptr);
    }

private:
    static constexpr uint32_t kArrays = 3;

    void read_time(zend_execute_data* execute_data) {
        const zval* seconds = ZEND_CALL_ARG(execute_data, 4);
        const zval* microseconds = ZEND_NUM_ARGS() > 4 ? ZEND_CALL_ARG(execute_data, 5) : nullptr;
        bool has_rest = microseconds != nullptr && Z_TYPE_P(microseconds) == IS_LONG;
        if (Z_TYPE_P(seconds) == IS_LONG) {
            zend_long rest = has_rest ? Z_LVAL_P(microseconds) : 0;
            deadline_ = io::deadline_in(span_of(Z_LVAL_P(seconds), rest * kMicrosecond));
        }
        is_usual_ = is_usual_ && (Z_TYPE_P(seconds) == IS_LONG || Z_TYPE_P(seconds) == IS_NULL);
    }

    zval values_[5];
    zval arrays_[kArrays];
    Nanos deadline_ = kNever;
    bool is_usual_ = true;
};

// With no time it looks once, and never waits for what another coroutine could take.
bool only_looks(zend_execute_data* execute_data) {
    auto is_zero = [](const zval* time) {
        return Z_TYPE_P(time) == IS_LONG && Z_LVAL_P(time) == 0;
    };
    return ZEND_NUM_ARGS() >= 4 && is_zero(ZEND_CALL_ARG(execute_data, 4)) &&
           (ZEND_NUM_ARGS() < 5 || is_zero(ZEND_CALL_ARG(execute_data, 5)));
}

void selecting(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    if (only_looks(execute_data)) {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    Runtime* runtime = Runtime::peek();
    int64_t cid = runtime != nullptr && runtime->current() != nullptr ? runtime->current_cid() : 0;
    if (cid <= 0 || ZEND_NUM_ARGS() < 4 || ZEND_NUM_ARGS() > 5 || select_of(cid) != nullptr ||
        !waits(kStreamSelect)) {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    Arguments arguments(execute_data);
    if (!arguments.is_usual()) {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    selects.push_back({cid});
    usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    while (select_of(cid) != nullptr && select_of(cid)->in_vain && !zend::exception_pending()) {
        select_of(cid)->in_vain = false;
        arguments.call_again(EX(func), return_value);
    }
    std::erase_if(selects, [cid](const Select& select) { return select.cid == cid; });
}

}  // namespace

bool ends_in_vain() {
    Select* select = EXPECTED(selects.empty()) ? nullptr : select_of(Runtime::get().current_cid());
    if (select != nullptr) {
        select->in_vain = true;
    }
    return select != nullptr;
}

void guard_stream_select() { zend::WrappedFunction<selecting>::wrap("stream_select"); }

void forget_selects() { selects.clear(); }

}  // namespace stampede::hooks
