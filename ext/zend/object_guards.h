// What the API's classes do not let PHP code do with them. PHP thread, never parks.
#pragma once

#include "zend/php.h"

namespace stampede::zend {

// `new` throws: the class has static methods only.
void refuse_new(zend_class_entry* ce);
// unset() of a property that a class of the module has declared throws.
void refuse_unset(zend_object_handlers& handlers);
// The same for a class without handlers of its own.
void refuse_unset(zend_class_entry* ce);

}  // namespace stampede::zend
