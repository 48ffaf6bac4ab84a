// The working directory and the mask of new files' modes: both are the process's, not the
// thread's. Nothing here waits.
#pragma once

namespace stampede::os {

// A descriptor by which the present directory can be entered again, also when it has been renamed;
// -1 without one.
int hold_working_directory();
// False, and the process stays where it is, when it cannot be entered.
bool enter_directory(int held);
void release_directory(int held);

unsigned file_mode_mask();
void set_file_mode_mask(unsigned mask);

}  // namespace stampede::os
