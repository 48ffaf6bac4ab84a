// What base/precompiled.h is to src/, for ext/: PHP's headers as well.

#include "base/precompiled.h"
#include "zend/php.h"
