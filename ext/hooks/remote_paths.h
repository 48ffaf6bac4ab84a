// Whether a path lies on a file system that asks another machine or program (NFS, SMB, FUSE ...).
// One table per process, read from the kernel's list of mounts and again after some seconds. PHP
// thread, never parks.
#pragma once

namespace stampede::hooks {

// By its text: a symbolic link may lead elsewhere. Relative paths count from the present folder.
bool is_remote(const char* path);

}  // namespace stampede::hooks
