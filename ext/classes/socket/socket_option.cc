// Options of sockets as ext/sockets takes and returns them: numbers, texts, and arrays for limits
// of time, lingering and multicast groups.
#include <netinet/tcp.h>

#include <cerrno>
#include <cmath>
#include <cstring>

#include "classes/socket/socket.h"
#include "io/options.h"
#include "zend/throw.h"

namespace stampede::classes {

using io::Endpoint;

namespace {

constexpr size_t kLongestText = 256;

bool pass(Endpoint& endpoint, Error error) {
    return !error || endpoint.fail(static_cast<int>(error.code()));
}

// What has these two whole numbers: an array, or an object with such properties, as ext-sockets
// takes it.
bool read_pair(zval* value, const char* first, const char* second, zend_long (&out)[2]) {
    const char* names[] = {first, second};
    zval fields;
    ZVAL_COPY(&fields, value);
    convert_to_array(&fields);
    bool is_whole = true;
    for (int i = 0; i < 2 && is_whole; i++) {
        zval* number = io::find_option(Z_ARRVAL(fields), names[i]);
        is_whole = number != nullptr;
        out[i] = is_whole ? zval_get_long(number) : 0;
    }
    zval_ptr_dtor(&fields);
    if (!is_whole) {
        zend::throw_error(zend_ce_value_error, 0,
                          "The value of this option must be an array with %s and %s.", first,
                          second);
    }
    return is_whole && !zend::exception_pending();
}

// Seconds, as a number or as text that is one.
bool read_seconds(zval* value, double& out) {
    bool is_number =
        Z_TYPE_P(value) == IS_LONG || Z_TYPE_P(value) == IS_DOUBLE ||
        (Z_TYPE_P(value) == IS_STRING &&
         is_numeric_string(Z_STRVAL_P(value), Z_STRLEN_P(value), nullptr, nullptr, false) != 0);
    out = is_number ? zval_get_double(value) : NAN;
    if (std::isnan(out)) {
        zend::throw_error(zend_ce_type_error, 0,
                          "A time limit must be an array with sec and usec, or a number of "
                          "seconds, not %s.",
                          zend_zval_type_name(value));
        return false;
    }
    return true;
}

bool set_time_limit(Endpoint& endpoint, int name, zval* value) {
    double seconds;
    if (Z_TYPE_P(value) == IS_ARRAY || Z_TYPE_P(value) == IS_OBJECT) {
        zend_long pair[2];
        if (!read_pair(value, "sec", "usec", pair)) {
            return false;
        }
        seconds = static_cast<double>(pair[0]) + static_cast<double>(pair[1]) / 1e6;
    } else if (!read_seconds(value, seconds)) {
        return false;
    }
    double limit = seconds > 0 && std::isfinite(seconds) ? seconds : -1;
    (name == SO_RCVTIMEO ? endpoint.timeouts().read : endpoint.timeouts().write) = limit;
    return true;
}

bool set_linger(Endpoint& endpoint, zval* value) {
    zend_long pair[2];
    if (!read_pair(value, "l_onoff", "l_linger", pair)) {
        return false;
    }
    linger option{static_cast<int>(pair[0]), static_cast<int>(pair[1])};
    return pass(endpoint,
                os::set_option(endpoint.fd(), SOL_SOCKET, SO_LINGER, &option, sizeof(option)));
}

// By number or by name.
bool read_interface(zval* interface, uint32_t& index) {
    if (Z_TYPE_P(interface) == IS_STRING) {
        index = os::interface_index(Z_STRVAL_P(interface));
        return index != 0;
    }
    index = static_cast<uint32_t>(zval_get_long(interface));
    return true;
}

bool read_interface(HashTable* request, const char* key, uint32_t& index) {
    zval* interface = io::find_option(request, key);
    index = 0;
    return interface == nullptr || read_interface(interface, index);
}

bool read_group(HashTable* request, const char* key, sockaddr_storage& out) {
    zval* text = io::find_option(request, key);
    io::AddressList list;
    if (text == nullptr || Z_TYPE_P(text) != IS_STRING ||
        !io::resolve_numeric({Z_STRVAL_P(text), Z_STRLEN_P(text)}, AF_UNSPEC, list) ||
        list.count == 0) {
        return false;
    }
    out = list.items[0].storage;
    return true;
}

bool is_group_option(zend_long name) {
    return name == MCAST_JOIN_GROUP || name == MCAST_LEAVE_GROUP;
}

bool is_source_option(zend_long name) {
    return name == MCAST_BLOCK_SOURCE || name == MCAST_UNBLOCK_SOURCE ||
           name == MCAST_JOIN_SOURCE_GROUP || name == MCAST_LEAVE_SOURCE_GROUP;
}

bool set_group(Endpoint& endpoint, int level, int name, zval* value) {
    group_source_req request{};
    bool with_source = is_source_option(name);
    bool good = Z_TYPE_P(value) == IS_ARRAY &&
                read_interface(Z_ARRVAL_P(value), "interface", request.gsr_interface) &&
                read_group(Z_ARRVAL_P(value), "group", request.gsr_group) &&
                (!with_source || read_group(Z_ARRVAL_P(value), "source", request.gsr_source));
    if (!good) {
        zend::throw_error(zend_ce_value_error, 0,
                          "The value of this option must be an array with group, interface%s.",
                          with_source ? " and source" : "");
        return false;
    }
    if (with_source) {
        return pass(endpoint,
                    os::set_option(endpoint.fd(), level, name, &request, sizeof(request)));
    }
    group_req plain{};
    plain.gr_interface = request.gsr_interface;
    plain.gr_group = request.gsr_group;
    return pass(endpoint, os::set_option(endpoint.fd(), level, name, &plain, sizeof(plain)));
}

// Multicasts go out there; 0: where the routes lead.
bool set_multicast_interface(Endpoint& endpoint, zval* value) {
    ip_mreqn request{};
    uint32_t index = 0;
    if (!read_interface(value, index) ||
        (index != 0 && !os::interface_address(index, request.imr_address))) {
        return endpoint.fail(ENODEV);
    }
    request.imr_ifindex = static_cast<int>(index);
    return pass(endpoint, os::set_option(endpoint.fd(), IPPROTO_IP, IP_MULTICAST_IF, &request,
                                         sizeof(request)));
}

// addr and ifindex: where what is sent comes from.
bool set_packet_info(Endpoint& endpoint, HashTable* request) {
    in6_pktinfo info{};
    sockaddr_storage address{};
    bool good = io::find_option(request, "addr") != nullptr &&
                io::find_option(request, "ifindex") != nullptr &&
                read_group(request, "addr", address) && address.ss_family == AF_INET6;
    uint32_t index = 0;
    if (!good || !read_interface(request, "ifindex", index)) {
        zend::throw_error(zend_ce_value_error, 0,
                          "The value of this option must be an array with addr, an IPv6 address, "
                          "and ifindex.");
        return false;
    }
    sockaddr_in6 numbers;
    std::memcpy(&numbers, &address, sizeof(numbers));
    info.ipi6_addr = numbers.sin6_addr;
    info.ipi6_ifindex = index;
    return pass(endpoint,
                os::set_option(endpoint.fd(), IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof(info)));
}

bool is_text_option(zend_long level, zend_long name) {
    return (level == SOL_SOCKET && name == SO_BINDTODEVICE) ||
           (level == IPPROTO_TCP && name == TCP_CONGESTION);
}

void return_time_limit(double seconds, zval* out) {
    // In whole microseconds: 1.005 is a little less than that.
    auto limit = seconds > 0 ? static_cast<zend_long>(std::round(seconds * 1e6)) : 0;
    array_init(out);
    add_assoc_long(out, "sec", limit / 1000000);
    add_assoc_long(out, "usec", limit % 1000000);
}

}  // namespace

bool set_socket_option(Endpoint& endpoint, zend_long level, zend_long name, zval* value) {
    ZVAL_DEREF(value);
    int at = static_cast<int>(level);
    int which = static_cast<int>(name);
    if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO)) {
        return set_time_limit(endpoint, which, value);
    }
    if (level == SOL_SOCKET && name == SO_LINGER) {
        return set_linger(endpoint, value);
    }
    bool of_address = level == IPPROTO_IP || level == IPPROTO_IPV6;
    if (of_address && (is_group_option(name) || is_source_option(name))) {
        return set_group(endpoint, at, which, value);
    }
    if (level == IPPROTO_IP && name == IP_MULTICAST_IF) {
        return set_multicast_interface(endpoint, value);
    }
    if (level == IPPROTO_IPV6 && name == IPV6_PKTINFO && Z_TYPE_P(value) == IS_ARRAY) {
        return set_packet_info(endpoint, Z_ARRVAL_P(value));
    }
    if (is_text_option(level, name) && Z_TYPE_P(value) == IS_STRING) {
        return pass(endpoint,
                    os::set_option(endpoint.fd(), at, which, Z_STRVAL_P(value), Z_STRLEN_P(value)));
    }
    int number = static_cast<int>(zval_get_long(value));
    return pass(endpoint, os::set_option(endpoint.fd(), at, which, &number, sizeof(number)));
}

