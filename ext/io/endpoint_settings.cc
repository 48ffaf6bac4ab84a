#include "io/endpoint_settings.h"

#include "io/framing_options.h"
#include "io/options.h"
#include "zend/throw.h"

namespace stampede::io {

using proto::frame::Kind;

EndpointSettings::~EndpointSettings() {
    if (length_function) {
        length_function.release();
    }
}

void EndpointSettings::inherit(const EndpointSettings& from) {
    rules = from.rules;
    rules.measure_argument = this;
    if (from.length_function) {
        length_function = zend::Callable::hold(from.length_function.fci, from.length_function.fcc);
    }
    open_ssl = from.open_ssl;
    if (from.open_ssl) {
        ssl = from.ssl;
    }
}

int64_t EndpointSettings::ask_length_function(void* self, std::string_view bytes) {
    auto& settings = *static_cast<EndpointSettings*>(self);
    zval argument;
    zval result;
    ZVAL_STRINGL(&argument, bytes.data(), bytes.size());
    settings.measuring = true;
    zend::Outcome outcome = zend::call(settings.length_function, 1, &argument, &result);
    settings.measuring = false;
    zval_ptr_dtor(&argument);
    if (outcome != zend::Outcome::kReturned) {
        return -1;
    }
    zend_long size = zval_get_long(&result);
    zval_ptr_dtor(&result);
    return size;
}

bool EndpointSettings::read_length_function(HashTable* options) {
    zval* function = find_option(options, "package_length_func");
    if (function == nullptr) {
        return true;
    }
    if (length_function) {
        length_function.release();
        length_function = zend::Callable::none();
    }
    if (!zend::Callable::hold(function, length_function)) {
        zend::throw_error(zend_ce_type_error, 0,
                          "The setting package_length_func must be a function that takes the "
                          "bytes so far and returns the size of the packet.");
        return false;
    }
    return true;
}

void EndpointSettings::read_framing(HashTable* options) {
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

bool EndpointSettings::read_packets(HashTable* options) {
    read_framing(options);
    if (const char* fault = read_framing_marks(options, rules)) {
        zend::throw_error(zend_ce_value_error, 0, "%s", fault);
        return false;
    }
    if (!read_length_function(options)) {
        return false;
    }
    if (rules.kind == Kind::kLength && length_function) {
        rules.kind = Kind::kMeasured;
        rules.measure = ask_length_function;
        rules.measure_argument = this;
    }
    return true;
}

void EndpointSettings::read_others(HashTable* options, Timeouts& timeouts) {
    read_proxy_options(options, proxy);
    read_ssl_options(options, ssl);
    read_flag(options, "open_ssl", open_ssl);
    read_flag(options, "open_tcp_nodelay", nodelay);
    read_text(options, "bind_address", bind_address);
    read_number(options, "bind_port", bind_port);
    read_size(options, "socket_buffer_size", buffer_size);
    double all_of_them = 0;
    read_seconds(options, "timeout", all_of_them);
    if (all_of_them != 0) {
        timeouts = {all_of_them, all_of_them, all_of_them};
    }
    read_seconds(options, "connect_timeout", timeouts.connect);
    read_seconds(options, "read_timeout", timeouts.read);
    read_seconds(options, "write_timeout", timeouts.write);
}

}  // namespace stampede::io
