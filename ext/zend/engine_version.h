// Where versions of the engine differ in what others here use of it: one function a difference, so
// that no other file asks for a version. PHP thread, never parks.
#pragma once

#include <cstdarg>

#include "zend/php.h"

namespace stampede::zend {

// The exception that the engine has put aside while it loads a class, which 8.6 does no more.
zend_always_inline zend_object* exception_put_aside() {
#if PHP_VERSION_ID < 80600
    return EG(prev_exception);
#else
    return nullptr;
#endif
}

zend_always_inline void set_exception_put_aside(zend_object* exception) {
#if PHP_VERSION_ID < 80600
    EG(prev_exception) = exception;
#else
    (void)exception;
#endif
}

// Whether a class is being loaded by the code that runs.
zend_always_inline bool loads_class() {
#if PHP_VERSION_ID < 80600
    return EG(in_autoload) != nullptr && zend_hash_num_elements(EG(in_autoload)) > 0;
#else
    return zend_hash_num_elements(&EG(autoload_current_classnames)) > 0;
#endif
}

// A message about the function that runs.
inline void report(int type, const char* format, va_list arguments) {
#if PHP_VERSION_ID < 80600
    php_verror(nullptr, "", type, format, arguments);
#else
    php_verror(nullptr, type, format, arguments);
#endif
}

// A closure of a function that can be called.
inline void make_closure(const zend_fcall_info_cache& callable, zval* out) {
    zend_function* function = callable.function_handler;
    zend_class_entry* scope = function->common.scope;
#if PHP_VERSION_ID < 80600
    zval bound;
    ZVAL_NULL(&bound);
    if (callable.object != nullptr) {
        ZVAL_OBJ(&bound, callable.object);
    }
    zend_create_fake_closure(out, function, scope, callable.called_scope, &bound);
#else
    zend_create_fake_closure(out, function, scope, callable.called_scope, callable.object);
#endif
}

// The names of the classes whose loading is under way, for a side that puts them aside. Neither
// constructed nor destroyed: it lies in memory that is moved bit by bit, and one of give_back() and
// drop() has to follow each take().
class ClassNamesUnderWay {
public:
    // Takes them from the engine, which has none then.
    void take();
    // They are the engine's again, in place of those that it has meanwhile.
    void give_back();
    // Instead of give_back(), for a side that will never run again.
    void drop();

private:
#if PHP_VERSION_ID < 80600
    HashTable* names_;
#else
    HashTable names_;
    bool any_;
#endif
};

}  // namespace stampede::zend
