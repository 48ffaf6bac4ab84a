#include "ext/server/redis.h"

#include <string>

#include "ext/server/connection_actions.h"
#include "ext/server/peers.h"
#include "ext/server/worker.h"
#include "proto/frame/redis.h"
#include "server/service.h"
#include "zend/throw.h"
#include "zend/view.h"

namespace stampede::classes {

namespace {

using zend::view;

void send_text(zend_long fd, std::string_view text) {
    zend_string* data = zend_string_init(text.data(), text.size(), false);
    zval value;
    ZVAL_STR(&value, data);
    send_redis_response(fd, &value);
    zend_string_release(data);
}

}  // namespace

std::string shown_redis_text(std::string_view command) {
    std::string text(command.substr(0, kLongestRedisCommand));
    for (char& c : text) {
        c = static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
    return text;
}

std::string redis_command_name(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        c = static_cast<char>(zend_tolower_ascii(c));
    }
    return out;
}

zend::Callable* redis_function(ServerState& state, std::string_view command) {
    auto found =
        state.redis_functions.find(redis_command_name(command.substr(0, kLongestRedisCommand)));
    return found != state.redis_functions.end() ? found->second.get() : nullptr;
}

zend::Callable* fill_redis_call(zend_long fd, const zend_string* request,
                                EventArguments& arguments) {
    proto::frame::RedisArguments strings(view(request));
    if (strings.count() == 0) {
        return nullptr;
    }
    std::string_view command = strings.next();
    zend::Callable* function = redis_function(*running_server(), command);
    if (function == nullptr) {
        send_text(fd, "-ERR unknown command '" + shown_redis_text(command) + "'\r\n");
        return nullptr;
    }
    arguments.add_long(fd);
    zval* list = arguments.next();
    array_init(list);
    for (size_t i = 1; i < strings.count(); i++) {
        std::string_view string = strings.next();
        add_next_index_stringl(list, string.data(), string.size());
    }
    return function;
}

void send_redis_response(zend_long fd, zval* value) {
    if (Z_TYPE_P(value) != IS_STRING || Z_STRLEN_P(value) == 0) {
        return;
    }
    server::Service* service = worker_service();
    net::Connection* connection = service != nullptr ? service->connections().find(fd) : nullptr;
    if (connection != nullptr && !connection->closing()) {
        send_here(*connection, Z_STR_P(value));
    } else if (connection == nullptr) {
        (void)act_elsewhere(fd, Action::kSend, 0, {Z_STRVAL_P(value), Z_STRLEN_P(value)});
    }
}

}  // namespace stampede::classes
