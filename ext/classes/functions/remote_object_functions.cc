// The functions of the default server of remote objects: they are written in PHP
// (ext/library/remote_object). PHP thread; they park where what they call does.
#include "subsystems.h"
#include "zend/forward.h"

#include "stubs/remote_object_functions_arginfo.h"

namespace {

constexpr std::string_view kServer = "Stampede\\Library\\RemoteObject\\DefaultServer";

}  // namespace

ZEND_FUNCTION(swoole_get_default_remote_object_client) {
    stampede::zend::forward_to_method(INTERNAL_FUNCTION_PARAM_PASSTHRU, kServer, "client");
}

ZEND_FUNCTION(swoole_get_default_remote_object_server_dir) {
    stampede::zend::forward_to_method(INTERNAL_FUNCTION_PARAM_PASSTHRU, kServer, "dir");
}

ZEND_FUNCTION(swoole_init_default_remote_object_server) {
    stampede::zend::forward_to_method(INTERNAL_FUNCTION_PARAM_PASSTHRU, kServer, "init");
}

namespace stampede::ext {

zend_result remote_object_functions_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
