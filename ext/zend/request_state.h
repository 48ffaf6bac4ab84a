// What the engine and its modules keep in globals for the one request that they know: global
// variables with the superglobals, header fields and status, the request's input, the session,
// shutdown functions, the last error, the time zone; and the static properties that an application
// has named (RequestStatics). Values are moved bit by bit: a reference that
// a global holds belongs to whichever RequestState the value has been swapped into. PHP thread.
//
//   request running     globals = the request's     its RequestState = the process's
//   not running         globals = the process's     its RequestState = the request's
#pragma once

#include <memory>

#include "zend/php.h"
#include "zend/request_statics.h"
#include "zend/stream_state.h"

#include "SAPI.h"
#include "ext/json/php_json.h"
#include "ext/pcre/php_pcre.h"

namespace stampede::zend {

// What output_add_rewrite_var() and session.use_trans_sid add to the links of a page.
struct LinkAdditions;

// What must hold for a global to be exchanged like that: it is only looked at in steps of PHP code
// (or at the end of a script), nothing keeps a pointer into it across such steps, and its
// destructor is called for whatever it then holds. What keeps pointers into EG(symbol_table)
// (frames with ZEND_CALL_HAS_SYMBOL_TABLE, variables of the compiler) points to the table's head,
// which stays where it is: its contents are swapped.
class RequestState {
public:
    // A request's first state, made while the globals are the process's: its variables are copies
    // of the process's, all else is as at the start of a script.
    RequestState();
    RequestState(const RequestState&) = delete;
    RequestState& operator=(const RequestState&) = delete;
    // Frees what a request leaves: to be called after it was swapped out for the last time. The
    // variables are to be gone by then, since destructors must find the request running.
    ~RequestState();

    // Never runs PHP code, and never waits.
    void swap();
    // At the end of the running request, after its variables.
    void forget_installed();
    // The running request will not end: the process ends in it, and calls its own shutdown
    // functions after the request's.
    void take_shutdown_functions_of_process();

private:
    // What strtok() goes on with.
    struct Tokens {
        zend_string* text = nullptr;
        char* last = nullptr;
        size_t length = 0;
    };

    void swap_link_additions();

    HashTable variables_;
    RequestStatics statics_;
    StreamState streams_;
    zend_llist tick_functions_;
    zend_llist* user_tick_functions_ = nullptr;
    Tokens tokens_;
    php_json_error_code json_error_ = PHP_JSON_ERROR_NONE;
    php_pcre_error_code pcre_error_ = PHP_PCRE_NO_ERROR;
    sapi_headers_struct headers_ = {};
    sapi_request_info info_ = {};
    zval header_callback_;
    zend_fcall_info_cache header_callback_cache_ = {};
    int64_t read_post_bytes_ = 0;
    unsigned char post_read_ = 0;
    unsigned char headers_sent_ = 0;
    HashTable* shutdown_functions_ = nullptr;
    int last_error_type_ = 0;
    int last_error_line_ = 0;
    zend_string* last_error_message_ = nullptr;
    zend_string* last_error_file_ = nullptr;
    zend_string* output_start_file_ = nullptr;
    int output_start_line_ = 0;
    int output_flags_;
    decltype(php_core_globals::connection_status) connection_status_ = PHP_CONNECTION_NORMAL;
    char* time_zone_;
    zend_string* ctype_locale_;
    bool locale_changed_;
    std::unique_ptr<unsigned char[]> session_;
    std::unique_ptr<LinkAdditions> link_additions_;  // null until there are some
};

// Destroys the running request's variables, newest first, as PHP does at the end of a script;
// destructors run and may wait.
void destroy_request_variables();
// First those that only the variable itself holds: their destructors may still print.
void destroy_objects_of_variables();
// The stack of the running request is lost: variables that lie in its frames move to the table.
void detach_request_variables();
// Writes the running request's session and forgets it. User session handlers run and may wait.
void end_session();
// error_get_last() tells the running request of it, as of one that has ended its script.
void note_fatal_error(zend_string* message, zend_string* file, int line);
// Forgets the running request's header fields.
void forget_header_fields();

}  // namespace stampede::zend
