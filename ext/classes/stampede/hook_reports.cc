// Stampede\hooked_objects() and Stampede\blocking_calls(), and the former's part of `php --ri`.
#include "zend/php.h"

#include <cstdio>

#include "ext/standard/info.h"
#include "hooks/hooks.h"
#include "info.h"
#include "runtime/blocking_watch.h"
#include "subsystems.h"

#include "stubs/hook_reports_arginfo.h"

using namespace stampede;

namespace {

const char* state_of(const hooks::ObjectReport& report) {
    if (report.problem != nullptr) {
        return report.problem;
    }
    if (!report.functions.empty()) {
        return "redirected";
    }
    return report.selected ? "nothing to redirect" : "flag off";
}

const char* program_path() { return PG(php_binary) != nullptr ? PG(php_binary) : "php"; }

double seconds(Nanos time) { return static_cast<double>(time) / static_cast<double>(kSecond); }

void print_objects() {
    php_info_print_table_start();
    php_info_print_table_header(2, "Blocking calls of", "wait in coroutines");
    for (const hooks::ObjectReport& report : hooks::report()) {
        char functions[1024];
        size_t length = static_cast<size_t>(snprintf(functions, sizeof(functions), "%s (%s)",
                                                     state_of(report), report.policy.reason));
        for (const char* name : report.functions) {
            length += static_cast<size_t>(
                snprintf(functions + length, sizeof(functions) - length, " %s", name));
            if (length >= sizeof(functions) - 64) {
                break;
            }
        }
        bool program = report.path.empty();
        php_info_print_table_row(2, program ? program_path() : report.path.c_str(), functions);
    }
    php_info_print_table_end();
}

}  // namespace

ZEND_FUNCTION(Stampede_hooked_objects) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    array_init(return_value);
    for (const hooks::ObjectReport& report : hooks::report_objects()) {
        zval entry, functions;
        array_init(&entry);
        add_assoc_string(&entry, "state", state_of(report));
        add_assoc_string(&entry, "reason", report.policy.reason);
        array_init(&functions);
        for (const char* name : report.functions) {
            add_next_index_string(&functions, name);
        }
        add_assoc_zval(&entry, "functions", &functions);
        add_assoc_zval(return_value, report.path.empty() ? program_path() : report.path.c_str(),
                       &entry);
    }
}

ZEND_FUNCTION(Stampede_blocking_calls) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    const runtime::BlockingCalls& calls = runtime::blocking_calls();
    array_init(return_value);
    add_assoc_long(return_value, "count", static_cast<zend_long>(calls.count));
    add_assoc_double(return_value, "total", seconds(calls.total));
    add_assoc_double(return_value, "longest", seconds(calls.longest));
    if (calls.count != 0) {
        add_assoc_string(return_value, "last", calls.last);
    } else {
        add_assoc_null(return_value, "last");
    }
}

namespace stampede::ext {

zend_result hook_reports_minit(int, int) {
    set_info_of_hooks(print_objects);
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
