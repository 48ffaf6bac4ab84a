// The files are read again after user_ini.cache_ttl seconds. As for PHP's other web servers, all
// from the document root down to the folder of the script count, or that folder's alone when it is
// elsewhere.
#include "request_loop/user_settings.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/clock.h"
#include "zend/php.h"

#include "SAPI.h"
#include "php_ini.h"

namespace stampede::request_loop {
namespace {

struct FolderSettings {
    HashTable values{};
    Nanos expires = 0;
};

void free_setting(zval* value) {
    if (Z_TYPE_P(value) == IS_STRING) {
        zend_string_release_ex(Z_STR_P(value), true);
    } else if (Z_TYPE_P(value) == IS_ARRAY) {
        zend_hash_destroy(Z_ARRVAL_P(value));
        pefree(Z_ARR_P(value), true);
    }
}

void read_files(const std::string& folder, std::string_view root, HashTable* values) {
    bool is_below = !root.empty() && folder.starts_with(root) && folder[root.size()] == '/';
    for (size_t end = is_below ? root.size() : folder.size() - 1; end != std::string::npos;
         end = folder.find('/', end + 1)) {
        (void)php_parse_user_ini_file(folder.substr(0, end).c_str(), PG(user_ini_filename), values);
    }
}

HashTable* settings_of(const std::string& folder, std::string_view root) {
    static std::map<std::string, FolderSettings> known;
    auto [entry, is_new] = known.try_emplace(folder);
    FolderSettings& settings = entry->second;
    if (is_new) {
        zend_hash_init(&settings.values, 8, nullptr, free_setting, true);
    }
    Nanos now = monotonic_now();
    if (is_new || now >= settings.expires) {
        zend_hash_clean(&settings.values);
        read_files(folder, root, &settings.values);
        settings.expires = now + static_cast<Nanos>(PG(user_ini_cache_ttl)) * kSecond;
    }
    return &settings.values;
}

}  // namespace

void activate_user_settings(const Request& request) {
    if (php_ini_has_per_host_config()) {
        std::string host =
            request.field("SERVER_NAME") != nullptr ? request.field("SERVER_NAME") : "";
        std::ranges::transform(host, host.begin(), [](char c) { return zend_tolower_ascii(c); });
        php_ini_activate_per_host_config(host.c_str(), host.size());
    }
    bool has_files = PG(user_ini_filename) != nullptr && *PG(user_ini_filename) != '\0';
    if (SG(request_info).path_translated == nullptr ||
        (!has_files && !php_ini_has_per_dir_config())) {
        return;
    }
    std::string folder(SG(request_info).path_translated);
    folder.erase(folder.rfind('/') + 1);
    php_ini_activate_per_dir_config(folder.data(), folder.size());
    if (has_files) {
        std::string_view root =
            request.field("DOCUMENT_ROOT") != nullptr ? request.field("DOCUMENT_ROOT") : "";
        while (root.ends_with('/')) {
            root.remove_suffix(1);
        }
        php_ini_activate_config(settings_of(folder, root), PHP_INI_PERDIR, PHP_INI_STAGE_HTACCESS);
    }
}

}  // namespace stampede::request_loop
