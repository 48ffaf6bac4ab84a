#include "zend/web_request.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "SAPI.h"
#include "zend/changed_settings.h"
#include "zend/error_level.h"
#include "zend/lasting_settings.h"
#include "zend/opcache_time.h"
#include "zend/process_settings.h"
#include "zend/request_state.h"
#include "zend/throw.h"
#include "zend/trusted_file.h"
#include "zend_smart_str.h"

// PHP's header declares them without the linkage of C, in which they are compiled: a call by their
// own names would look for a C++ symbol, and the module would not load. The name of the symbol is
// given here instead.
extern void call_shutdown_functions() __asm__("php_call_shutdown_functions");
extern void free_shutdown_functions() __asm__("php_free_shutdown_functions");

namespace stampede::zend {

WebRequest* live_web_request = nullptr;
bool changing_web_request = false;

void run_shutdown_functions() {
    call_shutdown_functions();
    free_shutdown_functions();
}

// The coroutine is told by its context, not its number, since a request can also be begun outside
// of coroutines. The context is a block of the pool that the next coroutine gets, so it is cleared
// when the request ends (finish(), disown()).
struct WebRequest {
    WebRequest(const WebRequestFacts& given, const Callable& callback)
        : facts(given), output(callback) {
        zend_string_addref(facts.body);
        for (HashTable* array : arrays()) {
            GC_TRY_ADDREF(array);
        }
    }
    ~WebRequest() {
        for (HashTable* array : arrays()) {
            zend_array_release(array);
        }
        zend_string_release(facts.body);
        smart_str_free(&printed);
    }

    std::array<HashTable*, 5> arrays() const {
        return {facts.get, facts.post, facts.cookies, facts.files, facts.server};
    }

