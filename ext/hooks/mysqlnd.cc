#include "hooks/mysqlnd.h"

#include <dlfcn.h>

#include <array>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "hooks/connection_use.h"
#include "hooks/object_end.h"
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

using Factory = MYSQLND_PROTOCOL_PAYLOAD_DECODER_FACTORY;
using FactoryMethods = MYSQLND_CLASS_METHODS_TYPE(mysqlnd_protocol_payload_decoder_factory);
using ConnectionMethods = MYSQLND_CLASS_METHODS_TYPE(mysqlnd_conn_data);
using StatementMethods = MYSQLND_CLASS_METHODS_TYPE(mysqlnd_stmt);

// mysqlnd has its methods in tables of function pointers that its plugins may change, and every
// connection and statement goes through them. Each connection has a copy of the factory's table,
// made when it is created: only those that come later are reached, which is why ours are there from
// the start of the module. More methods than these four are not touched.
// Of mysqlnd; null while ours are not there.
decltype(FactoryMethods::send_command) send_command;
decltype(ConnectionMethods::more_results) more_results;
decltype(ConnectionMethods::free_contents) free_contents;
decltype(StatementMethods::close_on_server) close_on_server;

// Statements that ended while their connection was in use, by the numbers that the server knows
// them by. The next command on the connection takes them along: the server sends no response to
// COM_STMT_CLOSE. An entry goes with its connection, whose address may be another's later.
using StatementId = std::array<char, 4>;
std::unordered_map<const MYSQLND_CONN_DATA*, std::vector<StatementId>>& ended_statements() {
    static auto* all = new std::unordered_map<const MYSQLND_CONN_DATA*, std::vector<StatementId>>();
    return *all;
}

bool is_waited_for(const MYSQLND_CONN_DATA& connection) {
    int fd = descriptor_of(connection);
    return fd >= 0 && is_used_by_another(fd);
}

// The connection's state alone does not say it: while a statement is being prepared it counts as
// ready.
bool is_busy(const MYSQLND_CONN_DATA& connection) {
    return connection.state.state != CONN_READY || is_waited_for(connection);
}

bool is_open(const MYSQLND_CONN_DATA& connection) {
    return connection.state.state > CONN_ALLOCED && connection.state.state < CONN_QUIT_SENT;
}

// False, with an exception, when another coroutine waits for the response to its command. mysqlnd
// is not asked then: its write would fail, and it would give up a connection that the other
// coroutine uses.
bool may_command(const MYSQLND_CONN_DATA& connection) {
    return !is_waited_for(connection) || may_write(descriptor_of(connection));
}

// Written as a specialization for the type that mysqlnd's header gives the method: its last
// parameters differ between versions of PHP, and are only passed on. A version in which the first
// ones differ does not compile.
template <typename Method>
struct InFront;
template <typename... Rest>
struct InFront<enum_func_status (*)(Factory*, php_mysqlnd_server_command, const unsigned char*,
                                    size_t, Rest...)> {
    static enum_func_status send(Factory* factory, php_mysqlnd_server_command command,
                                 const unsigned char* argument, size_t size, Rest... rest) {
        const MYSQLND_CONN_DATA* connection = factory->conn;
        if (command == COM_STMT_CLOSE && size == sizeof(StatementId) && is_open(*connection) &&
            UNEXPECTED(is_busy(*connection))) {
            StatementId id;
            std::memcpy(id.data(), argument, id.size());
            ended_statements()[connection].push_back(id);
            return PASS;
        }
        if (command != COM_STMT_CLOSE && command != COM_QUIT) {
            if (UNEXPECTED(!may_command(*connection))) {
                return FAIL;
            }
            if (UNEXPECTED(!ended_statements().empty())) {
                close_statements(factory, rest...);
            }
        }
        return send_command(factory, command, argument, size, rest...);
    }

    // The list is taken out first: sending may wait, and what ends meanwhile begins a new one.
    static void close_statements(Factory* factory, Rest... rest) {
        auto found = ended_statements().find(factory->conn);
        if (found == ended_statements().end() || factory->conn->state.state != CONN_READY) {
            return;
        }
        std::vector<StatementId> ids = std::move(found->second);
        ended_statements().erase(found);
        for (const StatementId& id : ids) {
            const auto* argument = reinterpret_cast<const unsigned char*>(id.data());
            if (send_command(factory, COM_STMT_CLOSE, argument, id.size(), rest...) != PASS) {
                return;  // the command that follows reports what is wrong with the connection
            }
        }
    }
};

