#include "ext/server/port_settings.h"

#include <algorithm>

#include "ext/server/event_job.h"
#include "ext/server/tls.h"
#include "io/framing_options.h"
#include "zend/throw.h"

namespace stampede::classes {

using proto::frame::Kind;
using proto::frame::Rules;

namespace {

HashTable* own_settings(const PortState& port) {
    return Z_TYPE(port.settings) == IS_ARRAY ? Z_ARRVAL(port.settings) : nullptr;
}

// What a port speaks is the server's setting only where the port has none at all; the first port is
// the server's own.
bool inherits_protocol(const ServerState& state, const PortState& port) {
    return &port == state.ports.front().get() || own_settings(port) == nullptr;
}

enum class Choice : uint8_t { kNotSaid, kOff, kOn };

Choice choice(const ServerState& state, const PortState& port, std::string_view key) {
    HashTable* own = own_settings(port);
    zval* value = own != nullptr ? io::find_option(own, key) : nullptr;
    if (value == nullptr && inherits_protocol(state, port)) {
        value = io::find_option(Z_ARRVAL(state.given), key);
    }
    if (value == nullptr) {
        return Choice::kNotSaid;
    }
    return zend_is_true(value) ? Choice::kOn : Choice::kOff;
}

bool has_framing(const ServerState& state, const PortState& port) {
    constexpr std::string_view kNames[] = {"open_eof_check", "open_eof_split", "open_length_check",
                                           "open_mqtt_protocol", "open_redis_protocol"};
    return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view name) {
        return choice(state, port, name) == Choice::kOn;
    });
}

PortKind kind_of(ServerState& state, PortState& port) {
    if (is_datagram(port)) {
        return PortKind::kDatagram;
    }
    for (std::string_view name :
         {"open_http_protocol", "open_http2_protocol", "open_websocket_protocol"}) {
        if (choice(state, port, name) == Choice::kOn) {
            return PortKind::kHttp;
        }
    }
    if (!state.is_http || choice(state, port, "open_http_protocol") == Choice::kOff ||
        has_framing(state, port)) {
        return PortKind::kStream;
    }
    bool receives =
        port.events.has(ServerEvent::kReceive) || state.events.has(ServerEvent::kReceive);
    return receives && !inherits_protocol(state, port) && !port.events.has(ServerEvent::kRequest)
               ? PortKind::kStream
               : PortKind::kHttp;
}

void choose_kind(HashTable* options, Rules& rules) {
    io::choose_framing(options, "open_eof_check", Kind::kMarkAtEnd, rules);
    io::choose_framing(options, "open_eof_split", Kind::kMark, rules);
    io::choose_framing(options, "open_length_check", Kind::kLength, rules);
    io::choose_framing(options, "open_mqtt_protocol", Kind::kMqtt, rules);
    io::choose_framing(options, "open_redis_protocol", Kind::kRedis, rules);
}

// The function is asked in the ready phase, outside of coroutines. It cannot wait.
int64_t ask_length_function(void* port, std::string_view bytes) {
    EventArguments arguments;
    arguments.add_string(bytes);
    zval result;
    if (!ask_function(static_cast<PortState*>(port)->length_function, arguments, &result)) {
        return -1;
    }
    zend_long size = zval_get_long(&result);
    zval_ptr_dtor(&result);
    return size;
}

std::string settle_length_function(PortState& port, zval* function) {
    if (function == nullptr || port.framing.kind != Kind::kLength) {
        return {};
    }
    if (!zend::Callable::hold(function, port.length_function)) {
        return "package_length_func must be a function that takes the bytes so far and returns the "
               "size of the packet";
    }
    port.framing.kind = Kind::kMeasured;
    port.framing.measure = ask_length_function;
    port.framing.measure_argument = &port;
    return {};
}

std::string settle_framing(ServerState& state, PortState& port) {
    zval* function = nullptr;
    HashTable* own = own_settings(port);
    port.framing.kind = state.is_redis ? Kind::kRedis : Kind::kNone;
    for (HashTable* options : {Z_ARRVAL(state.given), own}) {
        if (options == nullptr || (options != own && !inherits_protocol(state, port))) {
            continue;
        }
        choose_kind(options, port.framing);
        io::read_framing_numbers(options, port.framing);
        if (const char* fault = io::read_framing_marks(options, port.framing)) {
            return fault;
        }
        zval* given = io::find_option(options, "package_length_func");
        function = given != nullptr ? given : function;
    }
    port.framing.max_size = static_cast<size_t>(port.in_force.package_max_length);
    return settle_length_function(port, function);
}

std::string place_of(const PortState& port) {
    return port.path.empty() ? port.host + ":" + std::to_string(port.port) : port.path;
}

std::string check_stream_events(ServerState& state, const PortState& port, uint32_t index) {
    if (port.kind == PortKind::kDatagram && !callback_of(state, index, ServerEvent::kPacket)) {
        return "require onPacket callback: set the event packet with on() before start(), which " +
               place_of(port) + " needs";
    }
    bool stream = port.kind == PortKind::kStream && port.framing.kind != Kind::kRedis;
    if (stream && !callback_of(state, index, ServerEvent::kReceive)) {
        return "require onReceive callback: set the event receive with on() before start(), "
               "which " +
               place_of(port) + " needs";
    }
    return {};
}

