#include "zend/error_level.h"

#include <cstring>
#include <utility>

#include "zend/wrapped_function.h"

namespace stampede::zend {

int error_level = E_ALL;

namespace {

constexpr const char* kFunctions[] = {"error_reporting", "ini_get",     "ini_get_all",
                                      "ini_set",         "ini_restore", "ini_alter"};

zend_ini_entry* error_reporting_entry() {
    return static_cast<zend_ini_entry*>(
        zend_hash_str_find_ptr(EG(ini_directives), ZEND_STRL("error_reporting")));
}

// As the entry's own handler reads it.
int level_of(const zend_ini_entry& entry) {
    return entry.value != nullptr ? static_cast<int>(ZEND_ATOL(ZSTR_VAL(entry.value))) : E_ALL;
}

// In the stage in which no setting refuses; what is in force stays as it is.
void write_entry(zend_ini_entry& entry) {
    int in_force = EG(error_reporting);
    zend_string* level = zend_long_to_str(error_level);
    zend_alter_ini_entry(entry.name, level, PHP_INI_SYSTEM, PHP_INI_STAGE_DEACTIVATE);
    zend_string_release(level);
    EG(error_reporting) = in_force;
}

// Most calls are about another setting.
bool concerns_level(zend_execute_data* call) {
    if (ZEND_CALL_NUM_ARGS(call) == 0) {
        return true;
    }
    const zval* name = ZEND_CALL_ARG(call, 1);
    return Z_TYPE_P(name) != IS_STRING ||
           zend_string_equals_literal(Z_STR_P(name), "error_reporting");
}

void with_own_level(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    zend_ini_entry* entry = concerns_level(execute_data) ? error_reporting_entry() : nullptr;
    if (entry == nullptr) {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    if (level_of(*entry) != error_level) {
        write_entry(*entry);
    }
    usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    error_level = level_of(*entry);
}

template <int... N>
void watch_all(std::integer_sequence<int, N...> /*numbers*/) {
    (WrappedFunction<with_own_level, N>::wrap(kFunctions[N]), ...);
}

}  // namespace

void watch_error_level() {
    watch_all(std::make_integer_sequence<int, static_cast<int>(std::size(kFunctions))>());
}

void begin_error_level() { error_level = EG(error_reporting); }

}  // namespace stampede::zend
