#include "zend/request_state.h"

#include <algorithm>
#include <utility>

#include "ext/date/php_date.h"
#include "ext/session/php_session.h"
#include "zend_smart_str.h"

namespace stampede::zend {

namespace {

// Null where PHP is built without sessions.
zend_module_entry* session_module() {
    static auto* module = static_cast<zend_module_entry*>(
        zend_hash_str_find_ptr(&module_registry, ZEND_STRL("session")));
    return module;
}

// PHP keeps what date_default_timezone_set() was given in the globals of its module, emalloc()ed.
char*& time_zone() {
    static auto* module = static_cast<zend_module_entry*>(
        zend_hash_str_find_ptr(&module_registry, ZEND_STRL("date")));
    return static_cast<zend_date_globals*>(module->globals_ptr)->timezone;
}

// PHP makes $_SERVER, $_ENV and $_REQUEST when it compiles the first code that names them, once in
// a script. It must not do so in the middle of a request, for that one alone.
void make_superglobals() {
    for (const char* name : {"_SERVER", "_ENV", "_REQUEST"}) {
        zend_is_auto_global_str(name, strlen(name));
    }
}

// Nothing of a session belongs to the process: a request's begins as PHP's own request does, except
// that it starts no session, which needs the request's cookies.
void clear_session_of_process() {
    static bool cleared = false;
    if (cleared) {
        return;
    }
    cleared = true;
    auto* globals = static_cast<php_ps_globals*>(session_module()->globals_ptr);
    bool starts_itself = std::exchange(globals->auto_start, false);
    session_module()->request_shutdown_func(MODULE_PERSISTENT, session_module()->module_number);
    session_module()->request_startup_func(MODULE_PERSISTENT, session_module()->module_number);
    globals->auto_start = starts_itself;
}

// References are not shared with the process, values are (copy on write).
// An IS_INDIRECT entry stands for a variable that lies in a frame (the main script's): the copy is
// a value of the table's own, for the frame is not the request's.
void copy_variables(HashTable& to, HashTable& from) {
    zend_hash_init(&to, zend_hash_num_elements(&from) + 8, nullptr, ZVAL_PTR_DTOR, 0);
    zend_hash_real_init_mixed(&to);
    zend_string* name;
    zval* found;
    ZEND_HASH_FOREACH_STR_KEY_VAL(&from, name, found) {
        zval* value = Z_TYPE_P(found) == IS_INDIRECT ? Z_INDIRECT_P(found) : found;
        ZVAL_DEREF(value);
        if (name != nullptr && Z_TYPE_P(value) != IS_UNDEF) {
            zval copy;
            ZVAL_COPY(&copy, value);
            zend_hash_add_new(&to, name, &copy);
        }
    }
    ZEND_HASH_FOREACH_END();
}

int destroy_sole_object(zval* variable) {
    zval* value = Z_TYPE_P(variable) == IS_INDIRECT ? Z_INDIRECT_P(variable) : variable;
    return Z_TYPE_P(value) == IS_OBJECT && Z_REFCOUNT_P(value) == 1 ? ZEND_HASH_APPLY_REMOVE
                                                                    : ZEND_HASH_APPLY_KEEP;
}

void release(zend_string* text) {
    if (text != nullptr) {
        zend_string_release(text);
    }
}

// In blocks: the compiler makes a loop over single bytes of std::swap_ranges().
void swap_memory(unsigned char* a, unsigned char* b, size_t size) {
    unsigned char block[256];
    while (size > 0) {
        size_t part = std::min(size, sizeof block);
        memcpy(block, a, part);
        memcpy(a, b, part);
        memcpy(b, block, part);
        a += part;
        b += part;
        size -= part;
    }
}

// Up to a setting of the process, the tags that are looked for.
constexpr size_t kLinkAdditions = offsetof(url_adapt_state_ex_t, tags);

bool has_link_additions() {
    return BG(url_adapt_session_ex).active != 0 || BG(url_adapt_output_ex).active != 0;
}

void forget(url_adapt_state_ex_t& additions) {
    for (smart_str* text :
         {&additions.tag, &additions.arg, &additions.val, &additions.buf, &additions.result,
          &additions.form_app, &additions.url_app, &additions.attr_val}) {
        smart_str_free(text);
    }
}

// What sapi_deactivate() frees after a request, field by field.
void forget(sapi_headers_struct& headers, zval& callback) {
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
    if (Z_TYPE(callback) != IS_UNDEF) {  // of header_register_callback()
        zval_ptr_dtor(&callback);
        ZVAL_UNDEF(&callback);
    }
}

}  // namespace

struct LinkAdditions {
    url_adapt_state_ex_t of_session = {};
    url_adapt_state_ex_t of_output = {};
};

RequestState::RequestState() {
    make_superglobals();
    copy_variables(variables_, EG(symbol_table));
    zend_llist& fields = SG(sapi_headers).headers;
    zend_llist_init(&headers_.headers, fields.size, fields.dtor, fields.persistent);
    headers_.send_default_content_type = 1;
    headers_.http_response_code = 200;
    info_ = SG(request_info);
    ZVAL_UNDEF(&header_callback_);
    output_flags_ = OG(flags) & ~(PHP_OUTPUT_IMPLICITFLUSH | PHP_OUTPUT_WRITTEN | PHP_OUTPUT_SENT);
    time_zone_ = time_zone() != nullptr ? estrdup(time_zone()) : nullptr;
    const zend_llist& ticks = PG(tick_functions);
    zend_llist_init(&tick_functions_, ticks.size, ticks.dtor, ticks.persistent);
    ctype_locale_ = BG(ctype_string) != nullptr ? zend_string_copy(BG(ctype_string)) : nullptr;
    locale_changed_ = BG(locale_changed);
    if (session_module() != nullptr) {
        clear_session_of_process();
        size_t size = session_module()->globals_size;
        session_ = std::make_unique_for_overwrite<unsigned char[]>(size);
        memcpy(session_.get(), session_module()->globals_ptr, size);
    }
}

RequestState::~RequestState() {
    forget(headers_, header_callback_);
    release(last_error_message_);
    release(last_error_file_);
    release(output_start_file_);
    release(ctype_locale_);
    release(tokens_.text);
    if (time_zone_ != nullptr) {
        efree(time_zone_);
    }
    if (link_additions_ != nullptr) {
        forget(link_additions_->of_session);
        forget(link_additions_->of_output);
    }
}

// Values are exchanged bit by bit, without a change of counts. A field that is added to the
// engine's state for a request has to be added here and to the constructor, which gives it the
// value of a script that begins, and, when it owns memory, to the destructor.
void RequestState::swap() {
    std::swap(EG(symbol_table), variables_);
    statics_.swap();
    streams_.swap();
    std::swap(PG(tick_functions), tick_functions_);
    std::swap(BG(user_tick_functions), user_tick_functions_);
    std::swap(BG(strtok_string), tokens_.text);
    std::swap(BG(strtok_last), tokens_.last);
    std::swap(BG(strtok_len), tokens_.length);
    std::swap(JSON_G(error_code), json_error_);
    std::swap(PCRE_G(error_code), pcre_error_);
    std::swap(SG(sapi_headers), headers_);
    std::swap(SG(request_info), info_);
    std::swap(SG(callback_func), header_callback_);
    std::swap(SG(fci_cache), header_callback_cache_);
    std::swap(SG(read_post_bytes), read_post_bytes_);
    std::swap(SG(post_read), post_read_);
    std::swap(SG(headers_sent), headers_sent_);
    std::swap(BG(user_shutdown_function_names), shutdown_functions_);
    std::swap(PG(last_error_type), last_error_type_);
    std::swap(PG(last_error_lineno), last_error_line_);
    std::swap(PG(last_error_message), last_error_message_);
    std::swap(PG(last_error_file), last_error_file_);
    std::swap(OG(output_start_filename), output_start_file_);
    std::swap(OG(output_start_lineno), output_start_line_);
    std::swap(OG(flags), output_flags_);
    std::swap(PG(connection_status), connection_status_);
    std::swap(time_zone(), time_zone_);
    std::swap(BG(ctype_string), ctype_locale_);
    std::swap(BG(locale_changed), locale_changed_);
    if (session_ != nullptr) {
        swap_memory(static_cast<unsigned char*>(session_module()->globals_ptr), session_.get(),
                    session_module()->globals_size);
    }
    swap_link_additions();
}

void RequestState::forget_installed() {
    statics_.release_installed();
    streams_.forget_installed();
    zend_llist_clean(&PG(tick_functions));
    if (BG(user_tick_functions) != nullptr) {
        zend_llist_destroy(BG(user_tick_functions));
        efree(BG(user_tick_functions));
        BG(user_tick_functions) = nullptr;
    }
}

// Few requests have any: the others leave these structures alone.
void RequestState::swap_link_additions() {
    if (link_additions_ == nullptr) {
        if (!has_link_additions()) {
            return;
        }
        link_additions_ = std::make_unique<LinkAdditions>();
    }
    auto swap_with = [](url_adapt_state_ex_t& global, url_adapt_state_ex_t& own) {
        swap_memory(reinterpret_cast<unsigned char*>(&global),
                    reinterpret_cast<unsigned char*>(&own), kLinkAdditions);
    };
    swap_with(BG(url_adapt_session_ex), link_additions_->of_session);
    swap_with(BG(url_adapt_output_ex), link_additions_->of_output);
}

// Entries are moved to the request's list, after its own. The emptied table must not destroy what
// they hold, only the memory of the entries, so its destructor is exchanged for one that does that.
void RequestState::take_shutdown_functions_of_process() {
    HashTable* functions = std::exchange(shutdown_functions_, nullptr);
    if (functions == nullptr) {
        return;
    }
    if (BG(user_shutdown_function_names) == nullptr) {
        BG(user_shutdown_function_names) = functions;
        return;
    }
    void* entry;
    ZEND_HASH_FOREACH_PTR(functions, entry) {
        zend_hash_next_index_insert_mem(BG(user_shutdown_function_names), entry,
                                        sizeof(php_shutdown_function_entry));
    }
    ZEND_HASH_FOREACH_END();
    functions->pDestructor = [](zval* moved) { efree(Z_PTR_P(moved)); };
    zend_hash_destroy(functions);
    FREE_HASHTABLE(functions);
}

void destroy_objects_of_variables() {
    zend_hash_reverse_apply(&EG(symbol_table), destroy_sole_object);
}

// "graceful": the table stays usable while destructors of its values run, and these may look at it.
void destroy_request_variables() { zend_hash_graceful_reverse_destroy(&EG(symbol_table)); }

// The frames are still there as memory, and only read: their references move to the table, and
// nothing will ever pop those frames.
void detach_request_variables() {
    zval* variable;
    ZEND_HASH_FOREACH_VAL(&EG(symbol_table), variable) {
        if (Z_TYPE_P(variable) == IS_INDIRECT) {
            ZVAL_COPY_VALUE(variable, Z_INDIRECT_P(variable));
            if (Z_TYPE_P(variable) == IS_UNDEF) {
                ZVAL_NULL(variable);
            }
        }
    }
    ZEND_HASH_FOREACH_END();
}

// Its RSHUTDOWN writes and closes the session, and calls a save handler of the script.
void end_session() {
    if (session_module() != nullptr) {
        session_module()->request_shutdown_func(MODULE_PERSISTENT, session_module()->module_number);
    }
}

void note_fatal_error(zend_string* message, zend_string* file, int line) {
    release(std::exchange(PG(last_error_message), zend_string_copy(message)));
    release(std::exchange(PG(last_error_file), zend_string_copy(file)));
    PG(last_error_type) = E_ERROR;
    PG(last_error_lineno) = line;
}

void forget_header_fields() { forget(SG(sapi_headers), SG(callback_func)); }

}  // namespace stampede::zend
