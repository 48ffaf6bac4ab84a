#include "runtime/starting_frame.h"

namespace stampede::runtime {
namespace {

// Lives as long as the process: an observer may keep what it has seen.
struct StandIn {
    zend_execute_data frame = {};
    zend_op_array code = {};
    zend_op line = {};

    StandIn() {
        line.opcode = ZEND_RETURN;
        code.type = ZEND_USER_FUNCTION;
        code.filename = zend_string_init(ZEND_STRL("[no active file]"), true);
        GC_MAKE_PERSISTENT_LOCAL(code.filename);
        code.opcodes = &line;
        code.last = 1;
        frame.func = reinterpret_cast<zend_function*>(&code);
        frame.opline = &line;
    }
};

}  // namespace

// A user function as far as anybody looks at one: a file and a line. It is never executed and has
// no variables. prev_execute_data leads on to the frames that are there, so that a trace is
// complete.
StartingFrame::StartingFrame() : before_(EG(current_execute_data)) {
    if (zend_get_executed_filename_ex() != nullptr) {
        return;
    }
    static StandIn stand_in;
    stand_in.frame.prev_execute_data = before_;
    EG(current_execute_data) = &stand_in.frame;
}

}  // namespace stampede::runtime
