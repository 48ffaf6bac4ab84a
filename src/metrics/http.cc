#include "metrics/http.h"

#include <iterator>

#include "os/log.h"

namespace stampede::metrics {

namespace {

constexpr std::string_view kIsolations[] = {"none", "coroutine", "sequential", "process"};
static_assert(std::size(kIsolations) == static_cast<size_t>(Isolation::kCount));
constexpr std::string_view kEndings[] = {"0xx", "1xx", "2xx", "3xx", "4xx", "5xx", "gone", "cut"};
constexpr std::string_view kRefusals[] = {"malformed", "too_large",  "too_slow", "unsupported",
                                          "overload",  "time_limit", "failed"};
static_assert(std::size(kRefusals) == static_cast<size_t>(Refusal::kCount));
constexpr std::string_view kSpokenNames[] = {"unknown", "http1", "http2", "websocket", "stream"};
static_assert(std::size(kSpokenNames) == static_cast<size_t>(Spoken::kCount));

}  // namespace

std::string_view name_of(Isolation isolation) {
    return kIsolations[static_cast<size_t>(isolation)];
}

Isolation isolation_of(std::string_view name) {
    for (size_t i = 0; i < std::size(kIsolations); i++) {
        if (kIsolations[i] == name) {
            return static_cast<Isolation>(i);
        }
    }
    return Isolation::kNone;
}

Refusal refusal_of(int status) {
    switch (status) {
        case 408:
            return Refusal::kTooSlow;
        case 413:
        case 414:
        case 431:
            return Refusal::kTooLarge;
        case 415:
        case 417:
        case 501:
        case 505:
            return Refusal::kUnsupported;
        case 503:
            return Refusal::kOverload;
        case 504:
            return Refusal::kTimeLimit;
        case 500:
        case 502:
            return Refusal::kFailed;
        default:
            return Refusal::kMalformed;
    }
}

HttpMetrics::HttpMetrics(Board& board, Writer writer, MethodNames methods, Publisher* publisher)
    : board_(board),
      writer_(writer),
      methods_(methods),
      publisher_(publisher),
      kinds_(std::make_unique<Kind[]>(kKinds)),
      durations_(std::make_unique<Durations[]>(Board::kRoutes)) {
    for (size_t i = 0; i < std::size(refusals_); i++) {
        refusals_[i] = enter(Id::kRefusals, {kRefusals[i]});
    }
    for (size_t i = 0; i < kSpoken; i++) {
        std::string_view encrypted = i % 2 == 1 ? "yes" : "no";
        open_[i] = enter(Id::kConnections, {kSpokenNames[i / 2], encrypted});
        opened_[i] = enter(Id::kConnectionsOpened, {kSpokenNames[i / 2], encrypted});
    }
}

// The application's metrics have the other half of the room.
Cell HttpMetrics::enter(Id id, std::initializer_list<std::string_view> values, uint32_t most) {
    Cell cell = board_.series(id, labels_of(family(id), values).text(), most);
    if (cell == kNoCell && board_.note_overflow(static_cast<uint16_t>(id))) {
        os::Log::get().write(os::LogLevel::kWarning,
                             "there are more routes than the metrics have room for: the rest "
                             "counts as \"other\"");
    }
    return cell;
}

// Kinds of requests are few: method, status, isolation and a route of the application's. Where
// there are more than the table has room for, the board is asked each time.
Cell HttpMetrics::cell_of(const RequestFacts& request) {
    uint32_t key = uint32_t{request.route} << 12 | uint32_t{request.method} << 8 |
                   uint32_t{request.ending} << 4 | static_cast<uint32_t>(request.isolation);
    key |= uint32_t{1} << 31;
    uint32_t place = key * 0x9e3779b1 >> 22;
    for (uint32_t i = 0; i < 8; i++) {
        Kind& kind = kinds_[(place + i) % kKinds];
        if (kind.key == key) {
            return kind.cell;
        }
        if (kind.key == 0) {
            kind = {key, find_cell(request)};
            return kind.cell;
        }
    }
    return find_cell(request);
}

Cell HttpMetrics::find_cell(const RequestFacts& request) {
    std::string_view method =
        request.method < methods_.size() ? methods_[request.method] : methods_.back();
    std::string_view ending = kEndings[request.ending];
    std::string_view isolation = name_of(request.isolation);
    std::string_view route = board_.route_text(request.route);
    Cell cell = enter(Id::kRequests, {method, ending, route, isolation}, kMostOfRequests);
    if (cell != kNoCell || request.route == Board::kOtherRoute) {
        return cell;
    }
    return enter(Id::kRequests, {method, ending, "other", isolation});
}

HttpMetrics::Durations& HttpMetrics::durations_of(uint16_t route) {
    Durations& found = durations_[route];
    if (found.duration == kNoCell) {
        std::string_view text = board_.route_text(route);
        found.duration = enter(Id::kRequestDuration, {text});
        found.wait = enter(Id::kRequestWait, {text});
        found.first_byte = enter(Id::kFirstByte, {text});
    }
    return found;
}

void HttpMetrics::ended(const RequestFacts& request) {
    writer_.add(cell_of(request), 1);
    Durations& durations = durations_of(request.route);
    writer_.observe(durations.duration, request.ended_at - request.received_at);
    if (request.handled_at != 0) {
        writer_.observe(durations.wait, request.handled_at - request.received_at);
    }
    Nanos first_byte = request.first_byte_at != 0 ? request.first_byte_at : request.ended_at;
    writer_.observe(durations.first_byte, first_byte - request.received_at);
    note_activity();
}

void HttpMetrics::ended_unread(uint8_t ending) {
    RequestFacts unread;
    unread.method = kMethods - 1;
    unread.ending = ending;
    writer_.add(cell_of(unread), 1);
}

void HttpMetrics::refused(Refusal cause) { writer_.add(refusals_[static_cast<size_t>(cause)], 1); }

}  // namespace stampede::metrics
