// The engine's request life, around and around.
#include "request_loop/loop.h"

#include <cstdlib>

#include <unistd.h>

#include "os/process.h"
#include "request_loop/failures.h"
#include "request_loop/file_questions.h"
#include "request_loop/lasting_changes.h"
#include "request_loop/request.h"
#include "request_loop/response.h"
#include "request_loop/sapi.h"
#include "request_loop/script_stack.h"
#include "zend/php.h"

#include "SAPI.h"
#include "php_main.h"

namespace stampede::request_loop {
namespace {

// Of the environment, for the program that forks these processes (Php\PhpProgram).
constexpr const char* kFactsOfProgram = "STAMPEDE_FACTS";
constexpr uint64_t kLookEvery = 16;  // requests, at the memory

// The frames of PHP code between main() and this function are dead: nothing returns to them.
void leave_first_request() {
    EG(current_execute_data) = nullptr;
    php_request_shutdown(nullptr);
}

void run_script(const char* path) {
    zend_file_handle script;
    zend_stream_init_filename(&script, path);
    script.primary_script = true;
    php_execute_script(&script);
    zend_destroy_file_handle(&script);
}

void serve(const Request& request) {
    announce_request();
    zend_first_try {
        const char* path = request.field("SCRIPT_FILENAME");
        if (php_request_startup() == SUCCESS && path != nullptr) {
            tell_uploads();
            run_script(path);
        }
    }
    zend_end_try();
    php_request_shutdown(nullptr);
}

bool is_last(uint64_t served, const Limits& limits, pid_t self) {
    return (limits.requests > 0 && served >= limits.requests) ||
           (limits.memory > 0 && served % kLookEvery == 0 &&
            os::resident_memory(self) > limits.memory);
}

}  // namespace

void run(int connection, const Limits& limits) {
    pid_t self = os::own_pid();
    leave_first_request();
    ::unsetenv(kFactsOfProgram);  // the end of that request has put it back
    Request request(connection);
    Response response(connection);
    response.greet(self);
    take_sapi(request, response);
    watch_exceptions();
    watch_stack();
    if (limits.requests != 1) {  // for the next one
        remember_paths();
        watch_lasting_changes();
    }
    os::adopt_orphans();  // who kills this process finds all that the script has started
    for (uint64_t served = 1; goes_on() && request.receive(); served++) {
        if (is_last(served, limits, self)) {
            end_after_request();
        }
        response.begin();
        serve(request);
        if (os::own_pid() != self) {
            break;  // a child of the script's: the connection is its parent's
        }
        ::alarm(0);  // of pcntl_alarm(): it would end this process in another request
        request.discard_body();
    }
    os::exit_now(0);
}

}  // namespace stampede::request_loop
