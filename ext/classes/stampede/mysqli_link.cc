// Stampede\Database\MysqliLink: a look into the connections of mysqli, which the headers of PHP
// describe where it was built with mysqlnd. Reads only.
#include "hooks/mysqlnd.h"
#include "subsystems.h"
#include "zend/php.h"

#if __has_include("ext/mysqli/php_mysqli_structs.h") && __has_include("ext/mysqlnd/mysqlnd.h")
#define STAMPEDE_KNOWS_MYSQLI 1
extern "C" {
#include "ext/mysqlnd/mysqlnd.h"
#include "ext/mysqli/mysqli_mysqlnd.h"
#include "ext/mysqli/php_mysqli_structs.h"
}
#endif

#include "stubs/mysqli_link_arginfo.h"

namespace stampede::classes {

namespace {

#ifdef STAMPEDE_KNOWS_MYSQLI

// Null when it is closed, or was never connected.
MYSQLND_CONN_DATA* data_of(zend_object* object) {
    auto* resource = static_cast<MYSQLI_RESOURCE*>(php_mysqli_fetch_object(object)->ptr);
    if (resource == nullptr || resource->ptr == nullptr || resource->status < MYSQLI_STATUS_VALID) {
        return nullptr;
    }
    MYSQL* handle = static_cast<MY_MYSQL*>(resource->ptr)->mysql;
    return handle != nullptr ? handle->data : nullptr;
}

int descriptor_of(zend_object* object) {
    MYSQLND_CONN_DATA* data = data_of(object);
    return data != nullptr ? hooks::descriptor_of(*data) : -1;
}

int server_status_of(zend_object* object) {
    MYSQLND_CONN_DATA* data = data_of(object);
    return data != nullptr && data->upsert_status != nullptr
               ? static_cast<int>(data->upsert_status->server_status)
               : -1;
}

#else

int descriptor_of(zend_object*) { return -1; }
int server_status_of(zend_object*) { return -1; }

#endif

// A subclass is as good; anything else has another layout.
zend_object* parse_link(INTERNAL_FUNCTION_PARAMETERS) {
    zval* link = nullptr;
    if (zend_parse_parameters(ZEND_NUM_ARGS(), "o", &link) == FAILURE) {
        return nullptr;
    }
    const zend_class_entry* ce = Z_OBJCE_P(link);
    while (ce->parent != nullptr) {
        ce = ce->parent;
    }
    if (!zend_string_equals_literal_ci(ce->name, "mysqli")) {
        zend_argument_type_error(1, "must be of type mysqli, %s given", ZSTR_VAL(ce->name));
        return nullptr;
    }
    return Z_OBJ_P(link);
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede::classes;

ZEND_METHOD(Stampede_Database_MysqliLink, descriptor) {
    zend_object* link = parse_link(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (link != nullptr) {
        RETURN_LONG(descriptor_of(link));
    }
}

ZEND_METHOD(Stampede_Database_MysqliLink, isInside) {
    zend_object* link = parse_link(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (link == nullptr) {
        return;
    }
    int status = server_status_of(link);
    if (status < 0) {
        RETURN_NULL();
    }
    constexpr int kInTransaction = 1;
    RETURN_BOOL((status & kInTransaction) != 0);
}

namespace stampede::ext {

zend_result mysqli_link_minit(int, int) {
    register_class_Stampede_Database_MysqliLink();
    return SUCCESS;
}

}  // namespace stampede::ext
