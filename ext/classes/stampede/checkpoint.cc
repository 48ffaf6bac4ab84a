// Stampede\Checkpoint: the methods, and Stampede\run_in_batches(), for the worker. PHP thread,
// outside of coroutines; goBack() calls what the application runs at the end of a request.
#include "os/checkpoint.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "hooks/import_table.h"
#include "os/fd.h"
#include "os/process.h"
#include "os/socket_io.h"
#include "runtime/runtime.h"
#include "subsystems.h"
#include "zend/lasting_state.h"
#include "zend/php.h"
#include "zend/process_changes.h"
#include "zend/request_heap.h"
#include "zend/throw.h"

#include "stubs/checkpoint_arginfo.h"

using namespace stampede;

namespace {

os::Checkpoint* checkpoint = nullptr;
os::Checkpoint::Note peer;

// Instead of a connection: the request of a rehearsal.
char rehearsed[16 * 1024];
size_t rehearsed_begin = 0;
size_t rehearsed_end = 0;

long rehearse_some(char* out, size_t wanted) {
    size_t part = std::min(wanted, rehearsed_end - rehearsed_begin);
    memcpy(out, rehearsed + rehearsed_begin, part);
    rehearsed_begin += part;
    return static_cast<long>(part);
}

// No byte more than that: what this process has read and not handled is lost when it goes back, and
// another request may follow.
bool receive_exactly(char* out, size_t wanted) {
    while (wanted > 0) {
        long read = peer.connection < 0 ? rehearse_some(out, wanted)
                                        : os::read_some(peer.connection, out, wanted);
        if (read <= 0) {
            return false;
        }
        out += read;
        wanted -= static_cast<size_t>(read);
    }
    return true;
}

void refuse(const char* sentence) {
    zend::throw_error(zend::error_classes.error, EINVAL, "%s", sentence);
}

void refuse(const char* sentence, Error error) {
    auto code = static_cast<int>(error.code());
    zend::throw_error(zend::error_classes.error, code, "%s: %s", sentence, strerror(code));
}

bool refuse_in_coroutine() {
    runtime::Runtime* runtime = runtime::Runtime::peek();
    if (runtime != nullptr && runtime->current() != nullptr) {
        refuse("Stampede\\Checkpoint must be used outside of coroutines");
        return true;
    }
    return false;
}

}  // namespace

ZEND_METHOD(Stampede_Checkpoint, __construct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Stampede_Checkpoint, obstacle) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (const char* sentence = os::Checkpoint::obstacle()) {
        RETURN_STRING(sentence);
    }
}

ZEND_METHOD(Stampede_Checkpoint, keep) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (refuse_in_coroutine()) {
        RETURN_THROWS();
    }
    if (!os::has_one_thread()) {
        refuse("the process has more than one thread, and only one could be put back");
        RETURN_THROWS();
    }
    runtime::Runtime::prepare_return();
    zend::note_lasting_state();
    zend::forget_changes_of_process();
    checkpoint = os::Checkpoint::create();
    hooks::keep_imports();
    std::vector<os::AddressRange> unused = zend::part_heap_of_requests();
    Result<os::Arrival> arrival =
        checkpoint != nullptr ? checkpoint->keep(unused) : Error::system(ENOMEM);
    if (!arrival) {
        refuse("the memory of this process cannot be kept", arrival.error());
        RETURN_THROWS();
    }
    if (*arrival == os::Arrival::kKept) {
        runtime::Runtime::expect_return();
        RETURN_FALSE;
    }
    peer = checkpoint->note();
    zend::begin_request_above_lasting_state();
    RETURN_TRUE;
}

ZEND_METHOD(Stampede_Checkpoint, connect) {
    zend_string* path;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_PATH_STR(path)
    ZEND_PARSE_PARAMETERS_END();
    Result<os::Address> address = os::parse_unix(ZSTR_VAL(path));
    Result<int> opened = address ? os::connect_blocking(*address) : address.error();
    peer.connection = opened ? *opened : -1;
    RETURN_BOOL(static_cast<bool>(opened));
}

