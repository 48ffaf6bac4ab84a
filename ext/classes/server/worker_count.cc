// Stampede\set_workers(): any process of a server asks its supervisor.
#include "ext/server/worker_count.h"

#include "subsystems.h"
#include "zend/throw.h"

#include "stubs/worker_count_arginfo.h"

using namespace stampede;
using namespace stampede::classes;

ZEND_FUNCTION(Stampede_set_workers) {
    zend_long number;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(number)
    ZEND_PARSE_PARAMETERS_END();

    ServerState* state = running_server();
    if (state == nullptr || !state->started) {
        zend::warning("server is not running");
        RETURN_FALSE;
    }
    std::string error = request_worker_count(*state, number);
    if (!error.empty()) {
        zend::warning("%s", error.c_str());
        RETURN_FALSE;
    }
    RETURN_TRUE;
}

namespace stampede::ext {

zend_result worker_count_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
