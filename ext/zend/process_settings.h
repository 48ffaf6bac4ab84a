// What functions of PHP set for the whole process although code written for one request at a time
// takes it for its own: working directory, umask, locale, encodings of strings, the environment,
// errors of XML. A request that calls such a function gets values of its own, which are installed
// whenever its coroutines run. PHP thread, never parks.
#pragma once

#include "zend/environment_state.h"
#include "zend/php.h"
#include "zend/xml_state.h"

namespace stampede::zend {

// The last ones have a function of PHP that tells the value and one that sets it.
enum class ProcessSetting : uint8_t {
    kDirectory,
    kMask,
    kLocale,
    kFirstOfFunctions,
    kTextDomain = 11
};
constexpr int kProcessSettings = 13;

// The values that one request has changed, while it is not running; while it runs, those of the
// process, which are put back afterwards.
class ProcessSettings {
public:
    ~ProcessSettings();

    // Before the running request changes it: the value of the process is kept.
    void keep(ProcessSetting setting);
    void keep_variable(const std::string& assignment) { environment_.keep(assignment); }
    void keep_xml() { xml_.keep(); }
    // The running request has chosen the numbers that are drawn.
    void note_seed() { seeded_ = true; }
    // It may be what functions of pgsql use that are given no connection.
    void note_connection() { has_connected_ = true; }
    // The request is switched in or out.
    void swap();
    // At the end of the running request.
    void forget_installed();
    // At the end of a script: PHP's web servers close the connection that pg_connect() has made
    // last, and with it a transaction. In other applications it may be that of an object that
    // outlives the request.
    void close_connection();

private:
    unsigned changed_ = 0;  // bits by ProcessSetting
    zval values_[kProcessSettings] = {};
    EnvironmentState environment_;
    XmlState xml_;
    bool seeded_ = false;
    bool has_connected_ = false;
};

// Lets the functions that change something say so first, to what `present` finds: the settings of
// the running request, or null. See WatchedFunction for when to call it.
void watch_process_settings(ProcessSettings* (*present)());

}  // namespace stampede::zend