ZEND_METHOD(Stampede_Checkpoint, begin) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (refuse_in_coroutine()) {
        RETURN_THROWS();
    }
    if (checkpoint == nullptr || peer.connection < 0) {
        refuse("call Stampede\\Checkpoint::keep() before the fork, and connect() after it");
        RETURN_THROWS();
    }
    if (Error error = checkpoint->begin_child(peer)) {
        refuse("this process cannot note what it has", error);
        RETURN_THROWS();
    }
    hooks::return_to_kept_imports();
    refuse(checkpoint->go_back(os::LookAt::kEverything));
}

ZEND_METHOD(Stampede_Checkpoint, goBack) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (refuse_in_coroutine()) {
        RETURN_THROWS();
    }
    if (checkpoint == nullptr) {
        refuse("nothing was kept: call Stampede\\Checkpoint::keep() first");
        RETURN_THROWS();
    }
    if (!zend::end_request_above_lasting_state()) {
        RETURN_STRING("its end failed with an error");
    }
    hooks::return_to_kept_imports();
    RETURN_STRING(checkpoint->go_back(
        zend::may_have_changed_process() ? os::LookAt::kEverything : os::LookAt::kUsualChanges));
}

ZEND_METHOD(Stampede_Checkpoint, rehearse) {
    zend_string* received;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(received)
    ZEND_PARSE_PARAMETERS_END();
    if (ZSTR_LEN(received) > sizeof(rehearsed)) {
        zend_argument_value_error(1, "must not have more than %zu bytes", sizeof(rehearsed));
        RETURN_THROWS();
    }
    if (peer.connection >= 0) {
        refuse("this process is connected");
        RETURN_THROWS();
    }
    memcpy(rehearsed, ZSTR_VAL(received), ZSTR_LEN(received));
    rehearsed_begin = 0;
    rehearsed_end = ZSTR_LEN(received);
}

ZEND_METHOD(Stampede_Checkpoint, receive) {
    zend_long length;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(length)
    ZEND_PARSE_PARAMETERS_END();
    if (length < 0) {
        zend_argument_value_error(1, "must be greater than or equal to 0");
        RETURN_THROWS();
    }
    // It does not wait by recv(): that is woken, too, when the other side reads what was sent to
    // it.
    if (length > 0 && peer.connection >= 0 &&
        os::poll_one(peer.connection, os::PollFor::kReading, kNever) == 0) {
        RETURN_NULL();
    }
    auto wanted = static_cast<size_t>(length);
    zend_string* bytes = zend_string_alloc(wanted, false);
    if (!receive_exactly(ZSTR_VAL(bytes), wanted)) {
        zend_string_efree(bytes);
        RETURN_NULL();
    }
    ZSTR_VAL(bytes)[wanted] = 0;
    RETURN_NEW_STR(bytes);
}

ZEND_METHOD(Stampede_Checkpoint, send) {
    zend_string* bytes;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(bytes)
    ZEND_PARSE_PARAMETERS_END();
    if (peer.connection < 0) {
        RETURN_TRUE;
    }
    for (size_t done = 0; done < ZSTR_LEN(bytes);) {
        long sent = os::send_bytes(peer.connection, ZSTR_VAL(bytes) + done, ZSTR_LEN(bytes) - done);
        if (sent <= 0) {
            RETURN_FALSE;
        }
        done += static_cast<size_t>(sent);
    }
    RETURN_TRUE;
}

ZEND_FUNCTION(Stampede_run_in_batches) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(os::run_in_batches());
}

namespace stampede::ext {

zend_result checkpoint_minit(int, int) {
    zend_class_entry* ce = register_class_Stampede_Checkpoint();
    ce->ce_flags |= ZEND_ACC_NO_DYNAMIC_PROPERTIES;
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
