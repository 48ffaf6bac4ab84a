#include "server/connection_table.h"

#include <algorithm>
#include <cstring>

#include "server/stream_session.h"

namespace stampede::server {

namespace {

constexpr Nanos kNextRequest = 100 * kMillisecond;  // a request that may be on its way has come

int64_t number_of(const net::Connection& connection) {
    return static_cast<int64_t>(connection.id());
}

shm::Facts facts_of(const net::Connection& connection) {
    shm::Facts facts;
    Nanos age = connection.hub().loop().iteration_time() - connection.opened_at;
    facts.opened_at = static_cast<uint32_t>((wall_now() - age) / kSecond);
    facts.port_index = static_cast<uint8_t>(std::min<uint32_t>(connection.port_index, 255));
    facts.family = static_cast<uint8_t>(connection.peer.sin6_family);
    facts.remote_port = ntohs(connection.peer.sin6_port);
    if (facts.family == AF_INET) {
        std::memcpy(facts.address, &reinterpret_cast<const sockaddr_in&>(connection.peer).sin_addr,
                    sizeof(in_addr));
    } else {
        std::memcpy(facts.address, &connection.peer.sin6_addr, sizeof(in6_addr));
    }
    return facts;
}

}  // namespace

ConnectionTable::ConnectionTable(shm::Scoreboard& board, const ServiceSettings& settings,
                                 shm::Presence* presence, metrics::HttpMetrics* metrics)
    : settings_(settings),
      board_(board),
      line_(board.line(settings.worker)),
      presence_(presence),
      metrics_(metrics) {}

uint64_t ConnectionTable::next_id() {
    uint64_t sequence = line_.next_sequence.fetch_add(1, std::memory_order_relaxed);
    // As Presence::line_of() finds the line again: only workers' lines count there.
    uint64_t lines = presence_ != nullptr ? presence_->lines() : board_.size();
    return (sequence - 1) * lines + settings_.worker + 1;
}

net::Connection& ConnectionTable::insert(std::unique_ptr<net::Connection> connection,
                                         Speaker speaker) {
    net::Connection& added = *connection.release();
    Entry entry{.connection = &added, .http = speaker.http, .stream = speaker.stream};
    added.set_session(std::move(speaker.session));
    note_session(added, entry);
    entries_.emplace(number_of(added), entry);
    line_.connections.set(entries_.size());
    return added;
}

net::Connection& ConnectionTable::add(std::unique_ptr<net::Connection> connection,
                                      Speaker speaker) {
    line_.accepted.add(1);
    return insert(std::move(connection), std::move(speaker));
}

net::Connection& ConnectionTable::add_moved(std::unique_ptr<net::Connection> connection,
                                            Speaker speaker) {
    return insert(std::move(connection), std::move(speaker));
}

void ConnectionTable::hand_over(net::Connection& connection, Speaker next) {
    Entry& entry = entries_.find(number_of(connection))->second;
    entry.http = next.http;
    entry.stream = next.stream;
    entry.is_told = false;
    note_silence(entry);
    connection.replace_session(std::move(next.session));
    note_session(connection, entry);
}

namespace {

static_assert(static_cast<int>(metrics::Spoken::kStream) == static_cast<int>(net::Spoken::kStream));

}  // namespace

void ConnectionTable::note_session(net::Connection& connection, Entry& entry) {
    if (metrics_ == nullptr) {
        return;
    }
    using Encryption = metrics::HttpMetrics::Encryption;
    entry.spoken = static_cast<metrics::Spoken>(connection.session().speaks());
    entry.encryption = connection.transport().encrypted() ? Encryption::kTls : Encryption::kNone;
    metrics_->speaking(entry.spoken, entry.encryption);
}

void ConnectionTable::note_silence(const Entry& entry) {
    if (metrics_ != nullptr) {
        metrics_->silent(entry.spoken, entry.encryption);
        metrics_->note_activity();
    }
}

void ConnectionTable::lose_moved(int64_t id) {
    forget_moved(id);
    line_.closed.add(1);
}

void ConnectionTable::expect_moved(int64_t id) {
    shm::Facts facts;
    if (presence_ != nullptr && presence_->standing(id, &facts) != shm::Standing::kNone) {
        presence_->add(settings_.worker, id, facts);
    }
}

void ConnectionTable::announce(const net::Connection& connection) {
    note_descriptor(connection);
    if (presence_ != nullptr) {
        presence_->add(settings_.worker, number_of(connection), facts_of(connection));
    }
}

void ConnectionTable::announce_moved(const net::Connection& connection) {
    if (presence_ != nullptr && presence_->is_in(settings_.worker, number_of(connection))) {
        note_descriptor(connection);
    } else {
        announce(connection);
    }
}

void ConnectionTable::note_descriptor(const net::Connection& connection) {
    if (connection.fd() >= 0 && static_cast<uint64_t>(connection.fd()) > line_.highest_fd.get()) {
        line_.highest_fd.set(static_cast<uint64_t>(connection.fd()));
    }
}

void ConnectionTable::remove(net::Connection& connection) {
    forget_moved(number_of(connection));
    line_.closed.add(1);
    erase(connection);
}

void ConnectionTable::remove_moved(net::Connection& connection) { erase(connection); }

void ConnectionTable::forget_moved(int64_t id) {
    if (presence_ != nullptr) {
        presence_->remove(settings_.worker, id);
    }
}

void ConnectionTable::erase(net::Connection& connection) {
    auto found = entries_.find(number_of(connection));
    note_silence(found->second);
    entries_.erase(found);
    line_.connections.set(entries_.size());
    note_bytes(connection);
}

void ConnectionTable::note_bytes(net::Connection& connection) {
    line_.bytes_in.add(connection.bytes_in - connection.noted_bytes_in);
    line_.bytes_out.add(connection.bytes_out - connection.noted_bytes_out);
    connection.noted_bytes_in = connection.bytes_in;
    connection.noted_bytes_out = connection.bytes_out;
}

ConnectionTable::Entry ConnectionTable::entry_of(int64_t id) const {
    auto found = entries_.find(id);
    return found == entries_.end() ? Entry{} : found->second;
}

net::Connection* ConnectionTable::find(int64_t id) const { return entry_of(id).connection; }

HttpSession* ConnectionTable::find_http(int64_t id) const { return entry_of(id).http; }

StreamSession* ConnectionTable::find_stream(int64_t id) const { return entry_of(id).stream; }

std::vector<net::Connection*> ConnectionTable::list() const {
    std::vector<net::Connection*> all;
    all.reserve(entries_.size());
    each([&](net::Connection& connection) { all.push_back(&connection); });
    return all;
}

void ConnectionTable::announce_drain() {
    each([](net::Connection& connection) { connection.session().announce_drain(); });
}

void ConnectionTable::close_idle(Idle which) {
    for (net::Connection* connection : list()) {
        if (connection->closed() || connection->closing()) {
            continue;
        }
        net::Session& session = connection->session();
        bool surprised = session.idle() && !session.drain_announced();
        // A request may have come that has not been read yet.
        if (surprised && (which == Idle::kTold || os::has_unread(connection->fd()))) {
            continue;
        }
        session.drain();
    }
}

// A client that has connected sends its request soon, and so may one that has just got a response.
// One whose system has acknowledged a response some time ago is at rest.
bool ConnectionTable::may_bring_request(net::Connection& connection, Nanos stopping_since) const {
    constexpr Nanos kFirstRequest = 200 * kMillisecond;
    Nanos now = monotonic_now();
    if (os::has_unread(connection.fd())) {
        return true;
    }
    if (connection.bytes_in == 0) {
        return now - connection.opened_at < (connection.is_plain() ? kFirstRequest : kPatience);
    }
    return now - connection.last_read_at < kNextRequest ||
           (now - stopping_since < kNextRequest && os::awaits_acknowledgement(connection.fd()));
}

size_t ConnectionTable::close_at_rest(Nanos stopping_since) {
    size_t expecting = 0;
    for (net::Connection* connection : list()) {
        if (connection->closed() || connection->closing()) {
            continue;
        }
        Entry& entry = entries_.find(number_of(*connection))->second;
        if (entry.is_told) {
            continue;
        }
        net::Session& session = connection->session();
        bool is_stream = entry.stream != nullptr;
        bool at_rest = is_stream ? entry.stream->at_rest() : session.idle();
        // The second of two GOAWAYs comes later, and what streams are still sent is read.
        bool reads_on = (session.drain_announced() || (is_stream && !at_rest)) &&
                        monotonic_now() - stopping_since < kNextRequest;
        if (reads_on || (at_rest && may_bring_request(*connection, stopping_since))) {
            expecting++;
        } else {
            entry.is_told = true;
            session.drain();
        }
    }
    return expecting;
}

void ConnectionTable::close_all(net::CloseCause cause) {
    while (!entries_.empty()) {
        entries_.begin()->second.connection->close_now(cause);
    }
}

// One that was in use a moment ago is spared, its next request may be on its way.
void ConnectionTable::reclaim_idle(Nanos now) {
    std::vector<net::Connection*> idle = list();
    std::erase_if(idle, [&](net::Connection* connection) {
        return connection->last_read_at >= now - kSecond || connection->closing() ||
               !connection->session().idle();
    });
    size_t count = std::min(idle.size(), settings_.max_connections / 16 + size_t{1});
    std::ranges::partial_sort(idle, idle.begin() + static_cast<long>(count), {},
                              &net::Connection::last_read_at);
    for (size_t i = 0; i < count; i++) {
        idle[i]->session().drain();
    }
}

}  // namespace stampede::server
