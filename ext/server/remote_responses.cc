#include "ext/server/remote_responses.h"

#include <cstring>
#include <vector>

#include "ext/server/worker.h"
#include "os/log.h"

namespace stampede::classes {

namespace {

// In front of the texts: reason, default type, and name and value of each field.
struct PackedHead {
    uint64_t body_length;
    int32_t status;
    uint32_t given;
    uint32_t field_count;
    uint32_t request;
    bool type_without_body;
};

void append_text(std::string& out, std::string_view text) {
    auto size = static_cast<uint32_t>(text.size());
    out.append(reinterpret_cast<const char*>(&size), sizeof(size));
    out.append(text);
}

template <typename T>
bool take(std::string_view& bytes, T& out) {
    if (bytes.size() < sizeof(out)) {
        return false;
    }
    memcpy(&out, bytes.data(), sizeof(out));
    bytes.remove_prefix(sizeof(out));
    return true;
}

bool take_text(std::string_view& bytes, std::string_view& out) {
    uint32_t size = 0;
    if (!take(bytes, size) || bytes.size() < size) {
        return false;
    }
    out = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return true;
}

bool take_fields(std::string_view& bytes, uint32_t count, std::vector<server::FieldRef>& out) {
    for (uint32_t i = 0; i < count; i++) {
        server::FieldRef field;
        if (!take_text(bytes, field.name) || !take_text(bytes, field.value)) {
            return false;
        }
        out.push_back(field);
    }
    return true;
}

bool send_packed_head(server::Exchange& exchange, std::string_view bytes) {
    PackedHead packed;
    server::ResponseHead head;
    std::vector<server::FieldRef> fields;
    if (!take(bytes, packed) || !take_text(bytes, head.reason) ||
        !take_text(bytes, head.default_type) || !take_fields(bytes, packed.field_count, fields)) {
        return false;
    }
    head.status = packed.status;
    head.given = packed.given;
    head.type_without_body = packed.type_without_body;
    head.fields = fields.data();
    head.field_count = packed.field_count;
    return exchange.send_head(head, packed.body_length);
}

bool send_packed_file(server::Exchange& exchange, std::string_view bytes) {
    FilePart part;
    net::FileRange file;
    return take(bytes, part) && open_part(std::string(bytes).c_str(), part, file) &&
           exchange.send_file(file);
}

bool end_with_trailers(server::Exchange& exchange, std::string_view bytes) {
    uint32_t count = 0;
    std::vector<server::FieldRef> trailers;
    if (!take(bytes, count) || !take_fields(bytes, count, trailers)) {
        return false;
    }
    if (count > 0) {
        exchange.send_trailers(trailers.data(), count);
    }
    return exchange.finish();
}

// The exchange that this part is for. A later request of the connection must not get a part of what
// was written for an earlier one.
server::Exchange* exchange_for(zend_long fd, Action action, uint32_t number,
                               std::string_view body) {
    bool begins = action == Action::kRespondHead;
    PackedHead packed{};
    server::ExchangeKey key;
    key.remote_response = begins ? 0 : number;
    if (begins && take(body, packed)) {
        key.number = packed.request;
    }
    server::Exchange* exchange = open_exchange_of(fd, key);
    bool fits = exchange != nullptr && exchange->detached() &&
                (!begins || (exchange->response() == server::ResponseState::kNone &&
                             exchange->remote_response == 0));
    return fits ? exchange : nullptr;
}

bool carry_out(server::Exchange& exchange, Action action, std::string_view body) {
    switch (action) {
        case Action::kRespondHead:
            return send_packed_head(exchange, body);
        case Action::kRespondBody:
            return exchange.send_body(body);
        case Action::kRespondFile:
            return send_packed_file(exchange, body);
        default:
            return end_with_trailers(exchange, body);
    }
}

}  // namespace

std::string pack_head(const server::ResponseHead& head, uint64_t body_length, uint32_t request) {
    PackedHead packed{};
    packed.body_length = body_length;
    packed.status = head.status;
    packed.given = head.given;
    packed.field_count = head.field_count;
    packed.request = request;
    packed.type_without_body = head.type_without_body;
    std::string out(reinterpret_cast<const char*>(&packed), sizeof(packed));
    append_text(out, head.reason);
    append_text(out, head.default_type);
    for (uint32_t i = 0; i < head.field_count; i++) {
        append_text(out, head.fields[i].name);
        append_text(out, head.fields[i].value);
    }
    return out;
}

std::string pack_trailers(server::FieldList trailers) {
    auto count = static_cast<uint32_t>(trailers.size());
    std::string out(reinterpret_cast<const char*>(&count), sizeof(count));
    for (const server::FieldRef& field : trailers) {
        append_text(out, field.name);
        append_text(out, field.value);
    }
    return out;
}

uint32_t next_remote_response(const ServerState& state) {
    static uint32_t last = 0;
    return ((state.place.line + 1) << 20) | (++last & 0xfffff);
}

void respond_for_others(net::Connection& connection, Action action, uint32_t number,
                        std::string_view body) {
    auto fd = static_cast<zend_long>(connection.id());
    server::Exchange* exchange = exchange_for(fd, action, number, body);
    if (exchange == nullptr) {
        if (action == Action::kRespondHead) {
            os::Log::get().write(os::LogLevel::kWarning,
                                 "connection#" ZEND_LONG_FMT
                                 " has no request, given up with detach(), that waits for the "
                                 "response of another process",
                                 fd);
        }
        return;
    }
    if (!keeps_up(connection)) {
        return;
    }
    exchange->remote_response = number;
    exchange->hold();
    if (!carry_out(*exchange, action, body)) {
        exchange->abort();
    }
    bool goes_on = exchange->connection() != nullptr;
    exchange->release();
    if (goes_on) {
        count_for_others(connection);
    }
}

}  // namespace stampede::classes
