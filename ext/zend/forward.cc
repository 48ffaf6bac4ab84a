#include "zend/forward.h"

namespace stampede::zend {

namespace {

// The arguments lie in this call's frame, which stays until the method returns, also when that
// waits.
void forward(INTERNAL_FUNCTION_PARAMETERS, zend_function* function, zend_class_entry* ce) {
    uint32_t count = ZEND_NUM_ARGS();
    zval* arguments = count > 0 ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
    HashTable* named = (ZEND_CALL_INFO(execute_data) & ZEND_CALL_HAS_EXTRA_NAMED_PARAMS) != 0
                           ? execute_data->extra_named_params
                           : nullptr;
    zend_call_known_function(function, nullptr, ce, return_value, count, arguments, named);
}

}  // namespace

// Looking the class up may load it, which may wait and may throw; then nothing is called.
void forward_to_method(INTERNAL_FUNCTION_PARAMETERS, std::string_view class_name,
                       std::string_view method) {
    zend_string* name = zend_string_init(class_name.data(), class_name.size(), 0);
    zend_class_entry* ce = zend_lookup_class(name);
    zend_string_release(name);
    void* function =
        ce == nullptr ? nullptr
                      : zend_hash_str_find_ptr(&ce->function_table, method.data(), method.size());
    if (function == nullptr) {
        RETURN_THROWS();
    }
    forward(INTERNAL_FUNCTION_PARAM_PASSTHRU, static_cast<zend_function*>(function), ce);
}

void forward_to_function(INTERNAL_FUNCTION_PARAMETERS, std::string_view name) {
    void* function = zend_hash_str_find_ptr(CG(function_table), name.data(), name.size());
    if (function == nullptr) {
        zend_throw_error(nullptr, "Call to undefined function %s()", name.data());
        RETURN_THROWS();
    }
    forward(INTERNAL_FUNCTION_PARAM_PASSTHRU, static_cast<zend_function*>(function), nullptr);
}

}  // namespace stampede::zend
