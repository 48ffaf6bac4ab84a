// The engine's headers, included here only, config.h first. Everything of PHP belongs to its one
// thread.
#pragma once

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

// Before PHP makes a macro of vsnprintf, which the C++ library of GCC 14 uses in its headers.
#include <cstdio>
#include <string>

#include <php.h>

#include "ext/standard/basic_functions.h"
#include "ext/standard/info.h"
#include "php_output.h"
#include "zend_closures.h"
#include "zend_exceptions.h"
#include "zend_fibers.h"
#include "zend_interfaces.h"
#include "zend_observer.h"

// A method without parameters is called with some now and then (Coroutine::suspend($value)). The
// original passes over them, and so do these.
#define STAMPEDE_PARSE_NO_PARAMETERS() ((void)execute_data)
