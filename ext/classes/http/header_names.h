// What is known of a response field's name: how it is written, and whether it needs special
// treatment. The names that stand in the application's code are looked at once. PHP thread, never
// parks.
#pragma once

#include "classes/http/response.h"

namespace stampede::classes {

struct HeaderName {
    zend_string* written;  // null when the name is no token; else the caller owns a reference
    FieldRole role;
};

// In the Form-Of-Headers.
HeaderName formatted_header_name(zend_string* name);
// As given.
HeaderName plain_header_name(zend_string* name);

}  // namespace stampede::classes
