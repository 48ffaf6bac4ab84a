// Settings that code of a request makes for longer than the request: a service of a container that
// outlives requests is made in one of them, and what its constructor sets (the folder of sessions,
// a stream wrapper, the time zone) must hold as long as the service. PHP thread.
#pragma once

#include "zend/php.h"

namespace stampede::zend {

// From now on what is set below a method of a class that is, extends or implements this one is set
// for the process as well as for the request.
void keep_settings_made_below(zend_class_entry* ce);
// The script ends, and with it the application's classes.
void forget_lasting_settings();
// Once in a process, after watch_process_settings() and before code of the application is compiled.
void watch_lasting_settings();

}  // namespace stampede::zend
