#include "hooks/mysqlnd.h"

#include <dlfcn.h>

#include "hooks/connection_use.h"
#include "zend/php.h"

#if __has_include("ext/mysqlnd/mysqlnd_ext_plugin.h")
#define STAMPEDE_KNOWS_MYSQLND 1
extern "C" {
#include "ext/mysqlnd/mysqlnd.h"
#include "ext/mysqlnd/mysqlnd_ext_plugin.h"
}
#endif

namespace stampede::hooks {

#ifdef STAMPEDE_KNOWS_MYSQLND

namespace {

using Methods = MYSQLND_CLASS_METHODS_TYPE(mysqlnd_protocol_payload_decoder_factory);

decltype(Methods::send_command) send_command;  // of mysqlnd; null while ours is not there

int descriptor_of(const MYSQLND_CONN_DATA* connection) {
    const MYSQLND_VIO* vio = connection != nullptr ? connection->vio : nullptr;
    php_stream* stream = vio != nullptr && vio->data != nullptr ? vio->data->stream : nullptr;
    int fd = -1;
    if (stream == nullptr ||
        php_stream_cast(stream, PHP_STREAM_AS_FD_FOR_SELECT | PHP_STREAM_CAST_INTERNAL,
                        reinterpret_cast<void**>(&fd), 0) != SUCCESS) {
        return -1;
    }
    return fd;
}

// What the end of an object sends is no use of the connection.
bool is_end(php_mysqlnd_server_command command) {
    return command == COM_STMT_CLOSE || command == COM_QUIT;
}

enum_func_status send_command_of_one(MYSQLND_PROTOCOL_PAYLOAD_DECODER_FACTORY* factory,
                                     const php_mysqlnd_server_command command,
                                     const zend_uchar* const argument, const size_t size,
                                     const bool silent, MYSQLND_CONNECTION_STATE* state,
                                     MYSQLND_ERROR_INFO* error, MYSQLND_UPSERT_STATUS* status,
                                     MYSQLND_STATS* stats,
                                     func_mysqlnd_conn_data__send_close send_close, void* closed) {
    if (UNEXPECTED(state->state != CONN_READY) && !is_end(command)) {
        int fd = descriptor_of(factory->conn);
        if (fd >= 0) {
            may_write(fd);  // throws; mysqlnd fails by itself
        }
    }
    return send_command(factory, command, argument, size, silent, state, error, status, stats,
                        send_close, closed);
}

// Not a symbol to be linked with: PHP may come without mysqlnd.
Methods* methods() {
    auto* access = static_cast<st_mysqlnd_plugin_methods_xetters*>(
        ::dlsym(RTLD_DEFAULT, "mysqlnd_plugin_methods_xetters"));
    return access != nullptr ? access->protocol.get() : nullptr;
}

}  // namespace

void name_users_of_mysqlnd() {
    Methods* those = send_command == nullptr ? methods() : nullptr;
    if (those != nullptr) {
        send_command = those->send_command;
        those->send_command = send_command_of_one;
    }
}

void leave_mysqlnd() {
    Methods* those = send_command != nullptr ? methods() : nullptr;
    if (those != nullptr && those->send_command == send_command_of_one) {
        those->send_command = send_command;
    }
    send_command = nullptr;
}

#else

void name_users_of_mysqlnd() {}
void leave_mysqlnd() {}

#endif

}  // namespace stampede::hooks
