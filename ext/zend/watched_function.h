// Functions of PHP's own modules that say so before they run, or in whose place something else is
// called. PHP thread.
#pragma once

#include <cstring>

#include "zend/php.h"

namespace stampede::zend {

// `kAround` is called in the place of the function, as
// kAround(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS), and calls the usual one; with another N
// for each function that it is for.
template <auto kAround, int N = 0>
class WrappedFunction {
public:
    // Once in a process, when all modules have their functions and before any code of the
    // application is compiled: the function in the table is changed, which each process has for
    // itself, and the JIT copies the handler's address out of it. A function that disable_functions
    // has taken away is not there, nor those of a module that is not loaded.
    static void wrap(HashTable* functions, const char* name) {
        auto* function =
            static_cast<zend_function*>(zend_hash_str_find_ptr(functions, name, strlen(name)));
        if (function != nullptr && function->type == ZEND_INTERNAL_FUNCTION &&
            function->internal_function.handler != handler) {
            usual_ = function->internal_function.handler;
            function->internal_function.handler = handler;
        }
    }

private:
    static void handler(INTERNAL_FUNCTION_PARAMETERS) {
        kAround(usual_, INTERNAL_FUNCTION_PARAM_PASSTHRU);
    }

    // What the handler has displaced: PHP's own, or another extension's.
    static inline zif_handler usual_ = nullptr;
};

// `kBefore` is called as kBefore(zend_execute_data* call), before the function. Everything that
// WrappedFunction says holds here.
template <auto kBefore, int N = 0>
class WatchedFunction {
public:
    static void watch(const char* name) { watch(CG(function_table), name); }
    // A static method, or any that is never overridden; null: the class is not there.
    static void watch(HashTable* functions, const char* name) {
        if (functions != nullptr) {
            WrappedFunction<around, N>::wrap(functions, name);
        }
    }

private:
    static void around(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
        kBefore(execute_data);
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    }
};

}  // namespace stampede::zend