    uint32_t references = 2;  // of coroutines; one of its own until it ends
    bool ended = false;
    zend_fiber_context* context = EG(current_fiber_context);  // of the coroutine that began it
    WebRequestFacts facts;    // held; `server` has the texts that SG(request_info) points to
    size_t read = 0;          // bytes of the body, by php://input
    bool has_script = false;  // and is no part of an application that goes on
    bool runs_script = false;
    bool exits = false;  // exit() unwinds the script
    bool runs_finally = false;
    Callable output;
    bool holds_output = false;
    int level = php_output_get_level();  // of output buffers, before
    smart_str printed = {};
    std::string status_line;     // the engine forgets it when it takes the header to be sent
    KeptErrorLevel error_level;  // of the coroutine, before
    RequestState state;
    ChangedSettings settings;
    ProcessSettings process;
};

namespace {

size_t requests_under_way = 0;

constexpr size_t kOutputChunk = 64 * 1024;  // of output, then it leaves

// ---- output ------------------------------------------------------------------------------------

// As where the engine cannot write to the client of its own web servers.
void note_absence_of_client() {
    if (PG(connection_status) != PHP_CONNECTION_NORMAL || zend::exception_pending()) {
        return;
    }
    PG(connection_status) = PHP_CONNECTION_ABORTED;
    if (!PG(ignore_user_abort) && main_script_runs()) {
        leave_main_script();
    }
}

// Gives the application's function what has been printed since the last time. The string is taken
// first: the function may print, and may wait. Where nothing was printed before, the header is not
// complete yet: the engine calls the function of header_register_callback() and adds the type.
void give_output(WebRequest& request, bool last) {
    if (!request.output) {
        return;
    }
    if (SG(headers_sent) == 0) {
        sapi_send_headers();
    }
    zend_string* data = smart_str_extract(&request.printed);
    zval arguments[2];
    ZVAL_STR(&arguments[0], data);
    ZVAL_BOOL(&arguments[1], last);
    zval result;
    ZVAL_UNDEF(&result);
    zend_fcall_info fci = request.output.fci;
    fci.param_count = 2;
    fci.params = arguments;
    fci.retval = &result;
    zend_call_function(&fci, &request.output.fcc);
    bool has_left = Z_TYPE(result) == IS_FALSE;
    zval_ptr_dtor(&result);
    zend_string_release(data);
    if (has_left) {
        note_absence_of_client();
    }
}

// What other coroutines print is not the request's output, also of those that it has created: they
// may outlive it.
bool prints_for_request() {
    return live_web_request != nullptr && live_web_request->output &&
           EG(current_fiber_context) == live_web_request->context;
}

// A copy of the functions that were there when the first request of a script began. sapi_module is
// a variable of the program that every output goes through, so replacements look at
// live_web_request first and otherwise behave as the original. They are taken once and given back
// at the end of the script.
sapi_module_struct usual_sapi;
bool sapi_taken = false;

size_t write_output(const char* text, size_t length) {
    if (!prints_for_request()) {
        return usual_sapi.ub_write(text, length);
    }
    WebRequest& request = *live_web_request;
    smart_str_appendl(&request.printed, text, length);
    if (ZSTR_LEN(request.printed.s) >= kOutputChunk && !request.holds_output &&
        !zend::exception_pending()) {
        give_output(request, false);
    }
    return length;
}

void flush_output(void* server_context) {
    if (!prints_for_request()) {
        usual_sapi.flush(server_context);
    } else if (!live_web_request->holds_output && !zend::exception_pending()) {
        give_output(*live_web_request, false);
    }
}

// ---- header fields and input -------------------------------------------------------------------

int send_headers(sapi_headers_struct* headers) {
    if (live_web_request != nullptr) {
        const char* line = headers->http_status_line;
        live_web_request->status_line = line != nullptr ? line : "";
        return SAPI_HEADER_SENT_SUCCESSFULLY;
    }
    return usual_sapi.send_headers != nullptr ? usual_sapi.send_headers(headers)
                                              : SAPI_HEADER_SENT_SUCCESSFULLY;
}

// That of the command line drops them.
int keep_header(sapi_header_struct* field, sapi_header_op_enum operation,
                sapi_headers_struct* headers) {
    return live_web_request != nullptr || usual_sapi.header_handler == nullptr
               ? SAPI_HEADER_ADD
               : usual_sapi.header_handler(field, operation, headers);
}

// PHP reads php://input through this once and keeps it in a stream of the request (request_body).
size_t read_body(char* buffer, size_t count) {
    if (live_web_request == nullptr) {
        return usual_sapi.read_post != nullptr ? usual_sapi.read_post(buffer, count) : 0;
    }
    WebRequest& request = *live_web_request;
    size_t taken = std::min(count, ZSTR_LEN(request.facts.body) - request.read);
    memcpy(buffer, ZSTR_VAL(request.facts.body) + request.read, taken);
    request.read += taken;
    return taken;
}

void take_sapi() {
    if (!std::exchange(sapi_taken, true)) {
        usual_sapi = sapi_module;
        sapi_module.ub_write = write_output;
        sapi_module.flush = flush_output;
        sapi_module.send_headers = send_headers;
        sapi_module.header_handler = keep_header;
        sapi_module.read_post = read_body;
    }
}

void give_sapi_back() {
    if (std::exchange(sapi_taken, false)) {
        sapi_module.ub_write = usual_sapi.ub_write;
        sapi_module.flush = usual_sapi.flush;
        sapi_module.send_headers = usual_sapi.send_headers;
        sapi_module.header_handler = usual_sapi.header_handler;
        sapi_module.read_post = usual_sapi.read_post;
    }
}

// Names of variables, with their hashes; they live as long as the process.
zend_string* lasting(std::string_view text) {
    zend_string* made = zend_string_init(text.data(), text.size(), true);
    zend_string_hash_val(made);
    return made;
}

const char* text_of(HashTable* server, zend_string* name) {
    zval* found = zend_hash_find(server, name);
    if (found != nullptr) {
        ZVAL_DEREF(found);
    }
    return found != nullptr && Z_TYPE_P(found) == IS_STRING ? Z_STRVAL_P(found) : nullptr;
}

// The fields are bare pointers into strings of `server`, which the request holds for as long as
// they are set.
void set_request_info(const WebRequest& request) {
    static zend_string* const method = lasting("REQUEST_METHOD");
    static zend_string* const uri = lasting("REQUEST_URI");
    static zend_string* const query = lasting("QUERY_STRING");
    static zend_string* const type = lasting("CONTENT_TYPE");
    static zend_string* const cookie = lasting("HTTP_COOKIE");
    sapi_request_info& info = SG(request_info);
    auto or_empty = [&](zend_string* name) {
        const char* text = text_of(request.facts.server, name);
        return const_cast<char*>(text != nullptr ? text : "");
    };
    info.request_method = text_of(request.facts.server, method);
    info.request_uri = or_empty(uri);
    info.query_string = or_empty(query);
    info.content_type = or_empty(type);
    info.cookie_data = or_empty(cookie);
    info.content_length = static_cast<zend_long>(ZSTR_LEN(request.facts.body));
    info.headers_only = info.request_method != nullptr && strcmp(info.request_method, "HEAD") == 0;
    info.no_headers = false;
    info.proto_num = 1001;
    info.request_body = nullptr;  // PHP makes one when php://input is opened
    SG(post_read) = ZSTR_LEN(request.facts.body) == 0;
}

// ---- superglobals ------------------------------------------------------------------------------

void set_variable(zend_string* name, HashTable* values) {
    zval value;
    ZVAL_ARR(&value, values);
    if ((GC_FLAGS(values) & GC_IMMUTABLE) != 0) {
        Z_TYPE_INFO(value) = IS_ARRAY;  // of a constant: not counted
    }
    Z_TRY_ADDREF(value);
    zend_hash_update(&EG(symbol_table), name, &value);
}

void set_superglobals(const WebRequestFacts& facts) {
    static zend_string* const get = lasting("_GET");
    static zend_string* const post = lasting("_POST");
    static zend_string* const cookie = lasting("_COOKIE");
    static zend_string* const files = lasting("_FILES");
    static zend_string* const server = lasting("_SERVER");
    static zend_string* const request = lasting("_REQUEST");
    set_variable(get, facts.get);
    set_variable(post, facts.post);
    set_variable(cookie, facts.cookies);
    set_variable(files, facts.files);
    set_variable(server, facts.server);
    HashTable* both = zend_hash_num_elements(facts.post) == 0  ? facts.get
                      : zend_hash_num_elements(facts.get) == 0 ? facts.post
                                                               : nullptr;
    if (both != nullptr) {
        set_variable(request, both);
        return;
    }
    both = zend_array_dup(facts.get);
    zend_hash_copy(both, facts.post, zval_add_ref);
    set_variable(request, both);
    zend_array_release(both);
}

// ---- the end -----------------------------------------------------------------------------------

// Buffers that the application has left open are sent, as at the end of any request.
void end_output(WebRequest& request) {
    while (php_output_get_level() > request.level && php_output_end() == SUCCESS) {
    }
    give_output(request, true);
}

// When code with the global variables ends, the engine gives them back to the next frame below that
// uses them, too. Outside of coroutines that is the process's own script, whose variables are not
// in the table while a request runs: the frame must not be found.
class HiddenOuterScript {
public:
    HiddenOuterScript() {
        while (frame_ != nullptr && (frame_->func == nullptr ||
                                     (ZEND_CALL_INFO(frame_) & ZEND_CALL_HAS_SYMBOL_TABLE) == 0)) {
            frame_ = frame_->prev_execute_data;
        }
        if (frame_ != nullptr) {
            table_ = std::exchange(frame_->symbol_table, nullptr);
        }
    }
    ~HiddenOuterScript() {
        if (frame_ != nullptr) {
            frame_->symbol_table = table_;
        }
    }

private:
    zend_execute_data* frame_ = EG(current_execute_data);
    zend_array* table_ = nullptr;
};

// Whether exit() runs what `finally` blocks hold. A script was written for a process that ends
// then, and what such blocks print, or drop of what was printed, would change its response; in code
// that goes on with the next request they put back what it shares.
enum class Finally : uint8_t { kSkipped, kRuns };

// While code runs that exit() ends alone. Only the outermost one takes the unwinding for its end.
class ExitBoundary {
public:
    explicit ExitBoundary(Finally finally, zval* result = nullptr)
        : is_inner_(std::exchange(request_.runs_script, true)), result_(result) {
        if (!is_inner_) {
            request_.runs_finally = finally == Finally::kRuns;
        }
    }
    ~ExitBoundary() {
        request_.runs_script = is_inner_;
        if (is_inner_ || !std::exchange(request_.exits, false)) {
            return;
        }
        zend_object* thrown = EG(exception);
        if (thrown != nullptr && (zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown))) {
            OBJ_RELEASE(std::exchange(EG(exception), nullptr));
            if (result_ != nullptr) {
                ZVAL_NULL(result_);  // nothing was returned
            }
        }
    }

private:
    WebRequest& request_ = *live_web_request;
    bool is_inner_;
    zval* result_;
};

zend_op_array* compile_script(zend_string* file, Nanos trusted) {
    zend_file_handle handle;
    zend_stream_init_filename_ex(&handle, file);
    handle.primary_script = false;
    TrustedFile trust(file, trusted);
    zend_op_array* code = zend_compile_file(&handle, ZEND_REQUIRE);
    if (code != nullptr) {
        trust.confirm();
    }
    if (handle.opened_path != nullptr) {
        zend_hash_add_empty_element(&EG(included_files), handle.opened_path);
    }
    zend_destroy_file_handle(&handle);
    return code;
}

// The request's state leaves the globals for good. Variables go first: their destructors must find
// the request live. The coroutine's side keeps its reference until it is switched in again, so the
// object may outlive this call, marked as ended.
// make_live(nullptr) exchanges the state out for the last time, so that release() may free it; what
// is released after that (the function for output) is destroyed with the process's state in place.
void finish(WebRequest& request) {
    if (SG(request_info).request_body != nullptr) {
        php_stream_close(SG(request_info).request_body);
        SG(request_info).request_body = nullptr;
    }
    destroy_request_variables();
    request.state.forget_installed();
    request.process.forget_installed();
    // Others that are under way have the same connection.
    if (request.has_script && requests_under_way == 1) {
        request.process.close_connection();
    }
    make_live(nullptr);
    request.error_level.restore();
    request.ended = true;
    requests_under_way--;
    request.context = nullptr;
    request.output.release();
    request.output = Callable::none();
    release(request);
}

}  // namespace

