// PHP's functions that ask what is at a path. Applications ask the same again with each request,
// for hundreds of paths: autoloaders, themes, plugins. PHP thread of a forked child.
#pragma once

namespace stampede::request_loop {

// Before the processes are forked that run scripts: they share what the kernel tells of changes.
// Without it, or where the kernel has no room for it, each question is the kernel's as usual.
void share_path_changes();

// In such a process: file_exists(), is_file(), is_dir(), is_readable() and realpath() answer from
// what is known.
void remember_paths();

}  // namespace stampede::request_loop
