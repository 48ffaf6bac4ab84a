// Why a script has failed: for the page of errors in development, and for the log. PHP thread of a
// forked child.
#pragma once

namespace stampede::request_loop {

// From now on the last exception of each request is remembered.
void watch_exceptions();
// Before PHP forgets the last error, as a request ends: tells the worker of a fatal error, and the
// log why the status is 500 when nothing else has said it.
void tell_failure();

}  // namespace stampede::request_loop
