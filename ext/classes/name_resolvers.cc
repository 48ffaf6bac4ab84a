#include "classes/name_resolvers.h"

#include <charconv>

#include "error_numbers.h"
#include "io/resolver.h"
#include "stubs/name_resolver_functions_arginfo.h"
#include "subsystems.h"
#include "zend/forward.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

constexpr std::string_view kRegistry = "Stampede\\Library\\NameResolvers";

// A static method of the registry; with an exception pending the result is undefined.
zval call_registry(const char* method, zval* argument) {
    zval result;
    ZVAL_UNDEF(&result);
    zend_string* name = zend_string_init(kRegistry.data(), kRegistry.size(), 0);
    if (zend_class_entry* ce = zend_lookup_class(name)) {
        zend_call_method(nullptr, ce, nullptr, method, strlen(method), &result, 1, argument,
                         nullptr);
    }
    zend_string_release(name);
    return result;
}

// "host:port", with brackets around an IPv6 address.
bool add_node(zval* value, int family, io::AddressList& out) {
    ZVAL_DEREF(value);
    if (Z_TYPE_P(value) != IS_STRING || out.count == io::AddressList::kMost) {
        return false;
    }
    std::string_view node(Z_STRVAL_P(value), Z_STRLEN_P(value));
    size_t colon = node.rfind(':');
    io::AddressList one;
    uint16_t port = 0;
    if (colon == std::string_view::npos ||
        std::from_chars(node.data() + colon + 1, node.data() + node.size(), port).ec !=
            std::errc() ||
        !io::resolve_numeric(node.substr(0, colon), family, one)) {
        return false;
    }
    io::set_port(one.items[0], port);
    out.items[out.count++] = one.items[0];
    return true;
}

int ask_resolvers(std::string_view host, int family, io::AddressList& out) {
    zval name;
    ZVAL_STRINGL(&name, host.data(), host.size());
    zval nodes = call_registry("nodes", &name);
    zval_ptr_dtor(&name);
    int error = io::kAskNameServers;
    if (zend::exception_pending()) {
        error = api_error::kDnsResolveFailed;
    } else if (Z_TYPE(nodes) == IS_ARRAY) {
        out.count = 0;
        out.has_ports = true;
        zval* node;
        ZEND_HASH_FOREACH_VAL(Z_ARRVAL(nodes), node) { add_node(node, family, out); }
        ZEND_HASH_FOREACH_END();
        error = out.count > 0 ? 0 : api_error::kDnsResolveFailed;
    }
    zval_ptr_dtor(&nodes);
    return error;
}

}  // namespace

void use_name_resolvers(zval* resolvers) {
    ZVAL_DEREF(resolvers);
    if (Z_TYPE_P(resolvers) == IS_ARRAY) {
        zval nothing = call_registry("use", resolvers);
        zval_ptr_dtor(&nothing);
        io::set_name_source(ask_resolvers);
    }
}

}  // namespace stampede::classes

ZEND_FUNCTION(swoole_name_resolver_add) {
    stampede::zend::forward_to_method(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                                      stampede::classes::kRegistry, "add");
    stampede::io::set_name_source(stampede::classes::ask_resolvers);
}

ZEND_FUNCTION(swoole_name_resolver_remove) {
    stampede::zend::forward_to_method(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                                      stampede::classes::kRegistry, "remove");
}

ZEND_FUNCTION(swoole_name_resolver_lookup) {
    stampede::zend::forward_to_method(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                                      stampede::classes::kRegistry, "lookup");
}

namespace stampede::ext {

zend_result name_resolvers_minit(int, int) {
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

zend_result name_resolvers_rshutdown(int, int) {
    io::set_name_source(nullptr);
    return SUCCESS;
}

}  // namespace stampede::ext
