// What set() and setProtocol() of the API's sockets collect: how packets end, TLS, proxies, and
// what to bind to. Made by an Endpoint when something is set; PHP thread; asking the length
// function runs PHP code, which may park.
#pragma once

#include <string>
#include <string_view>

#include "io/proxy.h"
#include "io/ssl_options.h"
#include "proto/frame/frame.h"
#include "zend/call.h"

namespace stampede::io {

struct Timeouts {  // seconds
    double connect = 10;
    double read = -1;
    double write = -1;
};

struct EndpointSettings {
    proto::frame::Rules rules;
    SslSettings ssl;
    ProxySettings proxy;
    zend::Callable length_function = zend::Callable::none();
    std::string bind_address;
    zend_long bind_port = 0;
    size_t buffer_size = 0;  // of the kernel, both ways; 0 = its choice
    bool open_ssl = false;
    bool nodelay = true;
    bool measuring = false;  // the length function runs

    EndpointSettings() = default;
    ~EndpointSettings();
    EndpointSettings(const EndpointSettings&) = delete;
    EndpointSettings& operator=(const EndpointSettings&) = delete;

    // Packets and TLS as others have them.
    void inherit(const EndpointSettings& from);
    // Takes over what the API's array says about packets, false with an exception when it makes no
    // sense; and the rest.
    bool read_packets(HashTable* options);
    void read_others(HashTable* options, Timeouts& timeouts);

private:
    static int64_t ask_length_function(void* self, std::string_view bytes);
    void read_framing(HashTable* options);
    bool read_length_function(HashTable* options);
};

}  // namespace stampede::io
