// Resources that PHP keeps from one script to the next (persistent connections), by their names.
// PHP thread, never parks.
#pragma once

#include <string_view>

#include "zend/php.h"

namespace stampede::zend {

// What the extension has kept under this name, null when there is nothing.
inline void* find_persistent(std::string_view name) {
    auto* resource = static_cast<zend_resource*>(
        zend_hash_str_find_ptr(&EG(persistent_list), name.data(), name.size()));
    return resource != nullptr ? resource->ptr : nullptr;
}

}  // namespace stampede::zend
