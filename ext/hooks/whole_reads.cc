#include "hooks/whole_reads.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "hooks/fairness.h"
#include "hooks/files.h"
#include "hooks/hooks.h"
#include "zend/php.h"
#include "zend/throw.h"
#include "zend/wrapped_function.h"

#include "ext/standard/file.h"

namespace stampede::hooks {

namespace {

constexpr size_t kAtOnce = 128 * 1024;  // some 100 us of splitting or copying

// The text as lines: with their ends, or without them and perhaps without empty ones.
class Lines {
public:
    Lines(zend_string* text, zend_long flags, char end_of_line)
        : begin_(ZSTR_VAL(text)),
          end_(begin_ + ZSTR_LEN(text)),
          end_of_line_(end_of_line),
          keeps_ends_((flags & PHP_FILE_IGNORE_NEW_LINES) == 0),
          skips_empty_((flags & PHP_FILE_SKIP_EMPTY_LINES) != 0) {}

    // False when an exception came while others had their turn.
    bool put_into(zval* out) {
        uint32_t count = 0;
        if (!this->count(count)) {
            return false;
        }
        array_init_size(out, count);
        zend_hash_real_init_packed(Z_ARRVAL_P(out));
        const char* line = begin_;
        while (line < end_) {
            if (!makes_room(line)) {
                return false;
            }
            auto* end = static_cast<const char*>(
                memchr(line, end_of_line_, static_cast<size_t>(end_ - line)));
            if (end == nullptr) {
                add_next_index_stringl(out, line, static_cast<size_t>(end_ - line));
                return true;
            }
            put_line(out, line, end);
            line = end + 1;
        }
        return true;
    }

private:
    // At most so many: an array that grows is copied as a whole, again and again.
    bool count(uint32_t& lines) {
        lines = 1;
        for (const char* at = begin_; at < end_; at++, lines++) {
            at = static_cast<const char*>(memchr(at, end_of_line_, static_cast<size_t>(end_ - at)));
            if (at == nullptr) {
                break;
            }
            if (!makes_room(at)) {
                return false;
            }
        }
        looked_at_ = begin_;
        return true;
    }

    // False when an exception came meanwhile.
    bool makes_room(const char* at) {
        if (at - looked_at_ < static_cast<ptrdiff_t>(kAtOnce)) {
            return true;
        }
        looked_at_ = at;
        fairness::look();
        return !zend::exception_pending();
    }

    void put_line(zval* out, const char* line, const char* end) const {
        if (keeps_ends_) {
            add_next_index_stringl(out, line, static_cast<size_t>(end - line) + 1);
            return;
        }
        bool dos = end > line && end_of_line_ == '\n' && end[-1] == '\r';
        size_t length = static_cast<size_t>(end - line) - (dos ? 1 : 0);
        if (length > 0 || !skips_empty_) {
            add_next_index_stringl(out, line, length);
        }
    }

    const char* begin_;
    const char* end_;
    const char* looked_at_ = begin_;
    char end_of_line_;
    bool keeps_ends_;
    bool skips_empty_;
};

void split_in_turns(php_stream* stream, zend_string* text, zend_long flags, zval* out) {
    (void)php_stream_locate_eol(stream, text);  // with the old setting it finds out which end it is
    char end_of_line = (stream->flags & PHP_STREAM_FLAG_EOL_MAC) != 0 ? '\r' : '\n';
    zval lines;
    ZVAL_UNDEF(&lines);
    if (Lines(text, flags, end_of_line).put_into(&lines)) {
        ZVAL_COPY_VALUE(out, &lines);
    } else {
        zval_ptr_dtor(&lines);
    }
}

// Arguments that PHP would refuse, or a context of the caller's, are PHP's own function's.
void file_in_turns(zif_handler usual_file, INTERNAL_FUNCTION_PARAMETERS) {
    constexpr zend_long kFlags = PHP_FILE_USE_INCLUDE_PATH | PHP_FILE_IGNORE_NEW_LINES |
                                 PHP_FILE_SKIP_EMPTY_LINES | PHP_FILE_NO_DEFAULT_CONTEXT;
    zval* name = ZEND_NUM_ARGS() > 0 ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
    zval* given = ZEND_NUM_ARGS() > 1 ? ZEND_CALL_ARG(execute_data, 2) : nullptr;
    bool usual =
        name != nullptr && Z_TYPE_P(name) == IS_STRING && !zend_str_has_nul_byte(Z_STR_P(name)) &&
        ZEND_NUM_ARGS() <= 2 &&
        (given == nullptr || (Z_TYPE_P(given) == IS_LONG && (Z_LVAL_P(given) & ~kFlags) == 0));
    if (!usual || !may_wait_for_files()) {
        usual_file(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    zend_long flags = given != nullptr ? Z_LVAL_P(given) : 0;
    auto* context = static_cast<php_stream_context*>(
        php_stream_context_from_zval(nullptr, flags & PHP_FILE_NO_DEFAULT_CONTEXT));
    int options = ((flags & PHP_FILE_USE_INCLUDE_PATH) != 0 ? USE_PATH : 0) | REPORT_ERRORS;
    php_stream* stream =
        php_stream_open_wrapper_ex(Z_STRVAL_P(name), "rb", options, nullptr, context);
    if (stream == nullptr) {
        RETURN_FALSE;
    }
    ZVAL_EMPTY_ARRAY(return_value);
    zend_string* text = php_stream_copy_to_mem(stream, PHP_STREAM_COPY_ALL, 0);
    if (text != nullptr) {
        split_in_turns(stream, text, flags, return_value);
        fairness::look();  // to give the pages back takes a millisecond or two, too
        zend_string_release(text);
    }
    php_stream_close(stream);
}

}  // namespace

void take_turns_in_whole_reads() { zend::WrappedFunction<file_in_turns>::wrap("file"); }

}  // namespace stampede::hooks
