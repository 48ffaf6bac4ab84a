// A worker's half of a server: its service, its handler, and its end. One per worker process. PHP
// thread.
#pragma once

#include "ext/server/state.h"

namespace stampede::server {
class Service;
}

namespace stampede::classes {

// A worker or task worker: serves until told to end; returns the process's exit status. On the main
// context.
int run_worker(ServerState& state);

// Of this process; null outside workers.
server::Service* worker_service();
// The request of a connection of this worker that waits for its response, null when none does.
server::Exchange* open_exchange_of(zend_long fd, const server::ExchangeKey& key);

}  // namespace stampede::classes
