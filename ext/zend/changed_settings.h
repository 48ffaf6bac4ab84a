// The php.ini settings that one request has changed with ini_set() and the like. PHP thread, never
// parks: what settings do when they change is code of the engine and its modules.
#pragma once

#include <vector>

#include "zend/php.h"

namespace stampede::zend {

class ChangedSettings {
public:
    ~ChangedSettings() { forget(own_), forget(process_); }

    // The request is switched in: what the process has is noted, what the request has is set.
    void enter();
    // The request is switched out, or ends: the other way round.
    void leave();

private:
    struct Value {
        zend_string* name;
        zend_string* text;  // null: a setting without a value
    };
    using Values = std::vector<Value>;

    static void forget(Values& values);
    static Value* find(Values& values, const zend_string* name);
    static void note_changed(Values& out);

    Values own_;      // while the request is not running
    Values process_;  // while it runs: all that differed from php.ini before
};

}  // namespace stampede::zend
