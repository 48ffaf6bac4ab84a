#include "os/thread.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>

namespace stampede::os {

namespace {

void keep_library_mapped() {
    static bool kept = false;
    Dl_info info;
    if (!kept && dladdr(reinterpret_cast<const void*>(&start_thread), &info) != 0) {
        // The reference is never given back.
        kept = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE) != nullptr;
    }
}

}  // namespace

Error start_thread(void* (*run)(void*), void* arg) {
    keep_library_mapped();
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int failure = pthread_create(&thread, nullptr, run, arg);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (failure != 0) {
        return Error::system(failure);
    }
    pthread_detach(thread);
    return Error();
}

}  // namespace stampede::os
