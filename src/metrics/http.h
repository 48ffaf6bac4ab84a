// What one worker counts of its requests and connections. Finds the cells of a request by small
// numbers, without text, once it has met its kind. Owned by the service's host, which outlives the
// service; loop thread; never parks.
#pragma once

#include <memory>

#include "metrics/board.h"

namespace stampede::metrics {

enum class Isolation : uint8_t {
    kNone,  // the application has not seen the request: files, refusals
    kCoroutine,
    kSequential,
    kProcess,
    kCount,
};
std::string_view name_of(Isolation isolation);
// kNone: there is none of this name.
Isolation isolation_of(std::string_view name);

// Statuses below are their hundreds.
enum class Ending : uint8_t { kGone = 6, kCut = 7 };
inline uint8_t ending_of(int status) { return static_cast<uint8_t>(status / 100 % 10 & 7); }

enum class Refusal : uint8_t {
    kMalformed,
    kTooLarge,     // head, target or body
    kTooSlow,      // its bytes have not come in time
    kUnsupported,  // a method, an expectation, a coding
    kOverload,     // no coroutine, no memory, too many that wait
    kTimeLimit,    // the application took too long
    kFailed,       // the application has not responded
    kCount,
};
// Of a response that the server has made itself.
Refusal refusal_of(int status);

// What a connection speaks; nothing as long as that is not known.
enum class Spoken : uint8_t { kNothing, kHttp1, kHttp2, kWebSocket, kStream, kCount };

struct RequestFacts {
    uint16_t route = Board::kNoRoute;
    uint8_t method = 0;  // proto::http::Method
    uint8_t ending = 0;
    Isolation isolation = Isolation::kNone;
    Nanos received_at = 0;
    Nanos handled_at = 0;     // 0: never
    Nanos first_byte_at = 0;  // 0: with the last one
    Nanos ended_at = 0;
};

class HttpMetrics {
public:
    static constexpr uint8_t kMethods = 16;
    // The names of methods by their numbers; of the others the last one.
    using MethodNames = std::span<const std::string_view>;

    // Numbers that are cheaper to look at now and then than to count: schedule() is called when
    // something has happened, until the owner has looked and says that it is not scheduled any
    // more. So an idle worker is never woken.
    struct Publisher {
        void (*schedule)(void* owner) = nullptr;
        void* owner = nullptr;
        bool is_scheduled = false;
    };

    HttpMetrics(Board& board, Writer writer, MethodNames methods, Publisher* publisher);

    void ended(const RequestFacts& request);
    // Of a request whose head could not be read.
    void ended_unread(uint8_t ending);
    void refused(Refusal cause);
    // Something has happened that the publisher may want to look at.
    void note_activity() {
        if (publisher_ != nullptr && !publisher_->is_scheduled) {
            publisher_->is_scheduled = true;
            publisher_->schedule(publisher_->owner);
        }
    }
    // A connection begins to speak something, and does not any more.
    enum class Encryption : uint8_t { kNone, kTls };
    void speaking(Spoken spoken, Encryption encryption) {
        writer_.add(open_[index_of(spoken, encryption)], 1);
        writer_.add(opened_[index_of(spoken, encryption)], 1);
    }
    void silent(Spoken spoken, Encryption encryption) {
        writer_.add(open_[index_of(spoken, encryption)], ~uint64_t{0});
    }
    // The number of a route template.
    uint16_t route(std::string_view text) { return board_.route(text); }
    std::string_view route_text(uint16_t route) const { return board_.route_text(route); }

private:
    struct Kind {
        uint32_t key = 0;  // 0: free
        Cell cell = kNoCell;
    };
    struct Durations {
        Cell duration = kNoCell;
        Cell wait = kNoCell;
        Cell first_byte = kNoCell;
    };
    static constexpr uint32_t kKinds = 1024;
    static constexpr size_t kSpoken = static_cast<size_t>(Spoken::kCount) * 2;
    static constexpr uint32_t kMostOfRequests = Board::kMostSeries / 2;

    static size_t index_of(Spoken spoken, Encryption encryption) {
        return static_cast<size_t>(spoken) * 2 + static_cast<size_t>(encryption);
    }
    Cell cell_of(const RequestFacts& request);
    Cell find_cell(const RequestFacts& request);
    Durations& durations_of(uint16_t route);
    Cell enter(Id id, std::initializer_list<std::string_view> values,
               uint32_t most = Board::kMostSeries);

    Board& board_;
    Writer writer_;
    MethodNames methods_;
    Publisher* publisher_;  // null: there is none
    std::unique_ptr<Kind[]> kinds_;
    std::unique_ptr<Durations[]> durations_;
    Cell refusals_[static_cast<size_t>(Refusal::kCount)] = {};
    Cell open_[kSpoken] = {};
    Cell opened_[kSpoken] = {};
};

}  // namespace stampede::metrics