bool web_request_under_way() {
    return live_web_request != nullptr && EG(current_fiber_context) == live_web_request->context;
}

// make_live(nullptr) first: a new request's state is a copy of the process's, not of another
// request.
WebRequest* begin_web_request(const WebRequestFacts& facts, const Callable& output) {
    take_sapi();
    tell_opcache_the_time();
    make_live(nullptr);
    auto* request = new WebRequest(facts, output);
    requests_under_way++;
    make_live(request);
    set_superglobals(facts);
    set_request_info(*request);
    return request;
}

const WebRequestFacts& facts_of(const WebRequest& request) { return request.facts; }

bool main_script_runs() { return web_request_under_way() && live_web_request->runs_script; }

void leave_main_script() {
    live_web_request->exits = true;
    if (live_web_request->runs_finally) {
        zend_throw_graceful_exit();
    } else {
        zend_throw_unwind_exit();
    }
}

void hold_output() { live_web_request->holds_output = true; }

zend_string* release_output() {
    WebRequest& request = *live_web_request;
    request.holds_output = false;
    return smart_str_extract(&request.printed);
}

const char* status_line() {
    const char* line = SG(sapi_headers).http_status_line;
    return line != nullptr ? line : live_web_request->status_line.c_str();
}

// What php_execute_scripts() does for the script of a process. zend_init_code_execute_data()
// attaches the frame to the table of global variables: the variables of the code are entries of the
// table that lie in this frame (IS_INDIRECT), until it ends and they move back. The code is
// destroyed with this call; what opcache shares of it is not touched by that.
void run_as_main_script(zend_string* file, Nanos trusted, zval* result) {
    zend_op_array* code = compile_script(file, trusted);
    if (code == nullptr) {
        return;
    }
    HiddenOuterScript hidden;
    live_web_request->has_script = true;
    zend_execute_data* frame =
        zend_vm_stack_push_call_frame(ZEND_CALL_TOP_CODE | ZEND_CALL_HAS_SYMBOL_TABLE,
                                      reinterpret_cast<zend_function*>(code), 0, nullptr);
    frame->symbol_table = &EG(symbol_table);
    frame->prev_execute_data = EG(current_execute_data);
    zend_init_code_execute_data(frame, code, result);
    {
        ExitBoundary boundary(Finally::kSkipped, result);
        zend_execute_ex(frame);
        zend_vm_stack_free_call_frame(frame);
    }
    zend_destroy_static_vars(code);
    destroy_op_array(code);
    efree_size(code, sizeof(zend_op_array));
}

