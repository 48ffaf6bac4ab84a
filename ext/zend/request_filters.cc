#include "zend/request_filters.h"

#include "zend/web_request.h"
#include "zend/wrapped_function.h"

namespace stampede::zend {
namespace {

// The filter extension knows of no variables, so that its own functions also say what is to be said
// of those that are not there.

// Its own numbers are in no header that is installed. Not the environment: that is the process's.
HashTable* variables_of(zend_long type) {
    constexpr zend_long kPost = 0, kGet = 1, kCookie = 2, kServer = 5;
    if (live_web_request == nullptr) {
        return nullptr;
    }
    const WebRequestFacts& facts = facts_of(*live_web_request);
    switch (type) {
        case kPost:
            return facts.post;
        case kGet:
            return facts.get;
        case kCookie:
            return facts.cookies;
        case kServer:
            return facts.server;
        default:
            return nullptr;
    }
}

// The value, with the arguments after the first `left_out` of the running function.
void filter(const char* function, zval* value, uint32_t left_out, zend_execute_data* execute_data,
            zval* result) {
    constexpr uint32_t kMost = 3;
    zval arguments[kMost];
    ZVAL_COPY_VALUE(&arguments[0], value);
    uint32_t count = 1;
    for (uint32_t i = left_out; i < ZEND_NUM_ARGS() && count < kMost; i++) {
        ZVAL_COPY_VALUE(&arguments[count++], ZEND_CALL_ARG(execute_data, i + 1));
    }
    zval name;
    ZVAL_STRING(&name, function);
    call_user_function(nullptr, nullptr, &name, result, count, arguments);
    zval_ptr_dtor(&name);
}

void filter_input(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    zend_long type;
    zend_string* name;
    zend_long filter_number;
    zval* options;
    ZEND_PARSE_PARAMETERS_START(2, 4)
        Z_PARAM_LONG(type)
        Z_PARAM_STR(name)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(filter_number)
        Z_PARAM_ZVAL(options)
    ZEND_PARSE_PARAMETERS_END();
    HashTable* variables = variables_of(type);
    zval* value = variables != nullptr ? zend_symtable_find(variables, name) : nullptr;
    if (value == nullptr) {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    filter("filter_var", value, 2, execute_data, return_value);
}

void filter_input_array(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    zend_long type;
    zval* options;
    bool add_empty;
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_LONG(type)
        Z_PARAM_OPTIONAL
        Z_PARAM_ZVAL(options)
        Z_PARAM_BOOL(add_empty)
    ZEND_PARSE_PARAMETERS_END();
    HashTable* variables = variables_of(type);
    if (variables == nullptr || zend_hash_num_elements(variables) == 0) {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    zval value;
    ZVAL_ARR(&value, variables);
    filter("filter_var_array", &value, 1, execute_data, return_value);
}

void filter_has_var(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    zend_long type;
    zend_string* name;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_LONG(type)
        Z_PARAM_STR(name)
    ZEND_PARSE_PARAMETERS_END();
    HashTable* variables = variables_of(type);
    if (variables != nullptr && zend_symtable_exists(variables, name)) {
        RETURN_TRUE;
    }
    usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

}  // namespace

void install_request_filters() {
    WrappedFunction<filter_input>::wrap("filter_input");
    WrappedFunction<filter_input_array>::wrap("filter_input_array");
    WrappedFunction<filter_has_var>::wrap("filter_has_var");
}

}  // namespace stampede::zend
