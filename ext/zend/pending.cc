#include "zend/pending.h"

#include "zend/throw.h"

namespace stampede::zend {

zend_object* pending_exception() { return EG(exception); }

void drop_exception() {
    if (EG(exception) != nullptr) {
        zend_clear_exception();
    }
}

zend_string* take_exception_report() {
    if (EG(exception) == nullptr) {
        return ZSTR_EMPTY_ALLOC();
    }
    zend_object* exception = EG(exception);
    GC_ADDREF(exception);
    zend_clear_exception();
    zend_string* text = format_exception(exception);
    OBJ_RELEASE(exception);
    return text;
}

}  // namespace stampede::zend
