// What classes of pools tell the metrics.
#include "ext/metrics/pools.h"
#include "subsystems.h"
#include "zend/view.h"

#include "stubs/pool_metrics_arginfo.h"

using namespace stampede;

namespace {

// Classes without a name have their file behind a zero byte.
std::string_view name_of(const zend_string* of_class) {
    std::string_view name(ZSTR_VAL(of_class), ZSTR_LEN(of_class));
    return name.substr(0, name.find('\0'));
}

}  // namespace

ZEND_FUNCTION(Stampede_count_pools) {
    zend_string* of_class;
    zend_long places;
    zend_long connections;
    zend_long waiting;
    ZEND_PARSE_PARAMETERS_START(4, 4)
        Z_PARAM_STR(of_class)
        Z_PARAM_LONG(places)
        Z_PARAM_LONG(connections)
        Z_PARAM_LONG(waiting)
    ZEND_PARSE_PARAMETERS_END();
    metrics::change_pools(name_of(of_class), {places, connections, waiting});
}

ZEND_FUNCTION(Stampede_count_pool_wait) {
    zend_string* of_class;
    double seconds;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(of_class)
        Z_PARAM_DOUBLE(seconds)
    ZEND_PARSE_PARAMETERS_END();
    metrics::count_pool_wait(name_of(of_class), static_cast<Nanos>(seconds * kSecond));
}

namespace stampede::ext {

zend_result pool_metrics_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
