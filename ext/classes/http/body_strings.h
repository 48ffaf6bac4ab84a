// Bodies that come straight into strings of PHP, so that Request::getContent() copies nothing.
// PHP thread, never parks.
#pragma once

#include "server/body_buffer.h"
#include "zend/php.h"

namespace stampede::classes {

// The memory of PHP ends a script when its limit is reached, which must not happen while the loop
// reads: there is a share of the limit for bodies that come, and none is given near the limit.
server::BodyMemory& body_strings();

// A string of a whole body that lies there, with a reference for the caller.
zend_string* share_body_string(char* bytes, size_t size);

}  // namespace stampede::classes
