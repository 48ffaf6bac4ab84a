// When what an application sends leaves: before the application does anything else, which may take
// long. Only what it does last is left to the loop, which sends it together with what else a group
// of events gives. PHP thread; never parks.
#pragma once

#include "zend/php.h"

namespace stampede::classes {

// At the end of a method that sends; call: the method's frame.
void send_promptly(const zend_execute_data* call);

}  // namespace stampede::classes
