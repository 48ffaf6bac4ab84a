// PDO::ATTR_PERSISTENT, pg_connect(), pfsockopen() and STREAM_CLIENT_PERSISTENT in coroutines. They
// return the same connection for the same arguments: in a script of one thread that is the
// connection of an earlier call or request, here it may be the one on which another coroutine waits
// for a response. PDO would even free it when its check whether it is alive fails. So a coroutine
// gets a connection that no other coroutine uses. PHP thread.
#include <cstring>
#include <set>
#include <string>

#include "hooks/hooks.h"
#include "runtime/runtime.h"
#include "zend/persistent.h"
#include "zend/php.h"
#include "zend/wrapped_function.h"

#if __has_include("ext/pdo/php_pdo_driver.h")
#define STAMPEDE_KNOWS_PDO 1
extern "C" {
#include "ext/pdo/php_pdo_driver.h"
}
#endif

namespace stampede::hooks {

namespace {

bool in_coroutine() {
    runtime::Runtime* runtime = runtime::Runtime::peek();
    return runtime != nullptr && runtime->current() != nullptr && flags() != 0;
}

zval* argument_of(zend_execute_data* execute_data, uint32_t number) {
    if (ZEND_NUM_ARGS() < number) {
        return nullptr;
    }
    zval* argument = ZEND_CALL_ARG(execute_data, number);
    ZVAL_DEREF(argument);
    return argument;
}

// ---- PDO

#ifdef STAMPEDE_KNOWS_PDO

// Names under which PDO keeps the connections that are being made or looked at.
std::set<std::string>& names_in_use() {
    static auto* names = new std::set<std::string>();
    return *names;
}

std::string text_of(const zval* value) {
    return value != nullptr && Z_TYPE_P(value) == IS_STRING
               ? std::string(Z_STRVAL_P(value), Z_STRLEN_P(value))
               : std::string();
}

// PDO's own persistent list holds one reference, each object another.
bool is_lent(const std::string& name) {
    auto* kept = static_cast<const pdo_dbh_t*>(zend::find_persistent(name));
    return names_in_use().contains(name) || (kept != nullptr && kept->refcount > 1);
}

// What the script has named the connection; PDO takes numbers for yes and no.
bool is_name(const zval* value) {
    return Z_TYPE_P(value) == IS_STRING && Z_STRLEN_P(value) > 0 &&
           is_numeric_string(Z_STRVAL_P(value), Z_STRLEN_P(value), nullptr, nullptr, false) == 0;
}

// The script's array may be shared: the call gets one of its own.
void rename(zval* options, const std::string& name) {
    zend_array* own = zend_array_dup(Z_ARRVAL_P(options));
    zval value;
    ZVAL_STRINGL(&value, name.data(), name.size());
    zend_hash_index_update(own, PDO_ATTR_PERSISTENT, &value);
    zval_ptr_dtor(options);
    ZVAL_ARR(options, own);
}

// The first connection has the name that PDO gives it, so that one of the script's top level is
// used again. The others are numbered: as many as were in use at once.
void construct(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    zval* options = argument_of(execute_data, 4);
    zval* wanted = options != nullptr && Z_TYPE_P(options) == IS_ARRAY && in_coroutine()
                       ? zend_hash_index_find(Z_ARRVAL_P(options), PDO_ATTR_PERSISTENT)
                       : nullptr;
    if (wanted != nullptr) {
        ZVAL_DEREF(wanted);
    }
    if (wanted == nullptr || (!is_name(wanted) && zval_get_long(wanted) == 0)) {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    std::string given = is_name(wanted) ? text_of(wanted) : std::string();
    std::string start = "PDO:DBH:DSN=" + text_of(argument_of(execute_data, 1)) + ":" +
                        text_of(argument_of(execute_data, 2)) + ":" +
                        text_of(argument_of(execute_data, 3));
    std::string own = given;
    std::string name = given.empty() ? start : start + ":" + given;
    for (int number = 2; is_lent(name); number++) {
        own = given + " #" + std::to_string(number);
        name = start + ":" + own;
    }
    if (own != given) {
        rename(options, own);
    }
    names_in_use().insert(name);
    usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    names_in_use().erase(name);
}

// In all classes: those of drivers that extend PDO have copies.
void guard_pdo() {
    using Construct = zend::WrappedFunction<construct, 0>;
    using Connect = zend::WrappedFunction<construct, 1>;  // where there is such a method
    Construct::wrap(zend::methods_of("pdo"), "__construct");
    Connect::wrap(zend::methods_of("pdo"), "connect");
    zval* each;
    ZEND_HASH_FOREACH_VAL(CG(class_table), each) {
        HashTable* methods = &static_cast<zend_class_entry*>(Z_PTR_P(each))->function_table;
        Construct::wrap_copy(methods, "__construct");
        Connect::wrap_copy(methods, "connect");
    }
    ZEND_HASH_FOREACH_END();
}

#else

void guard_pdo() {}

#endif

// ---- pgsql

// PGSQL_CONNECT_FORCE_NEW, as if the script had given it. A call with fewer arguments has no place
// for it in its frame: it is made anew.
void connect_anew(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    constexpr zend_long kForceNew = 2;
    zval* wanted = argument_of(execute_data, 2);
    zval* words = argument_of(execute_data, 1);
    bool is_usual = words != nullptr && Z_TYPE_P(words) == IS_STRING && ZEND_NUM_ARGS() <= 2 &&
                    (wanted == nullptr || Z_TYPE_P(wanted) == IS_LONG);
    bool is_new =
        wanted != nullptr && Z_TYPE_P(wanted) == IS_LONG && (Z_LVAL_P(wanted) & kForceNew) != 0;
    if (!is_usual || is_new || !in_coroutine()) {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    if (wanted != nullptr) {
        ZVAL_LONG(wanted, Z_LVAL_P(wanted) | kForceNew);
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    zval arguments[2];
    ZVAL_COPY_VALUE(&arguments[0], words);  // held by this call
    ZVAL_LONG(&arguments[1], kForceNew);
    zend_call_known_function(EX(func), nullptr, nullptr, return_value, 2, arguments, nullptr);
}

// A persistent one belongs to the process, and one that its coroutine leaves may be in the middle
// of a transaction: a coroutine gets an ordinary one.
void connect_for_coroutine(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    if (in_coroutine()) {
        zend::WrappedFunction<connect_anew>::call(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    } else {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    }
}

void guard_pgsql() {
    if (zend::internal_function(CG(function_table), "pg_connect") != nullptr) {
        zend::WrappedFunction<connect_anew>::wrap("pg_connect");
        zend::WrappedFunction<connect_for_coroutine>::wrap("pg_pconnect");
    }
}

// ---- streams

// A persistent stream has nothing that says whether somebody is in the middle of a message on it: a
// coroutine gets an ordinary one, which is closed with its last variable.
void open_socket(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    zend_internal_function* ordinary =
        in_coroutine() ? zend::internal_function(CG(function_table), "fsockopen") : nullptr;
    (ordinary != nullptr ? ordinary->handler : usual)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void connect_stream(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    constexpr zend_long kPersistent = 1;  // STREAM_CLIENT_PERSISTENT
    zval* flags = in_coroutine() ? argument_of(execute_data, 5) : nullptr;
    if (flags != nullptr && Z_TYPE_P(flags) == IS_LONG) {
        ZVAL_LONG(flags, Z_LVAL_P(flags) & ~kPersistent);
    }
    usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void guard_streams() {
    zend::WrappedFunction<open_socket>::wrap("pfsockopen");
    zend::WrappedFunction<connect_stream>::wrap("stream_socket_client");
}

}  // namespace

void guard_shared_connections() {
    guard_pdo();
    guard_pgsql();
    guard_streams();
}

}  // namespace stampede::hooks
