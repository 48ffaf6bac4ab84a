// What a script changes of its process and PHP does not put back: limits, priority, group, signals,
// rights. A script that calls one of these functions is the last one of its process, which costs
// the others nothing. PHP thread; once in a process, before code is compiled.
#pragma once

namespace stampede::request_loop {

void watch_lasting_changes();

}  // namespace stampede::request_loop
