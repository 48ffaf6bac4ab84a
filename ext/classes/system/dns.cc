// System's questions to the name service, and their options.
#include <netdb.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "classes/system/system.h"
#include "error_numbers.h"
#include "io/resolver.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/throw.h"
#include "zend/object_guards.h"

#include "stubs/system_arginfo.h"
#define ext_functions system_functions
#include "stubs/system_functions_arginfo.h"
#undef ext_functions

namespace stampede::classes::system {

using runtime::Runtime;

namespace {

constexpr double kUsualTimeout = 60;

bool draw_at_random = false;

struct Question {
    zend_string* name;
    zend_long family;
    double timeout;
};

// False after the warning or exception that belongs to it.
bool may_ask(const Question& question) {
    if (ZSTR_LEN(question.name) == 0) {
        zend::warning("domain name is empty");
        failed(api_error::kDnsResolveFailed);
        return false;
    }
    if (question.family != AF_INET && question.family != AF_INET6 && question.family != AF_UNSPEC) {
        zend::warning("unknown protocol family, must be AF_INET or AF_INET6");
        failed(EAFNOSUPPORT);
        return false;
    }
    return may_wait();
}

double time_for(double given) {
    if (given > 0) {
        return given;
    }
    zval* option = find_coroutine_option("socket_dns_timeout");
    return option != nullptr ? zval_get_double(option) : kUsualTimeout;
}

bool ask(const Question& question, io::AddressList& found) {
    int error = io::resolve({ZSTR_VAL(question.name), ZSTR_LEN(question.name)},
                            static_cast<int>(question.family),
                            deadline_of(time_for(question.timeout)), found);
    if (error != 0) {
        failed(error);
    }
    return error == 0;
}

zend_string* text_of(const os::Address& address) {
    char text[128];
    size_t length = address.format_host(text);
    return zend_string_init(text, length, false);
}

void one_address(const Question& question, bool any, zval* return_value) {
    io::AddressList found;
    if (!may_ask(question) || !ask(question, found)) {
        RETURN_FALSE;
    }
    int which = any ? std::rand() % found.count : 0;
    RETURN_STR(text_of(found.items[which]));
}

// A number, or a name that the system knows.
bool is_service(const char* name) {
    char* end = nullptr;
    long port = std::strtol(name, &end, 10);
    if (end != name && *end == '\0') {
        return port >= 0 && port <= 65535;
    }
    return getservbyname(name, nullptr) != nullptr;
}

}  // namespace

bool may_wait() {
    if (require_coroutine() == nullptr) {
        return false;
    }
    return Runtime::get().can_park();
}

void apply_dns_options(zend_array* options) {
    net::ResolverOptions wanted = io::resolver_options();
    bool changed = false;
    if (zval* servers = zend_hash_str_find(options, ZEND_STRL("dns_server"))) {
        zend_string* text = zval_get_string(servers);
        wanted.channel.servers.assign(ZSTR_VAL(text), ZSTR_LEN(text));
        zend_string_release(text);
        changed = true;
    }
    if (zval* seconds = zend_hash_str_find(options, ZEND_STRL("dns_cache_expire"))) {
        wanted.cache_limit = timeout_of(zval_get_double(seconds));
        changed = true;
    } else if (zval* old = zend_hash_str_find(options, ZEND_STRL("dns_cache_refresh_time"))) {
        wanted.cache_limit = timeout_of(zval_get_double(old));
        changed = true;
    }
    if (zval* names = zend_hash_str_find(options, ZEND_STRL("dns_cache_capacity"))) {
        wanted.cache_capacity = static_cast<size_t>(MAX(zval_get_long(names), 0));
        changed = true;
    }
    if (zval* random = zend_hash_str_find(options, ZEND_STRL("dns_lookup_random"))) {
        draw_at_random = zend_is_true(random);
    }
    if (changed && !io::set_resolver_options(wanted)) {
        zend::warning(
            "dns_server \"%s\" is no list of addresses: write 10.0.0.1 or 10.0.0.1:53, "
            "several with commas",
            wanted.channel.servers.c_str());
    }
}

}  // namespace stampede::classes::system

using namespace stampede;
using namespace stampede::classes::system;

ZEND_METHOD(Swoole_Coroutine_System, gethostbyname) {
    Question question{nullptr, AF_INET, -1};
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_STR(question.name)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(question.family)
        Z_PARAM_DOUBLE(question.timeout)
    ZEND_PARSE_PARAMETERS_END();
    one_address(question, /* any */ false, return_value);
}

ZEND_METHOD(Swoole_Coroutine_System, dnsLookup) {
    Question question{nullptr, AF_INET, kUsualTimeout};
    ZEND_PARSE_PARAMETERS_START(1, 3)
        Z_PARAM_STR(question.name)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(question.timeout)
        Z_PARAM_LONG(question.family)
    ZEND_PARSE_PARAMETERS_END();
    one_address(question, draw_at_random, return_value);
}

ZEND_FUNCTION(swoole_async_dns_lookup_coro) {
    ZEND_MN(Swoole_Coroutine_System_dnsLookup)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

ZEND_METHOD(Swoole_Coroutine_System, getaddrinfo) {
    Question question{nullptr, AF_INET, -1};
    zend_long socktype = SOCK_STREAM, protocol = IPPROTO_TCP;
    char* service = nullptr;
    size_t service_length = 0;
    ZEND_PARSE_PARAMETERS_START(1, 6)
        Z_PARAM_STR(question.name)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(question.family)
        Z_PARAM_LONG(socktype)
        Z_PARAM_LONG(protocol)
        Z_PARAM_STRING_OR_NULL(service, service_length)
        Z_PARAM_DOUBLE(question.timeout)
    ZEND_PARSE_PARAMETERS_END();
    io::AddressList found;
    if (!may_ask(question)) {
        RETURN_FALSE;
    }
    if (service_length > 0 && !is_service(service)) {
        failed(api_error::kDnsResolveFailed);
        RETURN_FALSE;
    }
    if (!ask(question, found)) {
        RETURN_FALSE;
    }
    array_init_size(return_value, static_cast<uint32_t>(found.count));
    for (int i = 0; i < found.count; i++) {
        add_next_index_str(return_value, text_of(found.items[i]));
    }
}

ZEND_FUNCTION(swoole_clear_dns_cache) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    io::clear_dns_cache();
}

namespace stampede::ext {

zend_result system_minit(int, int) {
    zend_class_entry* ce = register_class_Swoole_Coroutine_System();
    zend::refuse_new(ce);
    zend::alias_short_name(ce, "Co\\System");
    return zend_register_functions(nullptr, system_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