constexpr auto send_in_front = &InFront<decltype(FactoryMethods::send_command)>::send;

// pdo_mysql's statement reads what it takes for the rest of its own results when it ends. By then
// they may be those of another coroutine, which uses the connection now.
bool more_results_in_front(const MYSQLND_CONN_DATA* const connection) {
    if (UNEXPECTED(is_waited_for(*connection)) && in_end_of_object()) {
        return false;
    }
    return more_results(connection);
}

// mysqlnd sends nothing when a statement ends while the connection is not ready, and the server
// would keep the statement as long as the connection lives. One that the server does not know any
// more is closed without a response, so that a number too many does no harm.
enum_func_status close_on_server_in_front(MYSQLND_STMT* const statement, bool implicit) {
    const MYSQLND_STMT_DATA* data = statement != nullptr ? statement->data : nullptr;
    if (data != nullptr && data->conn != nullptr && data->stmt_id != 0 && is_open(*data->conn) &&
        UNEXPECTED(data->conn->state.state != CONN_READY)) {
        StatementId id;
        for (size_t i = 0; i < id.size(); i++) {
            id[i] = static_cast<char>(data->stmt_id >> (8 * i));
        }
        ended_statements()[data->conn].push_back(id);
    }
    return close_on_server(statement, implicit);
}

// The end of the session: of the object, and before it connects anew, when the numbers may be those
// of other statements.
void free_contents_in_front(MYSQLND_CONN_DATA* connection) {
    ended_statements().erase(connection);
    free_contents(connection);
}

// Not a symbol to be linked with: PHP may come without mysqlnd.
st_mysqlnd_plugin_methods_xetters* access() {
    return static_cast<st_mysqlnd_plugin_methods_xetters*>(
        ::dlsym(RTLD_DEFAULT, "mysqlnd_plugin_methods_xetters"));
}

}  // namespace

void stand_before_mysqlnd() {
    auto* methods = send_command == nullptr ? access() : nullptr;
    if (methods == nullptr) {
        return;
    }
    FactoryMethods* factory = methods->protocol.get();
    send_command = factory->send_command;
    factory->send_command = send_in_front;
    ConnectionMethods* connection = methods->connection_data.get();
    more_results = connection->more_results;
    connection->more_results = more_results_in_front;
    free_contents = connection->free_contents;
    connection->free_contents = free_contents_in_front;
    StatementMethods* statement = methods->statement.get();
    close_on_server = statement->close_on_server;
    statement->close_on_server = close_on_server_in_front;
}

// Each method by itself: a plugin that came later stands in front of ours in its table and goes on
// calling us.
void leave_mysqlnd() {
    auto* methods = send_command != nullptr ? access() : nullptr;
    if (methods != nullptr) {
        FactoryMethods* factory = methods->protocol.get();
        if (factory->send_command == send_in_front) {
            factory->send_command = send_command;
        }
        ConnectionMethods* connection = methods->connection_data.get();
        if (connection->more_results == more_results_in_front) {
            connection->more_results = more_results;
        }
        if (connection->free_contents == free_contents_in_front) {
            connection->free_contents = free_contents;
        }
        StatementMethods* statement = methods->statement.get();
        if (statement->close_on_server == close_on_server_in_front) {
            statement->close_on_server = close_on_server;
        }
    }
    send_command = nullptr;
}

#else

void stand_before_mysqlnd() {}
void leave_mysqlnd() {}

#endif

}  // namespace stampede::hooks
