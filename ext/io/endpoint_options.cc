// Endpoint: what the API's arrays of settings say.
#include "io/endpoint.h"
#include "io/framing_options.h"
#include "io/options.h"
#include "zend/throw.h"

namespace stampede::io {

using proto::frame::Kind;
using proto::frame::Rules;

bool Endpoint::read_length_function(HashTable* options) {
    zval* function = find_option(options, "package_length_func");
    if (function == nullptr) {
        return true;
    }
    EndpointSettings& all = settings();
    if (all.length_function) {
        all.length_function.release();
        all.length_function = zend::Callable::none();
    }
    if (!zend::Callable::hold(function, all.length_function)) {
        zend::throw_error(zend_ce_type_error, 0,
                          "The setting package_length_func must be a function that takes the "
                          "bytes so far and returns the size of the packet.");
        return false;
    }
    return true;
}

void Endpoint::read_framing(HashTable* options) {
    Rules& rules = settings().rules;
    bool eof = option_is_on(options, "open_eof_check") || option_is_on(options, "open_eof_split");
    if (rules.kind == Kind::kMeasured) {
        rules.kind = Kind::kLength;  // which it is but for the function
    }
    choose_framing(options, "open_eof_split", Kind::kMark, rules);
    choose_framing(options, "open_eof_check", Kind::kMark, rules);
    rules.kind = eof ? Kind::kMark : rules.kind;
    choose_framing(options, "open_length_check", Kind::kLength, rules);
    choose_framing(options, "open_mqtt_protocol", Kind::kMqtt, rules);
    choose_framing(options, "open_fastcgi_protocol", Kind::kFastCgi, rules);
    choose_framing(options, "open_http2_protocol", Kind::kHttp2, rules);
    read_framing_numbers(options, rules);
}

bool Endpoint::configure(HashTable* options) {
    EndpointSettings& all = settings();
    Rules& rules = all.rules;
    read_framing(options);
    if (const char* fault = read_framing_marks(options, rules)) {
        zend::throw_error(zend_ce_value_error, 0, "%s", fault);
        return false;
    }
    if (!read_length_function(options)) {
        return false;
    }
    if (rules.kind == Kind::kLength && all.length_function) {
        rules.kind = Kind::kMeasured;
        rules.measure = ask_length_function;
        rules.measure_argument = this;
    }
    framer_.reset();
    read_proxy_options(options, all.proxy);
    read_ssl_options(options, all.ssl);
    read_flag(options, "open_ssl", all.open_ssl);
    read_flag(options, "open_tcp_nodelay", all.nodelay);
    read_text(options, "bind_address", all.bind_address);
    read_number(options, "bind_port", all.bind_port);
    read_size(options, "socket_buffer_size", all.buffer_size);
    double all_of_them = 0;
    read_seconds(options, "timeout", all_of_them);
    if (all_of_them != 0) {
        timeouts_ = {all_of_them, all_of_them, all_of_them};
    }
    read_seconds(options, "connect_timeout", timeouts_.connect);
    read_seconds(options, "read_timeout", timeouts_.read);
    read_seconds(options, "write_timeout", timeouts_.write);
    return !zend::exception_pending();
}

}  // namespace stampede::io
