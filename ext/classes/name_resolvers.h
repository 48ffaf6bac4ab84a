// Resolvers of the application: the names that its clients connect to, from a registry of services.
// They are objects of PHP (ext/library/name_resolver). PHP thread; asking them parks.
#pragma once

#include "zend/php.h"

namespace stampede::classes {

// The option name_resolver of Coroutine::set() and of servers; an exception when it holds something
// else than resolvers.
void use_name_resolvers(zval* resolvers);

}  // namespace stampede::classes
