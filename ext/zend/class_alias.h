// Second names of classes: the old snake-case ones always, the short ones (Co, Chan ...) when
// swoole.use_shortname is on. Called from a class's minit, PHP thread, never parks.
#pragma once

#include <string_view>

#include "ini.h"
#include "zend/php.h"

namespace stampede::zend {

inline void alias_class(zend_class_entry* ce, std::string_view name) {
    zend_register_class_alias_ex(name.data(), name.size(), ce, /* persistent */ 1);
}

inline void alias_short_name(zend_class_entry* ce, std::string_view name) {
    if (ext::settings().use_shortname) {
        alias_class(ce, name);
    }
}

}  // namespace stampede::zend
