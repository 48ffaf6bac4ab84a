// Files that carry one message each from a process to another, which may be one of the next start:
// "FOLDER/PREFIX.XXXXXX", mode 0600, removed by the process that reads them. Names and files come
// from other processes, so they are looked at before they are believed. errno -> Error. Any thread;
// may block on the disk.
#pragma once

#include <sys/types.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/error.h"

namespace stampede::os {

// A new file with these parts, one after the other, for a reader of this user; its name without
// the folder.
Result<std::string> write_spooled(const std::string& folder, const std::string& prefix,
                                  std::initializer_list<std::string_view> parts, uid_t reader);
// What is in the file, which is removed. Of this user's or the superuser's files alone, and none
// that is larger.
Result<std::string> take_spooled(const std::string& folder, const std::string& name, uid_t owner,
                                 size_t most);
void remove_spooled(const std::string& folder, const std::string& name);
// All with this prefix.
void clear_spool(const std::string& folder, const std::string& prefix);

}  // namespace stampede::os
