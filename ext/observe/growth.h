// Who in the application's process answers what has grown: code of PHP, since it measures requests.
// PHP thread; the code that answers must not wait.
#pragma once

#include <cstdint>

#include "zend/php.h"

namespace stampede::observe {

void set_growth_answer(zval* closure);  // null: nobody
void forget_growth_answer();
// What it returns, or an array with "error".
void answer_growth(int64_t number, zval* out);

}  // namespace stampede::observe
