// Helper threads: started without signals, which stay with the thread that handles them. Any
// thread, never parks.
#pragma once

#include "base/error.h"

// The leak checker cannot look into what a thread has of a library that was loaded late.
#ifdef STAMPEDE_DEBUG
#define STAMPEDE_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) thread_local
#else
#define STAMPEDE_THREAD_LOCAL thread_local
#endif

namespace stampede::os {

// Runs detached. From the first one on this library stays mapped until the process ends, so that a
// thread that is still asleep then does not wake up in nothing.
Error start_thread(void* (*run)(void*), void* arg);

}  // namespace stampede::os
