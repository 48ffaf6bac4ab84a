// Preloaded before the AddressSanitizer runtime: PHP opens extensions with RTLD_DEEPBIND, which that runtime refuses.
#define _GNU_SOURCE
#include <dlfcn.h>

void *dlopen(const char *path, int flags) {
    static void *(*next)(const char *, int);
    if (!next) {
        next = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    }
    return next(path, flags & ~RTLD_DEEPBIND);
}
