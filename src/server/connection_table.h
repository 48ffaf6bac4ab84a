// The open connections of a worker by their numbers. Owned by the service; loop thread; never
// parks.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "metrics/http.h"
#include "net/connection.h"
#include "server/settings.h"
#include "shm/presence.h"
#include "shm/scoreboard.h"

namespace stampede::server {

class HttpSession;
class StreamSession;

// What speaks on a connection, and as what it can be found by the connection's number.
struct Speaker {
    std::unique_ptr<net::Session> session;
    HttpSession* http = nullptr;
    StreamSession* stream = nullptr;
};

class ConnectionTable {
public:
    // presence: where all processes look for connections; null: nobody else does.
    // metrics: who counts what is spoken; null: nobody does.
    ConnectionTable(shm::Scoreboard& board, const ServiceSettings& settings,
                    shm::Presence* presence, metrics::HttpMetrics* metrics = nullptr);

    // The number of the next connection: no other connection of the server has it, ever.
    uint64_t next_id();
    // From here on the hub frees it, at the end of the iteration in which it closes.
    net::Connection& add(std::unique_ptr<net::Connection> connection, Speaker speaker);
    // Another protocol from now on: the one way in which a connection changes its session.
    void hand_over(net::Connection& connection, Speaker next);
    // Shows it to the other processes.
    void announce(const net::Connection& connection);
    void remove(net::Connection& connection);
    // One that another worker has accepted and given away, and one that is given away: no
    // connection has begun or ended. What is given away stays known to the other processes as one
    // of this worker until forget_moved().
    net::Connection& add_moved(std::unique_ptr<net::Connection> connection, Speaker speaker);
    void remove_moved(net::Connection& connection);
    void forget_moved(int64_t id);
    // The same of one that was lost on its way.
    void lose_moved(int64_t id);
    // One that is about to be added so is known as one of this worker from now on.
    void expect_moved(int64_t id);
    void announce_moved(const net::Connection& connection);

    // Its bytes so far are in the line; else they are when it ends.
    void note_bytes(net::Connection& connection);

    // Null: there is no such connection.
    net::Connection* find(int64_t id) const;
    // The same, also when something else is spoken on it.
    HttpSession* find_http(int64_t id) const;
    StreamSession* find_stream(int64_t id) const;
    template <typename Visit>
    void each(Visit&& visit) const {
        for (auto& entry : entries_) {
            visit(*entry.second.connection);
        }
    }
    size_t size() const { return entries_.size(); }
    bool full() const { return entries_.size() >= settings_.max_connections; }

    // The worker will drain: peers that can be told to bring nothing new are.
    void announce_drain();
    // kTold: those that heard of it, or that are told so while they close. The others may send a
    // request at any moment, and are closed by its response.
    enum class Idle : uint8_t { kTold, kAll };
    void close_idle(Idle which);
    // The server stops. Closes what is at rest and tells WebSockets to go, but waits for what may
    // be on its way: how many connections may still bring a request without being at work. To be
    // called again until there are none, or for so long.
    static constexpr Nanos kPatience = kSecond;
    size_t close_at_rest(Nanos stopping_since);
    void close_all(net::CloseCause cause);
    // There is no room for the clients that wait to be accepted: the longest idle keep-alive
    // connections make some.
    void reclaim_idle(Nanos now);

private:
    struct Entry {
        net::Connection* connection = nullptr;
        HttpSession* http = nullptr;
        StreamSession* stream = nullptr;
        bool is_told = false;  // to end, since the server stops
        metrics::Spoken spoken = metrics::Spoken::kNothing;
        metrics::HttpMetrics::Encryption encryption = metrics::HttpMetrics::Encryption::kNone;
    };

    void note_session(net::Connection& connection, Entry& entry);
    void note_silence(const Entry& entry);
    net::Connection& insert(std::unique_ptr<net::Connection> connection, Speaker speaker);
    void erase(net::Connection& connection);
    void note_descriptor(const net::Connection& connection);
    Entry entry_of(int64_t id) const;
    bool may_bring_request(net::Connection& connection, Nanos stopping_since) const;
    std::vector<net::Connection*> list() const;

    const ServiceSettings& settings_;
    shm::Scoreboard& board_;
    shm::WorkerLine& line_;
    shm::Presence* presence_;
    metrics::HttpMetrics* metrics_;
    std::unordered_map<int64_t, Entry> entries_;
};

}  // namespace stampede::server
