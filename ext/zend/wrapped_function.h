// Functions of PHP's own modules in whose place something else is called, or that say so before
// they run. The one place where handlers of internal functions are exchanged. PHP thread.
//
// It is done once in a process, when all modules have their functions and before any code of the
// application is compiled: the function in the table is changed, which each process has for itself,
// and the JIT copies the handler's address out of it. It is never undone: this module refuses dl(),
// so it is unloaded at the end of the process, when no function is called any more. Another
// extension may have put its own in front since, and calls ours as long as it is there.
#pragma once

#include <string_view>
#include <utility>

#include "zend/php.h"

namespace stampede::zend {

// Null: disable_functions has taken it away, or its module is not loaded; then the table may be
// null, too.
inline zend_internal_function* internal_function(HashTable* functions, std::string_view name) {
    auto* function = functions != nullptr ? static_cast<zend_function*>(zend_hash_str_find_ptr(
                                                functions, name.data(), name.size()))
                                          : nullptr;
    return function != nullptr && function->type == ZEND_INTERNAL_FUNCTION
               ? &function->internal_function
               : nullptr;
}

// The class's functions, null where there is no such class. The name in small letters.
inline HashTable* methods_of(std::string_view lc_name) {
    auto* ce = static_cast<zend_class_entry*>(
        zend_hash_str_find_ptr(CG(class_table), lc_name.data(), lc_name.size()));
    return ce != nullptr ? &ce->function_table : nullptr;
}

// Each function of a class that has another handler.
template <typename Visit>
void each_internal_function(HashTable* functions, Visit visit) {
    if (functions == nullptr) {
        return;
    }
    zval* each;
    ZEND_HASH_FOREACH_VAL(functions, each) {
        auto* function = static_cast<zend_function*>(Z_PTR_P(each));
        if (function->type == ZEND_INTERNAL_FUNCTION) {
            visit(function->internal_function);
        }
    }
    ZEND_HASH_FOREACH_END();
}

// Returns what it has displaced: PHP's own, or another extension's.
inline zif_handler displace(zend_internal_function& function, zif_handler ours) {
    return std::exchange(function.handler, ours);
}

// `kAround` is called in the place of the function, as
// kAround(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS), and calls the usual one; with another N
// for each function that it is for.
template <auto kAround, int N = 0>
class WrappedFunction {
public:
    static void wrap(std::string_view name) { wrap(CG(function_table), name); }
    static void wrap(HashTable* functions, std::string_view name) {
        zend_internal_function* function = internal_function(functions, name);
        if (function != nullptr && function->handler != call) {
            usual_ = displace(*function, call);
        }
    }
    // A method that was wrapped in another class, from which this one has it.
    static void wrap_copy(HashTable* functions, std::string_view name) {
        zend_internal_function* function = internal_function(functions, name);
        if (function != nullptr && usual_ != nullptr && function->handler == usual_) {
            function->handler = call;
        }
    }

    static void call(INTERNAL_FUNCTION_PARAMETERS) {
        kAround(usual_, INTERNAL_FUNCTION_PARAM_PASSTHRU);
    }

private:
    static inline zif_handler usual_ = nullptr;
};

// `kBefore` is called as kBefore(zend_execute_data* call), before the function.
template <auto kBefore, int N = 0>
class WatchedFunction {
public:
    static void watch(std::string_view name) { watch(CG(function_table), name); }
    static void watch(HashTable* functions, std::string_view name) {
        WrappedFunction<around, N>::wrap(functions, name);
    }

private:
    static void around(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
        kBefore(execute_data);
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    }
};

}  // namespace stampede::zend