bool get_socket_option(Endpoint& endpoint, zend_long level, zend_long name, zval* out) {
    int at = static_cast<int>(level);
    int which = static_cast<int>(name);
    if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO)) {
        const io::Timeouts& limits = endpoint.timeouts();
        return_time_limit(name == SO_RCVTIMEO ? limits.read : limits.write, out);
        return true;
    }
    char bytes[kLongestText] = {};
    Result<socklen_t> size = os::get_option(endpoint.fd(), at, which, bytes, sizeof(bytes));
    if (!size) {
        return pass(endpoint, size.error());
    }
    if (level == SOL_SOCKET && name == SO_LINGER) {
        linger option{};
        std::memcpy(&option, bytes, sizeof(option));
        array_init(out);
        add_assoc_long(out, "l_onoff", option.l_onoff);
        add_assoc_long(out, "l_linger", option.l_linger);
    } else if (level == IPPROTO_IP && name == IP_MULTICAST_IF) {
        in_addr address{};
        std::memcpy(&address, bytes, sizeof(address));
        ZVAL_LONG(out, address.s_addr == 0 ? 0 : os::interface_with(address));
    } else if (is_text_option(level, name)) {
        ZVAL_STRING(out, bytes);
    } else if (*size == 1) {
        ZVAL_LONG(out, static_cast<unsigned char>(bytes[0]));
    } else {
        int number = 0;
        std::memcpy(&number, bytes, sizeof(number));
        ZVAL_LONG(out, number);
    }
    return true;
}

}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Coroutine_Socket, setOption) {
    zend_long level;
    zend_long name;
    zval* value;
    ZEND_PARSE_PARAMETERS_START(3, 3)
        Z_PARAM_LONG(level)
        Z_PARAM_LONG(name)
        Z_PARAM_ZVAL(value)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_of(self);
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    endpoint->clear_error();
    bool set = set_socket_option(*endpoint, level, name, value);
    report(self);
    RETURN_BOOL(set);
}

ZEND_METHOD(Swoole_Coroutine_Socket, getOption) {
    zend_long level;
    zend_long name;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_LONG(level)
        Z_PARAM_LONG(name)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<SocketObject>(ZEND_THIS);
    io::Endpoint* endpoint = endpoint_of(self);
    if (endpoint == nullptr) {
        RETURN_THROWS();
    }
    endpoint->clear_error();
    bool found = get_socket_option(*endpoint, level, name, return_value);
    report(self);
    if (!found) {
        RETURN_FALSE;
    }
}