void call_as_main_script(zend_fcall_info& fci, zend_fcall_info_cache& fcc, zval* result) {
    ExitBoundary boundary(Finally::kRuns, result);
    fci.retval = result;
    zend_call_function(&fci, &fcc);
}

// Each step may throw, exit, or wait, and the next one runs all the same: `request` stays live and
// held for the whole of it. Only finish() gives it up.
void end_web_request() {
    WebRequest& request = *live_web_request;
    ExceptionsOfSteps exceptions;
    {
        ExitBoundary boundary(Finally::kSkipped);
        run_shutdown_functions();
    }
    exceptions.step_done();
    {
        ExitBoundary boundary(Finally::kSkipped);
        destroy_objects_of_variables();
    }
    exceptions.step_done();
    end_session();
    exceptions.step_done();
    end_output(request);
    exceptions.step_done();
    finish(request);
}

void drop_web_request() {
    if (web_request_under_way()) {
        ExceptionsOfSteps exceptions;
        free_shutdown_functions();
        end_session();
        exceptions.step_done();
        finish(*live_web_request);
    }
}

void abandon_web_requests() {
    if (live_web_request != nullptr) {
        end_session();
        make_live(nullptr);
    }
    forget_request_statics();
    forget_lasting_settings();
    ChangedSettings::forget_process();
    give_sapi_back();
}

