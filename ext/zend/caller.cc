#include "zend/caller.h"

#include <cstdio>

namespace stampede::zend {

namespace {

bool is_call(const zend_op& op) {
    return op.opcode == ZEND_DO_FCALL || op.opcode == ZEND_DO_ICALL || op.opcode == ZEND_DO_UCALL ||
           op.opcode == ZEND_DO_FCALL_BY_NAME;
}

bool begins_call(const zend_op& op) {
    switch (op.opcode) {
        case ZEND_INIT_FCALL:
        case ZEND_INIT_FCALL_BY_NAME:
        case ZEND_INIT_NS_FCALL_BY_NAME:
        case ZEND_INIT_METHOD_CALL:
        case ZEND_INIT_STATIC_METHOD_CALL:
        case ZEND_INIT_USER_CALL:
        case ZEND_INIT_DYNAMIC_CALL:
        case ZEND_NEW:
            return true;
        default:
            return false;
    }
}

// The instruction that began the call which ended at this one; null when it is no call.
// Calls nest in the arguments of others, like brackets: walking back, each end of a call opens a
// level and each begin closes one.
const zend_op* begin_of_call(const zend_op_array& code, const zend_op* end) {
    int depth = 0;
    if (!is_call(*end)) {
        return nullptr;
    }
    for (const zend_op* op = end - 1; op >= code.opcodes; op--) {
        if (is_call(*op)) {
            depth++;
        } else if (begins_call(*op) && depth-- == 0) {
            return op;
        }
    }
    return nullptr;
}

const char* constant_text(const zend_op* op, zend_uchar type, znode_op operand) {
    if (type != IS_CONST) {
        return nullptr;
    }
    const zval* value = RT_CONSTANT(op, operand);
    return Z_TYPE_P(value) == IS_STRING ? Z_STRVAL_P(value) : nullptr;
}

void name_of_call(const zend_op* begin, char* out, size_t capacity) {
    bool method = begin->opcode == ZEND_INIT_METHOD_CALL;
    const char* of_class =
        begin->opcode == ZEND_NEW || begin->opcode == ZEND_INIT_STATIC_METHOD_CALL
            ? constant_text(begin, begin->op1_type, begin->op1)
            : nullptr;
    const char* name = begin->opcode == ZEND_NEW
                           ? "__construct"
                           : constant_text(begin, begin->op2_type, begin->op2);
    if (name == nullptr) {
        snprintf(out, capacity, "a call");
    } else if (of_class != nullptr) {
        snprintf(out, capacity, "%s::%s()", of_class, name);
    } else {
        snprintf(out, capacity, "%s%s()", method ? "->" : "", name);
    }
}

// What the compiler adds at each call and statement while a debugger is loaded.
bool is_for_debuggers(const zend_op& op) {
    return op.opcode == ZEND_EXT_FCALL_END || op.opcode == ZEND_EXT_STMT || op.opcode == ZEND_NOP;
}

}  // namespace

bool in_file_included_once() {
    constexpr uint32_t kOnce = ZEND_INCLUDE_ONCE | ZEND_REQUIRE_ONCE;
    for (const zend_execute_data* frame = EG(current_execute_data); frame != nullptr;
         frame = frame->prev_execute_data) {
        const zend_execute_data* caller = frame->prev_execute_data;
        bool is_file = (ZEND_CALL_INFO(frame) & ZEND_CALL_CODE) != 0 && caller != nullptr &&
                       caller->func != nullptr && ZEND_USER_CODE(caller->func->type);
        if (is_file && caller->opline->opcode == ZEND_INCLUDE_OR_EVAL &&
            (caller->opline->extended_value & kOnce) != 0) {
            return true;
        }
    }
    return false;
}

// Null is a frequent and valid response: PHP code runs, or the engine by itself.
const zend_module_entry* calling_module(const zend_execute_data* frame) {
    return frame != nullptr && frame->func != nullptr && frame->func->type == ZEND_INTERNAL_FUNCTION
               ? frame->func->internal_function.module
               : nullptr;
}

void name_last_call(const zend_execute_data* frame, char* out, size_t capacity) {
    snprintf(out, capacity, "this code");
    if (frame == nullptr || frame->func == nullptr) {
        return;
    }
    const zend_function* function = frame->func;
    if (function->type == ZEND_INTERNAL_FUNCTION) {  // later engines ask before they leave it
        const zend_class_entry* of_class = function->common.scope;
        snprintf(out, capacity, "%s%s%s()", of_class != nullptr ? ZSTR_VAL(of_class->name) : "",
                 of_class != nullptr ? "::" : "", ZSTR_VAL(function->common.function_name));
        return;
    }
    const zend_op* next = frame->opline;
    if (next > function->op_array.opcodes) {
        const zend_op* begin = begin_of_call(function->op_array, next - 1);
        if (begin != nullptr) {
            name_of_call(begin, out, capacity);
        }
    }
}

// True when in doubt. Looks at the caller's instructions, as the compiler of 8.2 to 8.5 makes them:
// after the call come at most the drop of its result (FREE), jumps out of branches, and RETURN.
// RETURN also destroys the function's variables, so a destructor may still run: that is code of the
// handler's end.
bool caller_continues(const zend_execute_data* call) {
    const zend_execute_data* caller = call->prev_execute_data;
    if (caller == nullptr || caller->func == nullptr || !ZEND_USER_CODE(caller->func->type)) {
        return true;
    }
    for (const auto* frame = caller->prev_execute_data; frame != nullptr;
         frame = frame->prev_execute_data) {
        if (frame->func != nullptr && ZEND_USER_CODE(frame->func->type)) {
            return true;
        }
    }
    constexpr int kMostSteps = 16;  // ends of nested branches
    const zend_op* op = caller->opline + 1;
    for (int steps = 0; steps < kMostSteps; steps++) {
        if (op->opcode == ZEND_JMP) {
            op = OP_JMP_ADDR(op, op->op1);
        } else if (op->opcode == ZEND_FREE || is_for_debuggers(*op)) {
            op++;
        } else {
            break;
        }
    }
    return op->opcode != ZEND_RETURN;
}

Line line_of(const zend_execute_data* frame) {
    for (; frame != nullptr; frame = frame->prev_execute_data) {
        if (frame->func != nullptr && ZEND_USER_CODE(frame->func->type)) {
            const zend_op* op = frame->opline;
            bool behind = op > frame->func->op_array.opcodes && is_call(op[-1]);
            return {ZSTR_VAL(frame->func->op_array.filename), behind ? op[-1].lineno : op->lineno};
        }
    }
    return {"[internal function]", 0};
}

}  // namespace stampede::zend
