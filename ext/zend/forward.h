// Functions of the API that hand their call on: to code of the library, which is loaded when it is
// first needed, or to one of PHP's own. PHP thread; parks where what is called does.
#pragma once

#include <string_view>

#include "zend/php.h"

namespace stampede::zend {

// The same arguments, references as such, to a static method (in lower case) of a class.
void forward_to_method(INTERNAL_FUNCTION_PARAMETERS, std::string_view class_name,
                       std::string_view method);
// The same to a function; throws where disable_functions has taken it away.
void forward_to_function(INTERNAL_FUNCTION_PARAMETERS, std::string_view name);

}  // namespace stampede::zend
