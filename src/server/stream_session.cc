#include "server/stream_session.h"

#include <algorithm>

#include "server/service.h"

namespace stampede::server {

using proto::frame::Verdict;

StreamSession::StreamSession(Service& service, net::Connection& connection,
                             const StreamRules& rules)
    : service_(service), connection_(connection), rules_(rules), framer_(rules.framing) {
    pump_.session = this;
    pump_.run = [](loop::Task& task) { static_cast<Pump&>(task).session->pump(); };
    paused_ = rules.delayed;
    if (connection.transport().ready()) {
        arm_idle(connection.opened_at + rules.idle_time);
    } else {
        arm_handshake();
    }
}

// Nothing tells when a handshake or a header is complete and the peer stays silent after it, so the
// connection is looked at when it could be idle for too long as well.
void StreamSession::arm_handshake() {
    Nanos end = connection_.opened_at + service_.limits(connection_).header_time;
    Nanos look = connection_.hub().loop().iteration_time() + rules_.idle_time;
    connection_.set_deadline(rules_.idle_time > 0 ? std::min(end, look) : end);
}

StreamSession::~StreamSession() { pump_.unlink(); }

void StreamSession::arm_idle(Nanos when) {
    if (rules_.idle_time > 0) {
        connection_.set_deadline(when);
    }
}

void StreamSession::schedule() {
    if (!pump_.linked() && open()) {
        connection_.hub().loop().enqueue(pump_);
    }
}

// Up to the first packet that is not whole or cannot be taken. How many bytes were used.
size_t StreamSession::deliver(std::string_view bytes) {
    size_t used = 0;
    while (used < bytes.size() && !held() && open()) {
        std::string_view rest = bytes.substr(used);
        Verdict verdict = framer_.look(rest);
        if (verdict == Verdict::kNeedMore || !open()) {
            break;
        }
        if (verdict != Verdict::kPacket) {
            refuse(verdict);
            return bytes.size();
        }
        if (!service_.stream_handler().received(*this, rest.substr(0, framer_.size()))) {
            stalled_ = true;
            break;
        }
        used += framer_.size();
        framer_.restart();
    }
    if (used > 0) {
        last_given_at = connection_.last_read_at;
    }
    return used;
}

// Nothing after it can be understood. What came before is still handled.
void StreamSession::refuse(Verdict verdict) {
    service_.stream_handler().malformed(*this, verdict);
    ended_ = true;
    connection_.pause_reading();
    schedule();
}

void StreamSession::on_bytes(const char* data, size_t size) {
    if (ended_) {
        return;
    }
    if (rules_.in_ready_phase || held() || !in_.empty()) {
        in_.append({data, size});
        if (rules_.in_ready_phase || held()) {
            settle_reading();
            schedule();
            return;
        }
        in_.consume(deliver(in_.view()));
    } else {
        size_t used = deliver({data, size});
        if (used < size && open()) {
            in_.append({data + used, size - used});
        }
    }
    settle_reading();
}

// The rest of a large packet is read to where it is needed.
net::Session::Room StreamSession::room() {
    return ended_ || in_.empty() ? Room{} : room_for_announced(in_, framer_.missing(in_.size()));
}

void StreamSession::on_read(size_t size) {
    in_.commit(size);
    if (!rules_.in_ready_phase && !held()) {
        in_.consume(deliver(in_.view()));
        settle_reading();
    } else {
        settle_reading();
        schedule();
    }
}

// Reading goes on unless a delivery waits for something; an idle connection holds no buffer.
void StreamSession::settle_reading() {
    if (!open()) {
        return;
    }
    if (in_.empty() && in_.capacity() > 0) {
        in_.release();
    }
    if (held()) {
        connection_.pause_reading();
    } else if (!ended_ && !draining_) {
        connection_.resume_reading();
    }
}

// In the ready phase, after the calls that were queued before it.
void StreamSession::pump() {
    if (!open()) {
        return;
    }
    size_t used = 0;
    if (!in_.empty() && !held()) {
        used = deliver(in_.view());
        in_.consume(used);
    }
    if (!open()) {
        return;
    }
    if (ended_ && used > 0) {
        schedule();  // what was just delivered begins before the end
    } else if (ended_ && !held()) {
        connection_.close_after_flush();
    } else {
        settle_reading();
    }
}

void StreamSession::look_again() {
    stalled_ = false;
    schedule();
}

void StreamSession::pause() {
    paused_ = true;
    settle_reading();
}

void StreamSession::resume() {
    paused_ = false;
    schedule();
}

void StreamSession::call_begins(size_t bytes) {
    calls_++;
    queued_ += bytes;
}

void StreamSession::call_ends(size_t bytes) {
    bool was_held = held();
    calls_--;
    queued_ -= bytes;
    if (draining_ && calls_ == 0 && open()) {
        leave();
    } else if (was_held && !held()) {
        schedule();
    }
}

void StreamSession::on_end() {
    ended_ = true;
    schedule();
}

// Called when a write ended with bytes left, and when nothing is left after that.
void StreamSession::on_blocked() {
    uint64_t pending = connection_.pending();
    if (!told_full && rules_.high_watermark > 0 && pending >= rules_.high_watermark) {
        told_full = true;
        service_.stream_handler().buffer_changed(*this, true);
    } else if (told_full && pending <= rules_.low_watermark) {
        told_full = false;
        service_.stream_handler().buffer_changed(*this, false);
    }
    service_.publish_unsent(connection_);
    if (has_room()) {
        service_.stream_handler().progressed(*this);
    }
}

void StreamSession::on_deadline() {
    Nanos now = connection_.hub().loop().iteration_time();
    if (!connection_.transport().ready()) {
        if (now - connection_.opened_at >= service_.limits(connection_).header_time) {
            connection_.close_now(net::CloseCause::kTimeout);
        } else {
            arm_handshake();
        }
        return;
    }
    // A session that does not read cannot tell that the peer is silent.
    Nanos heard = connection_.reading() ? connection_.last_read_at : now;
    if (guarded || rules_.idle_time <= 0 || now - heard < rules_.idle_time) {
        arm_idle(guarded ? now + rules_.idle_time : heard + rules_.idle_time);
        return;
    }
    connection_.close_now(net::CloseCause::kTimeout);
}

void StreamSession::on_closed() {
    pump_.unlink();
    service_.stream_handler().progressed(*this);
    service_.forget(connection_);
}

void StreamSession::announce_drain() {
    if (service_.host().can_hand_over(connection_)) {
        drain();
    }
}

void StreamSession::drain() {
    draining_ = true;
    connection_.pause_reading();
    if (calls_ == 0) {
        leave();
    }
}

void StreamSession::leave() {
    if (ended_ || !service_.host().hand_over(connection_)) {
        connection_.close_after_flush();
    }
}

void StreamSession::restore(const Snapshot& from, std::string_view kept) {
    last_sent_at = from.last_sent_at;
    last_given_at = from.last_given_at;
    uid = from.uid;
    guarded = from.guarded;
    paused_ = from.paused;
    in_.append(kept);
    settle_reading();
    if (!in_.empty()) {
        schedule();
    }
}

}  // namespace stampede::server
