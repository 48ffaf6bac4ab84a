// Connections that change their worker: stream connections of one that leaves go on in its
// successor, as in the original, whose connections belong to the supervisor; and a request that
// the dispatch mode gives to another worker goes there with its connection.
//
//   worker that gives                            worker that takes over
//   session at rest, nothing unsent
//   kInput   bytes that were read           -->  kept
//   kGive    facts, with the descriptor     -->  a session with the same number; it is announced
//   entry in shm::Presence removed          <--  kTaken
//
// Until kTaken has come other processes still find the connection here; what they want of it is
// passed on. One per worker; PHP thread; never parks.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ext/server/state.h"
#include "loop/loop.h"
#include "server/service.h"

namespace stampede::classes {

class HandOver {
public:
    HandOver(ServerState& state, server::Service& service);
    ~HandOver();
    HandOver(const HandOver&) = delete;
    HandOver& operator=(const HandOver&) = delete;

    // The connection is at rest or will be soon. False when it cannot go on elsewhere.
    bool offer(net::Connection& connection);
    // The connection of a request, of which these bytes have come. False: there is no room in the
    // other worker's inbox.
    bool give_request(net::Connection& connection, uint32_t line, std::string_view bytes);
    // Whether other workers have taken everything that was given to them, and nothing has come that
    // is to be passed on.
    bool is_done() const;

    // Where a connection went that was this worker's; false: nowhere.
    bool find(int64_t id, uint32_t& line) const;

    void take(std::string_view bytes, os::Fd descriptor);

private:
    struct Retry : loop::Timer {
        HandOver* owner;
    };

    bool find_successor(uint32_t& line) const;
    struct Message;
    struct Gone {
        uint32_t line;
        Nanos since;
    };

    bool give(Message& message, net::Connection& connection, uint32_t line, std::string_view read);
    bool give_stream(int64_t id, uint32_t line);
    void forget_old();
    void try_again();
    void arm();
    void take_over(std::string_view bytes, os::Fd descriptor);

    ServerState& state_;
    server::Service& service_;
    Retry retry_;
    std::vector<int64_t> waiting_;                    // for a successor, or to come to rest
    std::unordered_map<int64_t, uint32_t> given_;     // not taken yet: the line of the other
    std::unordered_map<int64_t, Gone> went_to_;       // not long ago
    std::deque<std::pair<Nanos, int64_t>> in_order_;  // of these, the oldest first
    std::unordered_map<int64_t, std::string> input_;  // of connections that are about to come
};

// Of this worker, null elsewhere.
HandOver* hand_over();

}  // namespace stampede::classes
