#include "zend/throw.h"

#include <cstdarg>
#include <utility>

#include "ini.h"
#include "zend/engine_version.h"

namespace stampede::zend {
namespace {

bool errors_are_shown() { return ext::settings().display_errors; }

}  // namespace

ErrorClasses error_classes;

bool is_exit_exception(const zend_object* exception) {
    return exception->ce == error_classes.exit_exception;
}

// The engine copies the message. One that is under way already becomes the previous one of the new.
void throw_error(zend_class_entry* ce, int64_t code, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    zend_string* message = zend_vstrpprintf(0, format, arguments);
    va_end(arguments);
    zend_throw_exception(ce, ZSTR_VAL(message), code);
    zend_string_release(message);
}

void warning(const char* format, ...) {
    if (!errors_are_shown()) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    report(E_WARNING, format, arguments);
    va_end(arguments);
}

void warning_from(const char* name, const char* text) {
    if (errors_are_shown()) {
        zend_error(E_WARNING, "%s: %s", name, text);
    }
}

void deprecated(const char* text) {
    if (errors_are_shown()) {
        php_error_docref(nullptr, E_DEPRECATED, "%s", text);
    }
}

// Exceptions change hands by reference: EG(exception) is null while a step runs, so that code in it
// is not taken for code that unwinds.
void ExceptionsOfSteps::step_done() {
    zend_object* latest = std::exchange(EG(exception), nullptr);
    if (latest == nullptr) {
        return;
    }
    if (thrown_ != nullptr) {
        if (zend_is_unwind_exit(latest) || zend_is_graceful_exit(latest)) {
            OBJ_RELEASE(thrown_);  // exit() has no previous exception
        } else {
            zend_exception_set_previous(latest, thrown_);
        }
    }
    thrown_ = latest;
}

namespace {

// An instruction that puts a string together has not run, but the engine's clean-up of exceptions
// releases the part that it would have stored: what happens to be in that place is a string that
// was freed long ago.
void fill_part_of_string(zend_execute_data* frame) {
    const zend_op* next = frame->opline;
    bool is_first = next->opcode == ZEND_ROPE_INIT;
    if (is_first || next->opcode == ZEND_ROPE_ADD) {
        auto** parts = reinterpret_cast<zend_string**>(ZEND_CALL_VAR(frame, next->result.var));
        parts[is_first ? 0 : next->extended_value] = ZSTR_EMPTY_ALLOC();
    }
}

bool passes_argument(zend_uchar opcode) {
    switch (opcode) {
        case ZEND_SEND_VAL:
        case ZEND_SEND_VAL_EX:
        case ZEND_SEND_VAR:
        case ZEND_SEND_VAR_EX:
        case ZEND_SEND_VAR_NO_REF:
        case ZEND_SEND_VAR_NO_REF_EX:
        case ZEND_SEND_REF:
        case ZEND_SEND_FUNC_ARG:
        case ZEND_SEND_USER:
            return true;
        default:
            return false;
    }
}

// The same for an instruction that passes an argument, as after a jump in f($a ? $b : $c): the
// clean-up takes it for passed, and would release what an earlier call has left in its place.
void fill_argument(zend_execute_data* frame) {
    const zend_op* next = frame->opline;
    // One with a name is counted when it is passed.
    bool has_place = frame->call != nullptr && next->op2_type != IS_CONST;
    if (has_place && passes_argument(next->opcode)) {
        ZVAL_UNDEF(ZEND_CALL_VAR(frame->call, next->result.var));
    }
}

}  // namespace

void go_to_handlers(zend_execute_data* frame) {
    bool is_user_code = frame->func != nullptr && ZEND_USER_CODE(frame->func->type);
    if (is_user_code && frame->opline->opcode != ZEND_HANDLE_EXCEPTION) {
        fill_part_of_string(frame);
        fill_argument(frame);
        EG(opline_before_exception) = frame->opline;
        frame->opline = EG(exception_op);
    }
}

ExceptionsOfSteps::~ExceptionsOfSteps() {
    step_done();
    EG(exception) = thrown_;
}

// For functions of the module, whose caller in the VM looks at EG(exception) when they return. Code
// that is called in place of an instruction has to send the frame to its handlers itself (see
// compute_limit.cc).
void rethrow(zend_object* exception) {
    GC_ADDREF(exception);
    EG(exception) = exception;
}

// __tostring() is a call like any other, which the engine refuses while an exception is under way.
zend_string* format_exception(zend_object* exception) {
    zend_object* pending = EG(exception);
    EG(exception) = nullptr;
    zval text;
    ZVAL_UNDEF(&text);
    zend_call_known_instance_method_with_0_params(exception->ce->__tostring, exception, &text);
    if (EG(exception) != nullptr) {
        zend_clear_exception();
    }
    EG(exception) = pending;
    if (Z_TYPE(text) == IS_STRING) {
        return Z_STR(text);
    }
    zval_ptr_dtor(&text);
    return zend_string_copy(exception->ce->name);
}

void leave_by_fatal_error(const char* message) {
    zend_try { zend_error_noreturn(E_ERROR, "%s", message); }
    zend_end_try();
    zend_bailout();
}

}  // namespace stampede::zend
