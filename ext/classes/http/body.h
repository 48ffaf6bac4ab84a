// Waiting for the body of a request that is streamed. PHP thread; parks.
#pragma once

#include "classes/http/request.h"

namespace stampede::classes {

// Parks until more of the body came, all of it, or the peer is gone. False, with the last error
// set, when the wait ended otherwise or cannot begin.
bool await_body(server::Exchange& exchange, Nanos deadline);
// All of it into memory. False when it broke off, or is larger than package_max_length.
bool collect_body(RequestObject& request);

}  // namespace stampede::classes
