// Stream connections of a worker that leaves go on in its successor, as in the original, whose
// connections belong to the supervisor:
//
//   worker that leaves                           worker that takes over
//   session at rest, nothing unsent
//   kInput   bytes of an unfinished packet  -->  kept
//   kGive    facts, with the descriptor     -->  a session with the same number; it is announced
//   entry in shm::Presence removed          <--  kTaken
//
// Until kTaken has come other processes still find the connection here; what they want of it is
// passed on. One per worker; PHP thread; never parks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classes/server/state.h"
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
    bool give(net::Connection& connection, uint32_t line);
    void try_again();
    void arm();
    void take_over(std::string_view bytes, os::Fd descriptor);

    ServerState& state_;
    server::Service& service_;
    Retry retry_;
    std::vector<int64_t> waiting_;                    // for a successor, or to come to rest
    std::unordered_map<int64_t, uint32_t> given_;     // not taken yet: the line of the other
    std::unordered_map<int64_t, uint32_t> went_to_;   // for as long as this process lives
    std::unordered_map<int64_t, std::string> input_;  // of connections that are about to come
};

// Of this worker, null elsewhere.
HandOver* hand_over();

}  // namespace stampede::classes
