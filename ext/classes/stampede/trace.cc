// What traces are made of: what a coroutine has from its creator, the record of a request, observed
// calls.
#include "classes/coroutine/coroutine.h"
#include "classes/http/response.h"
#include "ext/metrics/request_record.h"
#include "hooks/observed_calls.h"
#include "runtime/runtime.h"
#include "server/exchange.h"
#include "subsystems.h"

#include "stubs/trace_functions_arginfo.h"

using namespace stampede;

namespace {

double seconds(Nanos time) { return static_cast<double>(time) / static_cast<double>(kSecond); }

runtime::Inheritance& present_inheritance() {
    return runtime::Runtime::get().current_side().inheritance;
}

void describe_waits(const metrics::RequestRecord& record, zval* out) {
    array_init(out);
    for (size_t i = 0; i < static_cast<size_t>(metrics::WaitKind::kCount); i++) {
        auto kind = static_cast<metrics::WaitKind>(i);
        const metrics::RequestRecord::Waits& waits = record.waits(kind);
        if (waits.count > 0) {
            zval entry;
            array_init(&entry);
            add_assoc_long(&entry, "count", waits.count);
            add_assoc_double(&entry, "seconds", seconds(waits.time));
            std::string_view name = metrics::name_of(kind);
            add_assoc_zval_ex(out, name.data(), name.size(), &entry);
        }
    }
}

}  // namespace

ZEND_FUNCTION(Stampede_inherited) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    zend_object* value = present_inheritance().value;
    if (value == nullptr) {
        RETURN_NULL();
    }
    RETURN_OBJ_COPY(value);
}

ZEND_FUNCTION(Stampede_set_inherited) {
    zend_object* value;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_OBJ_OR_NULL(value)
    ZEND_PARSE_PARAMETERS_END();
    present_inheritance().set_value(value);
}

ZEND_FUNCTION(Stampede_record_request) {
    zend_object* object;
    bool is_shown = false;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_OBJ_OF_CLASS(object, classes::response_class)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(is_shown)
    ZEND_PARSE_PARAMETERS_END();
    const server::Exchange* exchange = classes::response_of(object)->exchange;
    Nanos queued = exchange != nullptr ? monotonic_now() - exchange->received_at() : 0;
    runtime::Runtime::get().measure_waits();
    metrics::RequestRecord* record = metrics::RequestRecord::begin(queued);
    record->shown_in = is_shown ? exchange : nullptr;
    present_inheritance().set_record(record);
}

ZEND_FUNCTION(Stampede_request_record) {
    bool ends = false;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(ends)
    ZEND_PARSE_PARAMETERS_END();
    runtime::Inheritance& present = present_inheritance();
    metrics::RequestRecord* record = present.record;
    if (record == nullptr) {
        RETURN_NULL();
    }
    metrics::charge(record);
    array_init(return_value);
    add_assoc_stringl(return_value, "route", record->route.data(), record->route.size());
    add_assoc_double(return_value, "duration", seconds(record->duration()));
    add_assoc_double(return_value, "queue", seconds(record->queued()));
    add_assoc_double(return_value, "cpu", seconds(record->cpu()));
    add_assoc_double(return_value, "others_cpu", seconds(record->others_cpu()));
    zval waits;
    describe_waits(*record, &waits);
    add_assoc_zval(return_value, "waits", &waits);
    if (ends) {
        present.set_record(nullptr);
    }
}

ZEND_FUNCTION(Stampede_observe_calls) {
    zval* begin;
    zval* end = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_OBJECT_OF_CLASS_OR_NULL(begin, zend_ce_closure)
        Z_PARAM_OPTIONAL
        Z_PARAM_OBJECT_OF_CLASS_OR_NULL(end, zend_ce_closure)
    ZEND_PARSE_PARAMETERS_END();
    hooks::observe_calls(begin, end);
}

ZEND_FUNCTION(Stampede_observed) {
    zend_string* name;
    zend_object* object;
    zval* closure;
    ZEND_PARSE_PARAMETERS_START(3, 3)
        Z_PARAM_STR(name)
        Z_PARAM_OBJ(object)
        Z_PARAM_OBJECT_OF_CLASS(closure, zend_ce_closure)
    ZEND_PARSE_PARAMETERS_END();
    hooks::call_observed(name, object, closure, return_value);
}

namespace stampede::ext {

zend_result trace_minit(int, int) {
    hooks::stand_before_observed_calls();
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

zend_result trace_rshutdown(int, int) {
    hooks::observe_calls(nullptr, nullptr);
    return SUCCESS;
}

}  // namespace stampede::ext
