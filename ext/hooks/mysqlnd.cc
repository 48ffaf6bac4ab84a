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

int descriptor_of(const MYSQLND_CONN_DATA& connection) {
    const MYSQLND_VIO* vio = connection.vio;
    php_stream* stream = vio != nullptr && vio->data != nullptr ? vio->data->stream : nullptr;
    int fd = -1;
    if (stream == nullptr ||
        php_stream_cast(stream, PHP_STREAM_AS_FD_FOR_SELECT | PHP_STREAM_CAST_INTERNAL,
                        reinterpret_cast<void**>(&fd), 0) != SUCCESS) {
        return -1;
    }
    return fd;
}

namespace {

using Methods = MYSQLND_CLASS_METHODS_TYPE(mysqlnd_protocol_payload_decoder_factory);

decltype(Methods::send_command) send_command;  // of mysqlnd; null while ours is not there

// What the end of an object sends is no use of the connection.
bool is_end(php_mysqlnd_server_command command) {
    return command == COM_STMT_CLOSE || command == COM_QUIT;
}

void refuse_second_user(const MYSQLND_CONN_DATA* connection, php_mysqlnd_server_command command) {
    if (EXPECTED(connection->state.state == CONN_READY) || is_end(command)) {
        return;
    }
    int fd = descriptor_of(*connection);
    if (fd >= 0) {
        may_write(fd);  // throws; mysqlnd fails by itself
    }
}

template <typename Method>
struct InFront;
template <typename... Rest>
struct InFront<enum_func_status (*)(MYSQLND_PROTOCOL_PAYLOAD_DECODER_FACTORY*,
                                    php_mysqlnd_server_command, Rest...)> {
    static enum_func_status send(MYSQLND_PROTOCOL_PAYLOAD_DECODER_FACTORY* factory,
                                 php_mysqlnd_server_command command, Rest... rest) {
        refuse_second_user(factory->conn, command);
        return send_command(factory, command, rest...);
    }
};

constexpr auto send_in_front = &InFront<decltype(Methods::send_command)>::send;

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
        those->send_command = send_in_front;
    }
}

void leave_mysqlnd() {
    Methods* those = send_command != nullptr ? methods() : nullptr;
    if (those != nullptr && those->send_command == send_in_front) {
        those->send_command = send_command;
    }
    send_command = nullptr;
}

#else

void name_users_of_mysqlnd() {}
void leave_mysqlnd() {}

#endif

}  // namespace stampede::hooks
