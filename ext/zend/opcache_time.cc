#include "zend/opcache_time.h"

#include <ctime>

#include "zend/kept_setting.h"

#include "SAPI.h"

namespace stampede::zend {
namespace {

time_t began = 0;
zend_long* protection = nullptr;  // seconds; null without opcache
zend_long usual = 0;              // 0: without the protection, or without opcache

}  // namespace

void note_time_of_opcache() {
    constexpr const char* kName = "opcache.file_update_protection";
    protection = kept_setting(kName);
    if (protection != nullptr) {
        // Not what an earlier script has left there.
        *protection = usual = zend_ini_long(kName, strlen(kName), 0);
    }
    began = static_cast<time_t>(sapi_get_request_time());
}

// So many seconds before the script began is as much as the usual ones before now: below zero when
// the script is older than that. Zero would turn the protection off.
void tell_opcache_the_time() {
    if (usual > 0) {
        zend_long seconds = usual - static_cast<zend_long>(::time(nullptr) - began);
        *protection = seconds != 0 ? seconds : 1;
    }
}

}  // namespace stampede::zend
