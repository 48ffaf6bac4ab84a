// What programs print, for logs in which each line is an object of JSON: a process of its own reads
// the standard output and error of this process and of all that it starts, and writes each line as
// an object to where they led before. It ends when nobody can print any more, so nothing is lost
// when this process is killed. Any process with one thread; blocks for a moment.
#pragma once

#include "base/error.h"

namespace stampede::os {

// The descriptor of the former standard error, for those that write objects themselves; programs
// that are started have it as well.
Result<int> collect_output();

}  // namespace stampede::os
