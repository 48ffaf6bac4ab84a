// How pieces of a response's body are given to its connection: small ones copied, large ones by
// reference, and through the spool where there is one. PHP thread, never parks.
#pragma once

#include "base/buffer.h"
#include "server/exchange.h"
#include "zend/php.h"

namespace stampede::classes {

void send_content(server::Exchange& exchange, zend_string* content);
void send_content(server::Exchange& exchange, Buffer&& content);

}  // namespace stampede::classes
