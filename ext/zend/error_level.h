// error_reporting() and its php.ini entry. The engine saves the level of EG(error_reporting) with
// each context that it leaves, but the entry is one for the process: a coroutine that reads it with
// ini_get(), or keeps what ini_set() returns to set it back, must find its own. PHP thread.
#pragma once

#include "zend/php.h"

namespace stampede::zend {

// What the running code has set, or was begun with. EG(error_reporting) is another one within "@".
// The runtime saves and restores it with each switch; the entry is only written when a function
// looks at it.
extern int error_level;

// When the module starts, before code is compiled: the functions that look at the entry.
void watch_error_level();
// When a script starts.
void begin_error_level();

// Both levels as they are when it is made.
class KeptErrorLevel {
public:
    void restore() const {
        EG(error_reporting) = in_force_;
        error_level = set_;
    }

private:
    int in_force_ = EG(error_reporting);
    int set_ = error_level;
};

// As long as it lives, errors are reported to nobody: neither are they printed, nor is the
// application's handler called, so no PHP code runs. For functions of PHP that are called between
// two steps of the application's code. What they do to the level itself is undone.
class UnheardErrors {
public:
    UnheardErrors() {
        ZVAL_COPY_VALUE(&handler_, &EG(user_error_handler));
        ZVAL_UNDEF(&EG(user_error_handler));
        EG(error_reporting) = 0;
    }
    UnheardErrors(const UnheardErrors&) = delete;
    UnheardErrors& operator=(const UnheardErrors&) = delete;
    ~UnheardErrors() {
        ZVAL_COPY_VALUE(&EG(user_error_handler), &handler_);
        level_.restore();
    }

private:
    KeptErrorLevel level_;
    zval handler_;
};

}  // namespace stampede::zend
