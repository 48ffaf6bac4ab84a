// Observers take for granted that a fiber is started by PHP code: Xdebug copies the name of the
// file that is being executed without a look whether there is one. The loop starts coroutines where
// nothing of the script is under way (after its last line, or from an event that another event's
// end begins), so there has to be something to be seen. PHP thread, never parks.
#pragma once

#include "zend/php.h"

namespace stampede::runtime {

// As long as it lives, code without a name in "[no active file]" is being executed, unless there is
// code of the script.
// Only around the switch that starts a context for the first time: the engine reports that one to
// observers as the start of a fiber. It must end before anything else can run with it as its frame,
// so it lives on the stack of the function that switches.
class StartingFrame {
public:
    StartingFrame();
    ~StartingFrame() { EG(current_execute_data) = before_; }
    StartingFrame(const StartingFrame&) = delete;
    StartingFrame& operator=(const StartingFrame&) = delete;

private:
    zend_execute_data* before_;
};

}  // namespace stampede::runtime
