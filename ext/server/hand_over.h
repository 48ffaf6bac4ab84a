// Connections that change their worker: stream connections of one that leaves go on in its
// successor, as in the original, whose connections belong to the supervisor; and a request that
// the dispatch mode gives to another worker goes there with its connection.
//
//   worker that gives                            worker that takes over
//   session at rest, nothing unsent
//   kInput   bytes that were read           -->  kept
//   kGive    facts, with the descriptor     -->  kept, and announced in shm::Presence
//   its own entry there is removed          <--  kTaken
//   kDone                                   -->  a session with the same number
//   kForget  it could not be sent           -->  its bytes are forgotten
//   the connection is closed                <--  kLost, it came without its descriptor
//
// What is sent to the connection meanwhile comes to one of the two workers. What the taking worker
// has sent to the other before must reach the peer before what it sends now: it comes back, passed
// on, before kDone does, and until then the worker's own waits here. (Other processes keep the
// order of what they send by themselves: peer_routes.h.) A request has nothing of the kind: its
// connection goes on at once, and kDone means nothing to it.
// One per worker; PHP thread; never parks.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ext/server/state.h"
#include "loop/loop.h"
#include "server/service.h"

namespace stampede::classes {

// What this process wants of the connections of others (peers.h), as far as a move concerns it.
class PeerWishes {
public:
    // A connection is about to come to this worker from that line: what was sent to it by way of a
    // third one has to come first.
    virtual void expect(int64_t id, uint32_t line) = 0;
    virtual bool all_came(int64_t id) const = 0;
    // It belongs to this process from now on; what was kept for it.
    virtual std::vector<std::string> settle(int64_t id) = 0;
    virtual void carry_out(std::string_view wish) = 0;
    // Nothing is left that this process owes to connections that have gone.
    virtual bool is_done() const = 0;

protected:
    ~PeerWishes() = default;
};

class HandOver {
public:
    HandOver(ServerState& state, server::Service& service, PeerWishes& wishes);
    ~HandOver();
    HandOver(const HandOver&) = delete;
    HandOver& operator=(const HandOver&) = delete;

    // The connection is at rest or will be soon. False when it cannot go on elsewhere.
    bool offer(net::Connection& connection);
    bool accepts(const net::Connection& connection) const;  // what offer() will say
    // A stream whose packets all belong to that line goes there; until then it must deliver none.
    // False when it cannot go now.
    bool offer_to(server::StreamSession& session, uint32_t line);
    // The connection of a request, of which these bytes have come. False: there is no room in the
    // other worker's inbox.
    bool give_request(net::Connection& connection, uint32_t line, std::string_view bytes);
    // Whether other workers have taken everything that was given to them, and all that was given to
    // this one is its own.
    bool is_done() const;

    // What this process, or another that knows of the move already, wants of a connection that is
    // about to come. False: there is no such connection, or too much is kept for it.
    enum class Source : uint8_t { kPassedOn, kDirect };
    bool is_arriving(int64_t id) const { return !arriving_.empty() && arriving_.contains(id); }
    bool keep_wish(int64_t id, std::string_view wish, Source source);

    // What another has wanted of it could not be kept: a stream with a hole in it is worth nothing.
    void spoil(int64_t id);
    // What this process had sent to such a connection by way of a third worker has come, and after
    // it comes what it has kept.
    void fence_passed(int64_t id, std::vector<std::string> kept);

    // Where a connection is going that was this worker's; false: it is not under way.
    bool is_given(int64_t id, uint32_t& line) const;
    // The same of one that has gone not long ago: what was sent to it by a process that had looked
    // for it before comes here.
    bool went_to(int64_t id, uint32_t& line) const;

    void take(std::string_view bytes, os::Fd descriptor);

private:
    struct Retry : loop::Timer {
        HandOver* owner;
    };

    bool find_successor(uint32_t& line) const;
    enum class Step : uint8_t;
    struct Message;
    struct Gone {
        uint32_t line;
        Nanos since;
    };
    struct Given {
        uint32_t line;  // of the other, and its process
        int32_t process;
    };
    struct Input {
        std::string bytes;
        Nanos since;
    };
    struct Leaving {
        int64_t id;
        uint32_t line;  // kAnyLine: of the successor
    };
    // Given to this worker, and not yet its own.
    struct Arriving;

    static constexpr uint32_t kAnyLine = UINT32_MAX;

    bool give(Message& message, net::Connection& connection, uint32_t line, std::string_view read);
    bool give_to_serving(Message& message, net::Connection& connection, uint32_t line,
                         std::string_view read);
    bool give_stream(int64_t id, uint32_t line);
    void forget_old();
    void try_again();
    void arm();
    bool leave(const Leaving& leaving, const uint32_t* successor);
    void take_over(const Message& message, os::Fd descriptor);
    void tell(uint32_t line, int64_t id, Step step);
    void keep_input(int64_t id, std::string_view bytes);
    void watch_moves();
    void watch();
    void settle_when_complete(int64_t id);
    void settle(int64_t id);
    void go_on(const Message& message, os::Fd descriptor, const std::string& kept);

    ServerState& state_;
    server::Service& service_;
    PeerWishes& wishes_;
    Retry retry_;
    Retry overdue_;                                   // for those that arrive
    std::vector<Leaving> waiting_;                    // for a successor, or to come to rest
    std::unordered_map<int64_t, Given> given_;        // not taken yet
    std::unordered_map<int64_t, Gone> went_to_;       // not long ago
    std::deque<std::pair<Nanos, int64_t>> in_order_;  // of these, the oldest first
    std::unordered_map<int64_t, Input> input_;        // of connections that are about to come
    std::unordered_map<int64_t, std::unique_ptr<Arriving>> arriving_;
};

// Of this worker, null elsewhere.
HandOver* hand_over();

}  // namespace stampede::classes
