// Swoole\Server: what is sent to connections and datagram peers, and what else is done with a
// connection.
#include "ext/server/sending.h"

#include "classes/server/server_object.h"
#include "error_numbers.h"
#include "ext/server/prompt_sending.h"
#include "zend/last_error.h"
#include "zend/throw.h"

using namespace stampede;
using namespace stampede::classes;

namespace {

ServerState& this_state(zval* self) { return *server_of(Z_OBJ_P(self))->state; }

}  // namespace

ZEND_METHOD(Swoole_Server, send) {
    zend_string* name = nullptr;
    zend_long fd = 0;
    zend_string* data;
    zend_long socket = -1;
    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_STR_OR_LONG(name, fd)
        Z_PARAM_STR(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(socket)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = this_state(ZEND_THIS);
    if (!may_use_connections(state) || !has_payload(data)) {
        RETURN_FALSE;
    }
    if (name != nullptr && ZSTR_LEN(name) > 0 && ZSTR_VAL(name)[0] == '/') {
        RETURN_BOOL(send_to_path(state, name, data, socket));
    }
    fd = name != nullptr ? ZEND_STRTOL(ZSTR_VAL(name), nullptr, 10) : fd;
    bool sent = send_to_connection(state, fd, data);
    send_promptly(execute_data);
    RETURN_BOOL(sent);
}

ZEND_METHOD(Swoole_Server, sendto) {
    zend_string* host;
    zend_long number;
    zend_string* data;
    zend_long socket = -1;
    ZEND_PARSE_PARAMETERS_START(3, 4)
        Z_PARAM_STR(host)
        Z_PARAM_LONG(number)
        Z_PARAM_STR(data)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(socket)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = this_state(ZEND_THIS);
    if (!state.started) {
        zend::warning("server is not running");
        RETURN_FALSE;
    }
    if (!has_payload(data)) {
        RETURN_FALSE;
    }
    bool path = ZSTR_LEN(host) > 0 && ZSTR_VAL(host)[0] == '/';
    RETURN_BOOL(path ? send_to_path(state, host, data, socket)
                     : send_to_host(state, host, number, data, socket));
}

ZEND_METHOD(Swoole_Server, sendwait) {
    zend_long fd;
    zend_string* data;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_LONG(fd)
        Z_PARAM_STR(data)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = this_state(ZEND_THIS);
    if (!may_use_connections(state) || !has_payload(data)) {
        RETURN_FALSE;
    }
    if (!is_own_connection(fd)) {
        zend::set_last_error(api_error::kSessionNotExist);
        RETURN_FALSE;
    }
    RETURN_BOOL(send_to_connection(state, fd, data) && wait_until_sent(state, fd));
}

ZEND_METHOD(Swoole_Server, sendfile) {
    zend_long fd;
    zend_string* path;
    zend_long offset = 0;
    zend_long length = 0;
    ZEND_PARSE_PARAMETERS_START(2, 4)
        Z_PARAM_LONG(fd)
        Z_PARAM_PATH_STR(path)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(offset)
        Z_PARAM_LONG(length)
    ZEND_PARSE_PARAMETERS_END();

    ServerState& state = this_state(ZEND_THIS);
    if (!may_use_connections(state)) {
        RETURN_FALSE;
    }
    if (offset < 0 || length < 0) {
        zend::warning("offset and length must not be negative");
        RETURN_FALSE;
    }
    bool sent = send_file_to(state, fd, path,
                             {static_cast<uint64_t>(offset), static_cast<uint64_t>(length)});
    send_promptly(execute_data);
    RETURN_BOOL(sent);
}

ZEND_METHOD(Swoole_Server, pause) {
    zend_long fd;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(fd)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_BOOL(act_on_connection(this_state(ZEND_THIS), fd, Action::kPause));
}

ZEND_METHOD(Swoole_Server, resume) {
    zend_long fd;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(fd)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_BOOL(act_on_connection(this_state(ZEND_THIS), fd, Action::kResume));
}

ZEND_METHOD(Swoole_Server, protect) {
    zend_long fd;
    bool guarded = true;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_LONG(fd)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(guarded)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_BOOL(act_on_connection(this_state(ZEND_THIS), fd,
                                  guarded ? Action::kProtect : Action::kUnprotect));
}

ZEND_METHOD(Swoole_Server, bind) {
    zend_long fd;
    zend_long uid;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_LONG(fd)
        Z_PARAM_LONG(uid)
    ZEND_PARSE_PARAMETERS_END();

    if (uid < 1 || uid > UINT32_MAX) {
        zend::warning("uid can not be greater than %u or less than 1", UINT32_MAX);
        RETURN_FALSE;
    }
    RETURN_BOOL(
        act_on_connection(this_state(ZEND_THIS), fd, Action::kBind, static_cast<uint32_t>(uid)));
}

ZEND_METHOD(Swoole_Server, heartbeat) {
    bool close = true;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(close)
    ZEND_PARSE_PARAMETERS_END();

    std::vector<zend_long> silent;
    if (!find_silent(this_state(ZEND_THIS), close ? Silent::kClose : Silent::kFind, silent)) {
        RETURN_FALSE;
    }
    array_init(return_value);
    for (zend_long fd : silent) {
        add_next_index_long(return_value, fd);
    }
}

ZEND_METHOD(Swoole_Server, getSocket) {
    zend_long number = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(number)
    ZEND_PARSE_PARAMETERS_END();

    for (const auto& port : this_state(ZEND_THIS).ports) {
        if (number == 0 || port->port == number) {
            show_socket(*port, return_value);
            return;
        }
    }
    zend::warning("the server has no port " ZEND_LONG_FMT, number);
    RETURN_FALSE;
}
