// The php.ini settings that one request has changed with ini_set() and the like. PHP thread, never
// parks: what settings do when they change is code of the engine and its modules.
#pragma once

#include <vector>

#include "zend/php.h"

namespace stampede::zend {

class ChangedSettings {
public:
    ~ChangedSettings() { forget(own_); }

    // The request is switched in: what the process has is noted, what the request has is set.
    void enter();
    // The request is switched out, or ends: the other way round.
    void leave();
    // The script ends: nothing of what the process has is kept.
    static void forget_process() { forget(process_); }

private:
    struct Value {
        zend_string* name;
        zend_string* text;  // null: a setting without a value
    };
    using Values = std::vector<Value>;

    static void forget(Values& values);
    static Value* find(Values& values, const zend_string* name);
    static void note_changed(Values& out);
    static bool are_present(const Values& values);

    Values own_;  // while the request is not running
    // All that differed from php.ini when the last request was switched in, and while it runs, as
    // one request runs at a time. It stays then: mostly the next one finds the same.
    static Values process_;
};

}  // namespace stampede::zend
