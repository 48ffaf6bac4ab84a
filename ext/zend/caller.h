// The caller of the C function that runs, by the frames of PHP. PHP thread, never parks.
#pragma once

#include <cstddef>
#include <string_view>

#include "zend/php.h"

namespace stampede::zend {

// A function of an extension, called by PHP code; false when the engine itself is at work between
// two instructions (it includes a file, say).
inline bool in_internal_function() {
    const zend_execute_data* frame = EG(current_execute_data);
    return frame != nullptr && frame->func != nullptr &&
           frame->func->type == ZEND_INTERNAL_FUNCTION;
}

// The same for one with this name.
inline bool in_internal_function(std::string_view name) {
    if (!in_internal_function()) {
        return false;
    }
    const zend_string* own = EG(current_execute_data)->func->common.function_name;
    return own != nullptr && std::string_view(ZSTR_VAL(own), ZSTR_LEN(own)) == name;
}

// Whether the running code is below a require_once or include_once. To others its file counts as
// included already, although its classes and functions may not be there yet.
bool in_file_included_once();

// False while the engine ends a script: no code is left that could catch an exception.
inline bool in_any_call() { return EG(current_execute_data) != nullptr; }

// The extension whose function is the innermost frame, null when it is PHP code.
const zend_module_entry* calling_module(const zend_execute_data* frame);
inline const zend_module_entry* calling_module() {
    return calling_module(EG(current_execute_data));
}

// The call that the C code is in, to be compared with a later one's: frames come back at the same
// address, but with another function.
struct CurrentCall {
    const zend_execute_data* frame = EG(current_execute_data);
    const zend_function* function = frame != nullptr ? frame->func : nullptr;
    bool operator==(const CurrentCall&) const = default;
};

// What PHP code has just called, seen from the interrupt that follows it: "PDO::query()", or
// "this code" when it was no call. Cut to the room there is.
void name_last_call(const zend_execute_data* frame, char* out, size_t capacity);

// Whether PHP code runs after the call of an extension's function that this frame is: not when the
// call is the last thing that the outermost function does.
bool caller_continues(const zend_execute_data* call);

// The line of PHP code that a frame is in or was called from.
struct Line {
    const char* file;
    uint32_t number;
};
Line line_of(const zend_execute_data* frame);
inline Line current_line() { return line_of(EG(current_execute_data)); }

}  // namespace stampede::zend
