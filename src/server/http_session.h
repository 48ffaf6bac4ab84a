// A session that has responses, and what an exchange responds through: HTTP/1, or HTTP/2 with many
// exchanges at once. Owned by its connection; loop thread; never parks.
#pragma once

#include <memory>

#include "net/connection.h"
#include "server/connection_table.h"
#include "server/exchange.h"

namespace stampede::server {

class HttpSession : public net::Session {
public:
    // The request that waits for its response and fits. Null when none does; with HTTP/2 it must
    // have been given up (Exchange::detached), and be the only one.
    virtual Exchange* open_exchange(const ExchangeKey& key) const = 0;

    // The exchange's response. Called by Exchange, which keeps the order: a head, a body in pieces,
    // trailers, the end.
    virtual void write_head(Exchange& exchange, const ResponseHead& head, uint64_t body_length) = 0;
    // Sends 103 Early Hints; does nothing for a peer of HTTP/1.0.
    virtual void write_hints(Exchange& exchange, const FieldRef* fields, uint32_t count) = 0;
    virtual void write_body(Exchange& exchange, std::string_view bytes) = 0;
    // A piece that is sent from where it lies: it fits into the length that was promised, which has
    // counted it.
    virtual void write_body_ref(Exchange& exchange, const net::BytesRef& bytes) = 0;
    virtual void write_file(Exchange& exchange, const net::FileRange& file) = 0;
    virtual void write_trailers(Exchange& exchange, const FieldRef* fields, uint32_t count) = 0;
    // The end, in order or not: both let go of the exchange (Exchange::part).
    virtual void finish(Exchange& exchange) = 0;
    virtual void abort(Exchange& exchange) = 0;
    // Responds that the protocol changes (101, or what stands for it) with these valid fields, and
    // hands the connection over. False: this protocol cannot.
    virtual bool upgrade(Exchange& exchange, FieldList fields,
                         std::unique_ptr<net::Session> next) = 0;

    // The request that was put off (Host::Dispatched::kLater) is dispatched again.
    virtual void look_again() {}

    // Of an exchange whose body is streamed and not whole: its reader has taken some, or waits.
    virtual void body_wanted(Exchange& exchange) = 0;

    // Of the whole connection, in protocols that know such a thing (HTTP/2): an end that lets the
    // requests that have come get their responses, and a ping of at most 8 bytes. False: it was not
    // sent.
    virtual bool goaway(uint32_t, std::string_view) { return false; }
    virtual bool ping(std::string_view) { return false; }

    // Bytes of the response that have not left yet, and whether they wait for the peer.
    virtual uint64_t pending(const Exchange& exchange) const = 0;
    virtual bool blocked(const Exchange& exchange) const = 0;
};

inline Speaker speaker_of(std::unique_ptr<HttpSession> session) {
    HttpSession* http = session.get();
    return {std::move(session), http, nullptr};
}

}  // namespace stampede::server
