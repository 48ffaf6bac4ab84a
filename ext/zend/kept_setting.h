// Where a module keeps a setting that is a whole number, as the setting's entry says; null where it
// is not loaded. To change it there is cheap, and changes nothing of what ini_get() says. PHP
// thread.
#pragma once

#include <cstring>

#include "zend/php.h"

namespace stampede::zend {

inline zend_long* kept_setting(const char* name) {
    auto* entry = static_cast<zend_ini_entry*>(
        zend_hash_str_find_ptr(EG(ini_directives), name, strlen(name)));
    return entry != nullptr && entry->on_modify == OnUpdateLong
               ? reinterpret_cast<zend_long*>(static_cast<char*>(entry->mh_arg2) +
                                              reinterpret_cast<size_t>(entry->mh_arg1))
               : nullptr;
}

}  // namespace stampede::zend
