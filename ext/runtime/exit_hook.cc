// exit() ends a PHP process by unwinding to the engine's outermost frame. In a coroutine that would
// jump over the loop and over the other coroutines, so there it throws Swoole\ExitException, which
// the end of the coroutine settles. The main script of a request has a frame of its own to unwind
// to, so there it is what its code was written for. Until PHP 8.3 exit is an opcode, from 8.4 on a
// function.
#include "runtime/exit_hook.h"

#include "runtime/runtime.h"
#include "zend/throw.h"
#include "zend/web_request.h"
#include "zend/wrapped_function.h"
#include "zend_vm.h"

namespace stampede::runtime {
namespace {

constexpr zend_long kInCoroutine = 2;
constexpr zend_long kInServer = 4;

// 0: exit stays the engine's. The numbers are the API's, SWOOLE_EXIT_IN_COROUTINE and _SERVER.
zend_long exit_flags() {
    Runtime* runtime = Runtime::peek();
    if (runtime == nullptr) {
        return 0;
    }
    zend_long flags = runtime->current() != nullptr ? kInCoroutine : 0;
    return runtime->server_role() == ServerRole::kServer ? flags | kInServer : flags;
}

// Printing may throw: that is what ends the script then.
void end_main_script(zval* status) {
    if (Z_TYPE_P(status) != IS_LONG && Z_TYPE_P(status) != IS_NULL) {
        zend_string* text = zval_get_string(status);
        php_output_write(ZSTR_VAL(text), ZSTR_LEN(text));
        zend_string_release(text);
    }
    if (!zend::exception_pending()) {
        zend::leave_main_script();
    }
}

void throw_exit(zval* status, zend_long flags) {
    if (zend::main_script_runs()) {
        end_main_script(status);
        return;
    }
    zend_class_entry* ce = zend::error_classes.exit_exception;
    zend_object* exception = zend_throw_exception(ce, "swoole exit", 0);
    zend_update_property_long(ce, exception, ZEND_STRL("flags"), flags);
    zend_update_property(ce, exception, ZEND_STRL("status"), status);
}

#if PHP_VERSION_ID < 80400

// Called after the hook of another extension that was installed earlier (a debugger), where exit is
// the engine's business.
user_opcode_handler_t previous_handler;

int on_exit_opcode(zend_execute_data* execute_data) {
    zend_long flags = exit_flags();
    if (flags == 0) {
        return previous_handler != nullptr ? previous_handler(execute_data)
                                           : ZEND_USER_OPCODE_DISPATCH;
    }
    // The operand is freed as the engine's own handler would: CONST is shared, CV belongs to the
    // frame, TMP and VAR are ours. CONTINUE then meets the exception and unwinds: throwing has set
    // the frame's instruction to ZEND_HANDLE_EXCEPTION, so nothing may set it after that.
    const zend_op* opline = EX(opline);
    zval status;
    ZVAL_NULL(&status);
    if (opline->op1_type == IS_CONST) {
        ZVAL_COPY(&status, RT_CONSTANT(opline, opline->op1));
    } else if (opline->op1_type != IS_UNUSED) {
        ZVAL_COPY_DEREF(&status, EX_VAR(opline->op1.var));
        if ((opline->op1_type & (IS_TMP_VAR | IS_VAR)) != 0) {
            zval_ptr_dtor_nogc(EX_VAR(opline->op1.var));
        }
    }
    throw_exit(&status, flags);
    zval_ptr_dtor(&status);
    return ZEND_USER_OPCODE_CONTINUE;
}

#else

// The handler is exchanged, not the function: compiled code has its address, and since 8.4 the
// compiler makes an ordinary call of exit, for which opcache and the JIT look the handler up when
// they compile.
void hooked_exit(zif_handler usual, INTERNAL_FUNCTION_PARAMETERS) {
    zend_long flags = exit_flags();
    if (flags == 0) {
        usual(INTERNAL_FUNCTION_PARAM_PASSTHRU);
        return;
    }
    zend_string* text = nullptr;
    zend_long number = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR_OR_LONG(text, number)
    ZEND_PARSE_PARAMETERS_END();
    zval status;
    if (text != nullptr) {
        ZVAL_STR(&status, text);
    } else if (ZEND_NUM_ARGS() > 0) {
        ZVAL_LONG(&status, number);
    } else {
        ZVAL_NULL(&status);
    }
    throw_exit(&status, flags);
}

#endif

}  // namespace

void install_exit_hook() {
#if PHP_VERSION_ID < 80400
    previous_handler = zend_get_user_opcode_handler(ZEND_EXIT);
    zend_set_user_opcode_handler(ZEND_EXIT, on_exit_opcode);
#else
    zend::WrappedFunction<hooked_exit>::wrap("exit");
#endif
}

// Where another extension has put its own in front since, ours stays below it: it may be called as
// long as that one is there, and modules are only unloaded when the process ends.
void remove_exit_hook() {
#if PHP_VERSION_ID < 80400
    if (zend_get_user_opcode_handler(ZEND_EXIT) == on_exit_opcode) {
        zend_set_user_opcode_handler(ZEND_EXIT, previous_handler);
    }
#endif
}

}  // namespace stampede::runtime
