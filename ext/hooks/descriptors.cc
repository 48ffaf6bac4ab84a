#include "hooks/descriptors.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "hooks/connection_use.h"
#include "hooks/files.h"
#include "hooks/hooks.h"
#include "hooks/kinds.h"
#include "hooks/readiness.h"
#include "io/descriptor_state.h"

namespace stampede::hooks {

namespace {

int hooked_close(int fd) {
    if (has_tables_of_descriptors()) {
        bool is_long = is_long_to_close(fd) && may_wait_for_files();
        forget_descriptor(fd);
        if (is_long) {
            return close_long_written(fd);
        }
    }
    return ::close(fd);
}

int hooked_fclose(FILE* file) { return close_file(file); }

// The number gets another descriptor, and the one that it had is closed without a close().
int replace_with(int fd, int replaced, int flags) {
    if (fd != replaced && replaced >= 0 && has_tables_of_descriptors() &&
        ::fcntl(fd, F_GETFD) >= 0) {
        forget_descriptor(replaced);
    }
    return flags < 0 ? ::dup2(fd, replaced) : ::dup3(fd, replaced, flags);
}

int hooked_dup2(int fd, int replaced) { return replace_with(fd, replaced, -1); }

int hooked_dup3(int fd, int replaced, int flags) {
    return flags < 0 ? ::dup3(fd, replaced, flags) : replace_with(fd, replaced, flags);
}

}  // namespace

// The number may be another descriptor's as soon as ::close() has returned: on another thread even
// before that does. So all that is known of it goes first. Its users come before that: they run
// now, and still read the rest.
void forget_descriptor(int fd) {
    end_use(fd);
    note_closed(fd);
    note_mode(fd, 0);
    if (DescriptorState* state = find_state(fd)) {
        state->transport = 0;
        state->kind = Kind::kUnknown;
        state->written = 0;
    }
}

// A coroutine that still waits for the number's last descriptor finds it gone.
void note_opened(int fd) {
    if (fd >= 0 && find_state(fd) != nullptr && has_tables_of_descriptors()) {
        forget_descriptor(fd);
    }
}

int close_file(FILE* file) {
    if (has_tables_of_descriptors()) {
        int error = errno;
        forget_descriptor(::fileno(file));
        errno = error;
    }
    return ::fclose(file);
}

const Redirect kDescriptorRedirects[] = {
    redirect<hooked_close>("close"),
    redirect<hooked_fclose>("fclose"),
    redirect<hooked_dup2>("dup2"),
    redirect<hooked_dup3>("dup3"),
};
const size_t kDescriptorRedirectCount =
    sizeof(kDescriptorRedirects) / sizeof(kDescriptorRedirects[0]);

}  // namespace stampede::hooks
