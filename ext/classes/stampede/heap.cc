// What PHP code measures growth by, and where it answers the operator's questions.
#include "ext/metrics/present.h"
#include "ext/observe/growth.h"
#include "ext/observe/heap_report.h"
#include "metrics/families.h"
#include "subsystems.h"

#include "stubs/heap_arginfo.h"

using namespace stampede;

namespace {

constexpr double kLongestPause = 60;  // seconds

Nanos pause_of(double seconds) {
    return static_cast<Nanos>(
        (seconds > 0 ? seconds < kLongestPause ? seconds : kLongestPause : 0) * kSecond);
}

}  // namespace

ZEND_FUNCTION(Stampede_heap_sizes) {
    double pause;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_DOUBLE(pause)
    ZEND_PARSE_PARAMETERS_END();
    if (!observe::heap_sizes(pause_of(pause), return_value)) {
        RETURN_NULL();
    }
}

ZEND_FUNCTION(Stampede_heap_paths) {
    HashTable* classes;
    double pause;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_ARRAY_HT(classes)
        Z_PARAM_DOUBLE(pause)
    ZEND_PARSE_PARAMETERS_END();
    observe::heap_paths(classes, pause_of(pause), return_value);
}

ZEND_FUNCTION(Stampede_answer_growth) {
    zval* answer;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_OBJECT_OF_CLASS_OR_NULL(answer, zend_ce_closure)
    ZEND_PARSE_PARAMETERS_END();
    observe::set_growth_answer(answer);
}

ZEND_FUNCTION(Stampede_growth_findings) {
    zend_long count;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(count)
    ZEND_PARSE_PARAMETERS_END();
    if (metrics::Board* board = metrics::present_board()) {
        metrics::present_writer().set(board->series(metrics::Id::kGrowthFindings, {}),
                                      static_cast<uint64_t>(count > 0 ? count : 0));
    }
}

namespace stampede::ext {

zend_result heap_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
