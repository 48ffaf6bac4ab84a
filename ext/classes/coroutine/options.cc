// The options of Coroutine::set(): kept as given, those about the runtime applied at once.
#include <cstring>

#include "classes/coroutine/coroutine.h"
#include "classes/name_resolvers.h"
#include "classes/system/system.h"
#include "hooks/hooks.h"
#include "runtime/preempt.h"
#include "subsystems.h"

namespace stampede::classes {
namespace {

zend_array* options_in_force = nullptr;

void apply(const char* name, void (*use)(runtime::Runtime&, zend_long), zend_array* options) {
    zval* value = zend_hash_str_find(options, name, strlen(name));
    if (value != nullptr && zval_get_long(value) > 0) {
        use(runtime::Runtime::get(), zval_get_long(value));
    }
}

void use_limit(runtime::Runtime& runtime, zend_long count) {
    runtime.limits().max_coroutines = static_cast<size_t>(count);
}

void use_stack_size(runtime::Runtime& runtime, zend_long bytes) {
    runtime.contexts().set_stack_size(static_cast<size_t>(bytes));
}

}  // namespace

zend_array* coroutine_options() { return options_in_force; }

zval* find_coroutine_option(const char* name) {
    return options_in_force != nullptr ? zend_hash_str_find(options_in_force, name, strlen(name))
                                       : nullptr;
}

void set_coroutine_options(zend_array* options) {
    if (options_in_force == nullptr) {
        options_in_force = zend_new_array(8);
    } else if (GC_REFCOUNT(options_in_force) > 1) {
        GC_DELREF(options_in_force);
        options_in_force = zend_array_dup(options_in_force);
    }
    zend_hash_merge(options_in_force, options, zval_add_ref, /* overwrite */ true);
    apply("max_coro_num", use_limit, options);
    apply("max_coroutine", use_limit, options);
    apply("c_stack_size", use_stack_size, options);
    apply("stack_size", use_stack_size, options);
    system::apply_dns_options(options);
    if (zval* resolvers = zend_hash_str_find(options, ZEND_STRL("name_resolver"))) {
        use_name_resolvers(resolvers);
    }
    if (zval* flags = zend_hash_str_find(options, ZEND_STRL("hook_flags"))) {
        hooks::set_flags(zval_get_long(flags));
    }
    zval* preemptive = zend_hash_str_find(options, ZEND_STRL("enable_preemptive_scheduler"));
    if (preemptive != nullptr && zend_is_true(preemptive)) {
        runtime::enable_preemption();
    }
}

}  // namespace stampede::classes

namespace stampede::ext {

zend_result coroutine_options_rshutdown(int, int) {
    if (classes::options_in_force != nullptr) {
        zend_array_release(classes::options_in_force);
        classes::options_in_force = nullptr;
    }
    return SUCCESS;
}

}  // namespace stampede::ext