std::string check_http_events(ServerState& state, const PortState& port, uint32_t index) {
    if (port.websocket && !callback_of(state, index, ServerEvent::kMessage)) {
        return "require onMessage callback: set the event message with on() before start()";
    }
    return port.websocket || state.is_websocket || callback_of(state, index, ServerEvent::kRequest)
               ? ""
               : "require onRequest callback: set the event request with on() before start()";
}

server::StreamRules stream_rules(PortState& port, ServerState& state, bool routes) {
    const ServerSettings& settings = port.in_force;
    auto index = static_cast<uint32_t>(
        std::ranges::find_if(state.ports, [&](auto& each) { return each.get() == &port; }) -
        state.ports.begin());
    server::StreamRules rules;
    rules.used = true;
    rules.framing = port.framing;
    rules.in_ready_phase = routes || port.framing.kind == Kind::kMeasured;
    rules.delayed = settings.enable_delay_receive;
    rules.room = static_cast<uint64_t>(settings.socket_buffer_size);
    if (settings.heartbeat_idle_time > 0) {
        rules.idle_time = settings.heartbeat_idle_time * kSecond;
    } else if (settings.heartbeat_check_interval > 0) {
        rules.idle_time = settings.heartbeat_check_interval * 2 * kSecond;
    } else {
        rules.idle_time = to_nanos(settings.max_idle_time);
    }
    if (callback_of(state, index, ServerEvent::kBufferFull) ||
        callback_of(state, index, ServerEvent::kBufferEmpty)) {
        auto high = static_cast<uint64_t>(settings.buffer_high_watermark);
        rules.high_watermark = high > 0 ? high : rules.room / 5 * 4;
        rules.low_watermark = static_cast<uint64_t>(settings.buffer_low_watermark);
    }
    rules.most_queued = settings.max_queued_bytes > 0
                            ? static_cast<uint64_t>(settings.max_queued_bytes)
                            : std::max<uint64_t>(rules.most_queued, 2 * port.framing.max_size);
    return rules;
}

std::string check_only_worker(const ServerState& state, const PortState& port) {
    int64_t worker = port.in_force.only_worker;
    if (worker >= state.settings.worker_num) {
        return "only_worker must be less than worker_num (" +
               std::to_string(state.settings.worker_num) + "), not " + std::to_string(worker);
    }
    if (worker >= 0 && port.in_force.enable_reuse_port) {
        return "only_worker does not go together with enable_reuse_port: one worker needs one "
               "socket";
    }
    bool all_start = state.settings.worker_start_num <= 0 ||
                     state.settings.worker_start_num >= state.settings.worker_num;
    return worker < 0 || all_start
               ? ""
               : "only_worker does not go together with worker_start_num: nobody would accept the "
                 "connections of the places without a worker";
}

}  // namespace

bool has_port_of_one_worker(const ServerState& state) {
    return std::ranges::any_of(state.ports,
                               [](auto& port) { return port->in_force.only_worker >= 0; });
}

std::string settle_ports(ServerState& state) {
    for (auto& port : state.ports) {
        port->in_force = state.settings;
        if (HashTable* own = own_settings(*port)) {
            read_settings_again(port->in_force, own);
        }
        port->kind = kind_of(state, *port);
        port->websocket = port->kind == PortKind::kHttp && speaks_websocket(state, *port);
        state.speaks_websocket = state.speaks_websocket || port->websocket;
        std::string error = check_only_worker(state, *port);
        if (error.empty() && port->kind == PortKind::kStream) {
            error = settle_framing(state, *port);
        }
        if (!error.empty()) {
            return error;
        }
    }
    return {};
}

std::string check_port_events(ServerState& state) {
    for (uint32_t index = 0; index < state.ports.size(); index++) {
        const PortState& port = *state.ports[index];
        std::string error = port.kind == PortKind::kHttp ? check_http_events(state, port, index)
                                                         : check_stream_events(state, port, index);
        if (!error.empty()) {
            return error;
        }
    }
    return {};
}

server::PortSettings settings_of(PortState& port, ServerState& state, bool routes) {
    constexpr double kMostStall = 300;  // of peers of raw protocols, which may pause
    server::PortSettings out = http_port_settings(port.in_force);
    if (own_settings(port) != nullptr) {
        out.limits = http_limits(port.in_force);
        out.websocket = websocket_settings(port.in_force);
    }
    if (port.kind == PortKind::kStream) {
        double limit = port.in_force.send_timeout;
        out.times.write_stall = to_nanos(limit > 0 ? limit : kMostStall);
        out.stream = stream_rules(port, state, routes);
    }
    out.dispatched = routes && port.kind == PortKind::kHttp;
    return out;
}

}  // namespace stampede::classes
