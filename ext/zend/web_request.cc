#include "zend/web_request.h"

#include <utility>

#include "SAPI.h"
#include "zend_smart_str.h"
#include "zend/throw.h"

// PHP's header declares them without the linkage of C, in which they are compiled.
extern void call_shutdown_functions() __asm__("php_call_shutdown_functions");
extern void free_shutdown_functions() __asm__("php_free_shutdown_functions");

namespace stampede::zend {

namespace {

constexpr int kRestoring = PHP_INI_STAGE_DEACTIVATE;  // as PHP does it after a request
constexpr size_t kOutputChunk = 64 * 1024;            // of output, then it leaves

// Strings that the engine only borrows while the request runs.
struct HeldFacts {
    zend_string* texts[5];

    explicit HeldFacts(const WebRequestFacts& facts)
        : texts{zend_string_copy(facts.method), zend_string_copy(facts.uri),
                zend_string_copy(facts.query), zend_string_copy(facts.content_type),
                zend_string_copy(facts.cookies)} {}
    ~HeldFacts() {
        for (zend_string* text : texts) {
            zend_string_release(text);
        }
    }
};

struct WebRequest {
    WebRequest(const WebRequestFacts& given, const Callable& callback)
        : facts(given), output(callback) {}

    HeldFacts facts;
    Callable output;
    sapi_request_info info_before;
    unsigned char headers_sent_before;
    unsigned char post_read_before;
    HashTable* shutdown_functions_before;
    HashTable* settings_before = nullptr;  // changed ones: name to value
    HashTable* globals_before;             // names
    zend_fiber_context* context;           // that it runs in
    int level;                             // of output buffers, before
    bool implicit_flush_before;
    smart_str printed = {};
};

WebRequest* present;  // nothing frees it when the process ends in the middle of it
sapi_module_struct usual_sapi;

// Gives the application's function what has been printed since the last time. The string is taken
// first: the function may print, and may wait.
void tell_output(bool last) {
    zend_string* data = smart_str_extract(&present->printed);
    SG(headers_sent) = 1;
    zval arguments[2];
    ZVAL_STR(&arguments[0], data);
    ZVAL_BOOL(&arguments[1], last);
    zval result;
    ZVAL_UNDEF(&result);
    zend_fcall_info fci = present->output.fci;
    fci.param_count = 2;
    fci.params = arguments;
    fci.retval = &result;
    zend_call_function(&fci, &present->output.fcc);
    zval_ptr_dtor(&result);
    zend_string_release(data);
}

// What other coroutines print while the request waits is not its output.
bool prints_for_request() {
    return present != nullptr && EG(current_fiber_context) == present->context;
}

size_t write_output(const char* text, size_t length) {
    if (!prints_for_request()) {
        return usual_sapi.ub_write(text, length);
    }
    smart_str_appendl(&present->printed, text, length);
    if (ZSTR_LEN(present->printed.s) >= kOutputChunk && !zend::exception_pending()) {
        tell_output(false);
    }
    return length;
}

void flush_output(void* server_context) {
    if (!prints_for_request()) {
        usual_sapi.flush(server_context);
    } else if (!zend::exception_pending()) {
        tell_output(false);
    }
}

int send_headers(sapi_headers_struct*) { return SAPI_HEADER_SENT_SUCCESSFULLY; }

// The functions of the command line's SAPI drop header fields.
void take_over_sapi() {
    usual_sapi = sapi_module;
    sapi_module.ub_write = write_output;
    sapi_module.flush = flush_output;
    sapi_module.send_headers = send_headers;
    sapi_module.header_handler = nullptr;
}

void give_sapi_back() {
    sapi_module.ub_write = usual_sapi.ub_write;
    sapi_module.flush = usual_sapi.flush;
    sapi_module.send_headers = usual_sapi.send_headers;
    sapi_module.header_handler = usual_sapi.header_handler;
}

// ---- header fields -----------------------------------------------------------------------------

void forget_headers() {
    sapi_headers_struct& headers = SG(sapi_headers);
    zend_llist_clean(&headers.headers);
    if (headers.mimetype != nullptr) {
        efree(headers.mimetype);
        headers.mimetype = nullptr;
    }
    if (headers.http_status_line != nullptr) {
        efree(headers.http_status_line);
        headers.http_status_line = nullptr;
    }
    headers.http_response_code = 0;
    headers.send_default_content_type = 1;
    if (Z_TYPE(SG(callback_func)) != IS_UNDEF) {  // of header_register_callback()
        zval_ptr_dtor(&SG(callback_func));
        ZVAL_UNDEF(&SG(callback_func));
    }
}

void set_request_info(const WebRequestFacts& facts) {
    sapi_request_info& info = SG(request_info);
    info.request_method = ZSTR_VAL(facts.method);
    info.request_uri = ZSTR_VAL(facts.uri);
    info.query_string = ZSTR_VAL(facts.query);
    info.content_type = ZSTR_VAL(facts.content_type);
    info.cookie_data = ZSTR_VAL(facts.cookies);
    info.content_length = static_cast<zend_long>(ZSTR_LEN(facts.body));
    info.headers_only = zend_string_equals_literal(facts.method, "HEAD");
    info.no_headers = false;
    info.proto_num = 1001;
    info.request_body = nullptr;  // PHP makes an empty one when php://input is opened
    if (ZSTR_LEN(facts.body) > 0) {
        info.request_body = php_stream_temp_create(TEMP_STREAM_DEFAULT, PHP_STREAM_MAX_MEM);
        php_stream_write(info.request_body, ZSTR_VAL(facts.body), ZSTR_LEN(facts.body));
        php_stream_rewind(info.request_body);
    }
    SG(post_read) = 1;  // all of it is there: php://input asks the server for nothing
    SG(read_post_bytes) = info.content_length;
}

// ---- settings ----------------------------------------------------------------------------------

void note_settings() {
    if (EG(modified_ini_directives) == nullptr) {
        return;
    }
    ALLOC_HASHTABLE(present->settings_before);
    zend_hash_init(present->settings_before, 8, nullptr, ZVAL_PTR_DTOR, 0);
    zend_string* name;
    void* found;
    ZEND_HASH_MAP_FOREACH_STR_KEY_PTR(EG(modified_ini_directives), name, found) {
        auto* entry = static_cast<zend_ini_entry*>(found);
        zval value;
        if (entry->value != nullptr) {
            ZVAL_STR_COPY(&value, entry->value);
        } else {
            ZVAL_NULL(&value);
        }
        zend_hash_update(present->settings_before, name, &value);
    }
    ZEND_HASH_FOREACH_END();
}

bool is_as_before(zend_string* name, const zend_ini_entry& entry, zval** before) {
    *before = present->settings_before != nullptr ? zend_hash_find(present->settings_before, name)
                                                  : nullptr;
    return *before != nullptr && Z_TYPE_P(*before) == IS_STRING && entry.value != nullptr &&
           zend_string_equals(Z_STR_P(*before), entry.value);
}

void restore_settings() {
    HashTable* changed = EG(modified_ini_directives);
    if (changed == nullptr) {
        return;
    }
    // Restoring changes the table that says what to restore.
    zval names;
    array_init(&names);
    zend_string* name;
    void* found;
    zval* before;
    ZEND_HASH_MAP_FOREACH_STR_KEY_PTR(changed, name, found) {
        if (!is_as_before(name, *static_cast<zend_ini_entry*>(found), &before)) {
            add_next_index_str(&names, zend_string_copy(name));
        }
    }
    ZEND_HASH_FOREACH_END();
    zval* each;
    ZEND_HASH_FOREACH_VAL(Z_ARRVAL(names), each) {
        before = present->settings_before != nullptr
                     ? zend_hash_find(present->settings_before, Z_STR_P(each))
                     : nullptr;
        if (before != nullptr && Z_TYPE_P(before) == IS_STRING) {
            zend_alter_ini_entry(Z_STR_P(each), Z_STR_P(before), PHP_INI_ALL, kRestoring);
        } else {
            zend_restore_ini_entry(Z_STR_P(each), kRestoring);
        }
    }
    ZEND_HASH_FOREACH_END();
    zval_ptr_dtor(&names);
}

// ---- global variables --------------------------------------------------------------------------

void note_globals() {
    ALLOC_HASHTABLE(present->globals_before);
    zend_hash_init(present->globals_before, zend_hash_num_elements(&EG(symbol_table)), nullptr,
                   nullptr, 0);
    zend_string* name;
    ZEND_HASH_FOREACH_STR_KEY(&EG(symbol_table), name) {
        if (name != nullptr) {
            zend_hash_add_empty_element(present->globals_before, name);
        }
    }
    ZEND_HASH_FOREACH_END();
}

void drop_new_globals() {
    zval names;
    array_init(&names);
    zend_string* name;
    ZEND_HASH_FOREACH_STR_KEY(&EG(symbol_table), name) {
        if (name != nullptr && !zend_hash_exists(present->globals_before, name)) {
            add_next_index_str(&names, zend_string_copy(name));
        }
    }
    ZEND_HASH_FOREACH_END();
    zval* each;
    ZEND_HASH_REVERSE_FOREACH_VAL(Z_ARRVAL(names), each) {
        zend_hash_del_ind(&EG(symbol_table), Z_STR_P(each));
    }
    ZEND_HASH_FOREACH_END();
    zval_ptr_dtor(&names);
}

// ---- the end -----------------------------------------------------------------------------------

void renew_session() {
    auto* module = static_cast<zend_module_entry*>(
        zend_hash_str_find_ptr(&module_registry, ZEND_STRL("session")));
    if (module == nullptr || module->request_shutdown_func == nullptr ||
        module->request_startup_func == nullptr) {
        return;
    }
    module->request_shutdown_func(MODULE_PERSISTENT, module->module_number);
    module->request_startup_func(MODULE_PERSISTENT, module->module_number);
}

void run_shutdown_functions() {
    call_shutdown_functions();
    free_shutdown_functions();
    BG(user_shutdown_function_names) = present->shutdown_functions_before;
}

// Buffers that the application has left open are sent, as at the end of any request.
void end_output() {
    while (php_output_get_level() > present->level && php_output_end() == SUCCESS) {
    }
    tell_output(true);
    php_output_set_implicit_flush(present->implicit_flush_before);
    give_sapi_back();
}

void restore_request_info() {
    if (SG(request_info).request_body != nullptr) {
        php_stream_close(SG(request_info).request_body);
    }
    SG(request_info) = present->info_before;
    SG(headers_sent) = present->headers_sent_before;
    SG(post_read) = present->post_read_before;
    SG(read_post_bytes) = 0;
}

void drop_table(HashTable* table) {
    if (table != nullptr) {
        zend_hash_destroy(table);
        FREE_HASHTABLE(table);
    }
}

}  // namespace

bool web_request_under_way() { return present != nullptr; }

bool begin_web_request(const WebRequestFacts& facts, const Callable& output) {
    if (present != nullptr) {
        return false;
    }
    present = new WebRequest(facts, output);
    present->info_before = SG(request_info);
    present->headers_sent_before = SG(headers_sent);
    present->post_read_before = SG(post_read);
    present->shutdown_functions_before = BG(user_shutdown_function_names);
    BG(user_shutdown_function_names) = nullptr;
    note_settings();
    note_globals();
    forget_headers();
    SG(sapi_headers).http_response_code = 200;
    SG(headers_sent) = 0;
    set_request_info(facts);
    present->context = EG(current_fiber_context);
    present->level = php_output_get_level();
    present->implicit_flush_before = (OG(flags) & PHP_OUTPUT_IMPLICITFLUSH) != 0;
    php_output_set_implicit_flush(0);
    take_over_sapi();
    return true;
}

void run_as_main_script(zend_string* file, zval* result) {
    zend_file_handle handle;
    zend_stream_init_filename_ex(&handle, file);
    handle.primary_script = false;
    zend_op_array* code = zend_compile_file(&handle, ZEND_REQUIRE);
    if (handle.opened_path != nullptr) {
        zend_hash_add_empty_element(&EG(included_files), handle.opened_path);
    }
    zend_destroy_file_handle(&handle);
    if (code == nullptr) {
        return;
    }
    zend_execute_data* frame =
        zend_vm_stack_push_call_frame(ZEND_CALL_TOP_CODE | ZEND_CALL_HAS_SYMBOL_TABLE,
                                      reinterpret_cast<zend_function*>(code), 0, nullptr);
    frame->symbol_table = &EG(symbol_table);
    frame->prev_execute_data = EG(current_execute_data);
    zend_init_code_execute_data(frame, code, result);
    zend_execute_ex(frame);
    zend_vm_stack_free_call_frame(frame);
    zend_destroy_static_vars(code);
    destroy_op_array(code);
    efree_size(code, sizeof(zend_op_array));
}

void end_web_request() {
    zend_object* thrown = EG(exception);
    EG(exception) = nullptr;
    run_shutdown_functions();
    renew_session();
    end_output();
    forget_headers();
    restore_request_info();
    restore_settings();
    drop_new_globals();
    drop_table(present->settings_before);
    drop_table(present->globals_before);
    present->output.release();
    delete std::exchange(present, nullptr);
    if (thrown != nullptr) {
        if (EG(exception) != nullptr) {
            zend_exception_set_previous(EG(exception), thrown);
        } else {
            EG(exception) = thrown;
        }
    }
}

void abandon_web_request() {
    if (present == nullptr) {
        return;
    }
    give_sapi_back();
    SG(request_info) = present->info_before;
    SG(headers_sent) = present->headers_sent_before;
    present = nullptr;
}

}  // namespace stampede::zend
