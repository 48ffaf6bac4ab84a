// What functions of PHP set for the whole process although code written for one request at a time
// takes it for its own: working directory, umask, locale, encoding of strings. A request that calls
// such a function gets values of its own, which are installed whenever its coroutines run. PHP
// thread, never parks.
#pragma once

#include "zend/php.h"

namespace stampede::zend {

enum class ProcessSetting : uint8_t { kDirectory, kMask, kLocale, kEncoding };
constexpr int kProcessSettings = 4;

// The values that one request has changed, while it is not running; while it runs, those of the
// process, which are put back afterwards.
class ProcessSettings {
public:
    ~ProcessSettings();

    // Before the running request changes it: the value of the process is kept.
    void keep(ProcessSetting setting);
    // The request is switched in or out.
    void swap();
    bool changed() const { return changed_ != 0; }

private:
    unsigned changed_ = 0;  // bits by ProcessSetting
    zval values_[kProcessSettings] = {};
};

// Lets the functions that change a setting say so first: `changing` gets the setting. Once in a
// process, when all modules have their functions and before any code of the application is
// compiled: the JIT writes the address of a function into its code.
void watch_process_settings(void (*changing)(ProcessSetting));

}  // namespace stampede::zend
