// What a connection speaks once an HTTP/1 request has agreed on it (WebSocket). Owned by the
// connection's Http1Session, which passes everything on. Loop thread; never parks.
#pragma once

#include "net/connection.h"

namespace stampede::server {

class UpgradedSession : public net::Session {
public:
    // The worker drains: the peer is told to go.
    virtual void drain() = 0;
};

}  // namespace stampede::server
