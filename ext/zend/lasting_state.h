// The end of a request in a process that goes back to an earlier state of its memory afterwards
// (os/checkpoint.h): the code of the application that runs at the end of a request has run, and
// what is closed at the end is closed, but nothing is taken apart. PHP thread; what it calls is the
// application's.
#pragma once

#include "zend/php.h"

namespace stampede::zend {

// The objects, resources and persistent connections that exist now are there in every life.
void note_lasting_state();
// The time and the random numbers of a request are its own.
void begin_request_above_lasting_state();
// Shutdown functions, destructors, output; then what has come since note_lasting_state() is closed.
// False when something ended with a fatal error or with an exception that nothing caught, which has
// been reported.
bool end_request_above_lasting_state();

}  // namespace stampede::zend
