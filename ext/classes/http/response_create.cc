// Swoole\Http\Response::create(): a response for a request that is waiting, or on a socket.
#include "classes/http/request.h"
#include "classes/http/response.h"
#include "classes/http/response_carrier.h"
#include "ext/server/worker.h"
#include "classes/socket/socket.h"
#include "error_numbers.h"
#include "server/exchange.h"
#include "server/service.h"
#include "zend/last_error.h"
#include "zend/throw.h"

using namespace stampede;
using namespace stampede::classes;

namespace {

bool is_a(const zval* value, const zend_class_entry* ce) {
    return Z_TYPE_P(value) == IS_OBJECT && instanceof_function(Z_OBJCE_P(value), ce);
}

// [server or socket, request]: false, with a warning, when it is something else.
bool take_pair(zval** pair, RequestObject*& request) {
    HashTable* list = Z_ARRVAL_P(*pair);
    zval* of = zend_hash_index_find_deref(list, 0);
    zval* second = zend_hash_index_find_deref(list, 1);
    if (of == nullptr || Z_TYPE_P(of) != IS_OBJECT || second == nullptr ||
        !is_a(second, request_class)) {
        zend::warning(
            "an array has to hold a server or a Swoole\\Coroutine\\Socket and a "
            "Swoole\\Http\\Request");
        return false;
    }
    *pair = of;
    request = request_of(Z_OBJ_P(second));
    return true;
}

// Null when it has its response, or no connection.
server::Exchange* open_exchange_of(const RequestObject& request) {
    server::Exchange* exchange = request.exchange;
    bool open = exchange != nullptr && exchange->connection() != nullptr &&
                exchange->response() != server::ResponseState::kEnded;
    return open ? exchange : nullptr;
}

}  // namespace

ZEND_METHOD(Swoole_Http_Response, create) {
    zval* of = nullptr;
    zend_long fd = -1;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_ZVAL(of)
        Z_PARAM_LONG(fd)
    ZEND_PARSE_PARAMETERS_END();

    RequestObject* request = nullptr;
    if (of != nullptr && Z_TYPE_P(of) == IS_ARRAY && !take_pair(&of, request)) {
        RETURN_FALSE;
    }
    if (of != nullptr && is_a(of, coroutine_socket_class)) {
        zend_object* made = make_socket_response(Z_OBJ_P(of), request);
        if (made == nullptr) {
            RETURN_FALSE;
        }
        RETURN_OBJ(made);
    }
    if (of != nullptr && Z_TYPE_P(of) == IS_LONG) {
        fd = Z_LVAL_P(of);
    }
    server::Exchange* exchange = request != nullptr && request->exchange != nullptr
                                     ? open_exchange_of(*request)
                                     : open_exchange_of(fd, {0, 0, named_stream(request)});
    if (exchange != nullptr && exchange->service().requests().is_claimed(*exchange)) {
        exchange = nullptr;  // another process has its response
    }
    if (exchange == nullptr && (request == nullptr || request->exchange == nullptr)) {
        zend_object* made = make_killed_response(fd);
        if (made == nullptr) {
            made = make_connection_response(fd, request);
        }
        if (made != nullptr) {
            RETURN_OBJ(made);
        }
    }
    if (exchange == nullptr) {
        zend::set_last_error(api_error::kSessionClosed);
        if (request != nullptr) {
            zend::warning("the request waits for no response of this worker");
        } else {
            zend::warning("connection#" ZEND_LONG_FMT
                          " has no request, or no single one, that waits for a response",
                          fd);
        }
        RETURN_FALSE;
    }
    exchange->set_detached(false);
    RETURN_OBJ(make_response(*exchange));
}