// ---- for the switch of coroutines --------------------------------------------------------------

void hold(WebRequest& request) { request.references++; }

void release(WebRequest& request) {
    if (--request.references == 0) {
        delete &request;
    }
}

bool has_ended(const WebRequest& request) { return request.ended; }

// Settings are changed while the globals hold the process's state, on the way out after the
// exchange and on the way in before it: what their handlers write besides the setting itself stays
// out of the state of a request. So both ways are mirror images of each other, and must stay so.
void make_live(WebRequest* request) {
    if (live_web_request == request) {
        return;
    }
    changing_web_request = true;
    if (live_web_request != nullptr) {
        live_web_request->process.swap();
        live_web_request->state.swap();
        live_web_request->settings.leave();
    }
    live_web_request = request;
    if (request != nullptr) {
        request->settings.enter();
        request->state.swap();
        request->process.swap();
    }
    changing_web_request = false;
}

// After a fatal error, still on the stack of the coroutine that failed, with its request's state in
// the globals.
bool disown(WebRequest& request) {
    if (request.context != EG(current_fiber_context)) {
        return false;
    }
    request.context = nullptr;
    detach_request_variables();
    request.state.take_shutdown_functions_of_process();
    return true;
}

void watch_settings_of_requests() {
    watch_process_settings([]() -> ProcessSettings* {
        return live_web_request != nullptr ? &live_web_request->process : nullptr;
    });
    watch_lasting_settings();
}

}  // namespace stampede::zend
