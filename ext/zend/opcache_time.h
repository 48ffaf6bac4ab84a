// opcache takes the time at which the script of the process began for the present, and does not
// keep files that are newer than that, less two seconds (opcache.file_update_protection): they may
// be written at this moment. In a server that would be all that was deployed since it was started.
// PHP thread.
#pragma once

namespace stampede::zend {

// When the script of the process begins.
void note_time_of_opcache();
// Before code is compiled; cheap enough for each request.
void tell_opcache_the_time();

}  // namespace stampede::zend
