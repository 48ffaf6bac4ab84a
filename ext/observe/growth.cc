#include "ext/observe/growth.h"

#include "zend/call.h"
#include "zend_exceptions.h"

namespace stampede::observe {

namespace {

zend::Callable answer = zend::Callable::none();

}  // namespace

void forget_growth_answer() {
    if (answer) {
        zend::Callable before = answer;
        answer = zend::Callable::none();
        before.release();
    }
}

void set_growth_answer(zval* closure) {
    forget_growth_answer();
    if (closure != nullptr) {
        (void)zend::Callable::hold(closure, answer);
    }
}

void answer_growth(int64_t number, zval* out) {
    zval argument;
    ZVAL_UNDEF(out);
    ZVAL_LONG(&argument, number);
    if (answer) {
        (void)zend::call_guarded(answer, 1, &argument, out);
    }
    if (EG(exception) != nullptr) {
        zend_clear_exception();
    }
    if (Z_TYPE_P(out) != IS_ARRAY) {
        zval_ptr_dtor(out);
        array_init(out);
        add_assoc_string(out, "error", "does not measure growth");
    }
}

}  // namespace stampede::observe
