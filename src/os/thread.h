// Helper threads: started without signals, which stay with the thread that handles them. Any
// thread, never parks.
#pragma once

#include "base/error.h"

namespace stampede::os {

// Runs detached. From the first one on this library stays mapped until the process ends, so that a
// thread that is still asleep then does not wake up in nothing.
Error start_thread(void* (*run)(void*), void* arg);

}  // namespace stampede::os
