// Functions of the launcher about logs: what programs print, lines of its own, and what no log
// shows.
#include "os/log.h"
#include "os/output_collector.h"
#include "proto/http/secrets.h"
#include "server/exchange.h"

#include "classes/http/response.h"
#include "subsystems.h"
#include "zend/throw.h"

#include "stubs/logging_arginfo.h"

using namespace stampede;

ZEND_FUNCTION(Stampede_collect_output) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Result<int> former = os::collect_output();
    RETURN_LONG(former ? *former : -1);
}

ZEND_FUNCTION(Stampede_write_log) {
    char* lines;
    size_t size;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STRING(lines, size)
    ZEND_PARSE_PARAMETERS_END();
    os::Log::get().write_lines({lines, size});
}

ZEND_FUNCTION(Stampede_leave_unlogged) {
    zend_object* object;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_OBJ_OF_CLASS(object, classes::response_class)
    ZEND_PARSE_PARAMETERS_END();
    if (server::Exchange* exchange = classes::response_of(object)->exchange) {
        exchange->unlogged = true;
    }
}

ZEND_FUNCTION(Stampede_is_secret_name) {
    char* name;
    size_t size;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STRING(name, size)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_BOOL(proto::http::is_secret_name({name, size}));
}

namespace stampede::ext {

zend_result logging_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
