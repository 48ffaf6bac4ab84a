#include "ext/server/settings.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "ext/server/access_log_settings.h"
#include "ext/server/task_queue.h"
#include "io/options.h"
#include "os/host.h"
#include "os/process.h"
#include "zend/throw.h"

namespace stampede::classes {

namespace {

enum class Kind : uint8_t { kBool, kInt, kSize, kSeconds, kText, kTexts, kRules };

// A row per option: its name, where it is kept, and the values it takes.
struct Option {
    std::string_view name;
    Kind kind;
    int64_t ServerSettings::*number = nullptr;
    bool ServerSettings::*flag = nullptr;
    double ServerSettings::*seconds = nullptr;
    std::string ServerSettings::*text = nullptr;
    std::vector<std::string> ServerSettings::*texts = nullptr;
    UrlRules ServerSettings::*rules = nullptr;
    int64_t least = 0;
    int64_t most = INT64_MAX;

    constexpr Option(std::string_view name, int64_t ServerSettings::*member, int64_t least = 0,
                     int64_t most = INT64_MAX)
        : name(name), kind(Kind::kInt), number(member), least(least), most(most) {}
    constexpr Option(std::string_view name, Kind kind, int64_t ServerSettings::*member,
                     int64_t least)
        : name(name), kind(kind), number(member), least(least) {}
    constexpr Option(std::string_view name, bool ServerSettings::*member)
        : name(name), kind(Kind::kBool), flag(member) {}
    constexpr Option(std::string_view name, double ServerSettings::*member)
        : name(name), kind(Kind::kSeconds), seconds(member) {}
    constexpr Option(std::string_view name, std::string ServerSettings::*member)
        : name(name), kind(Kind::kText), text(member) {}
    constexpr Option(std::string_view name, std::vector<std::string> ServerSettings::*member)
        : name(name), kind(Kind::kTexts), texts(member) {}
    constexpr Option(std::string_view name, UrlRules ServerSettings::*member)
        : name(name), kind(Kind::kRules), rules(member) {}
};

using S = ServerSettings;

constexpr int64_t kMostSeconds = 1'000'000'000;  // in nanoseconds, with room for the time of day

constexpr Option kOptions[] = {
    {"worker_num", &S::worker_num, 1, 1024},
    {"reactor_num", &S::reactor_num, 0, 1024},
    {"worker_start_num", &S::worker_start_num, 0, 1024},
    {"worker_max_memory", Kind::kSize, &S::worker_max_memory, 0},
    {"worker_max_age", &S::worker_max_age},
    {"task_worker_num", &S::task_worker_num, 0, 4096},
    {"task_timeout", &S::task_timeout},
    {"task_max_request", &S::task_max_request},
    {"task_max_request_grace", &S::task_max_request_grace},
    {"task_enable_coroutine", &S::task_enable_coroutine},
    {"task_object", &S::task_object},
    {"task_use_object", &S::task_object},
    {"event_object", &S::event_object},
    {"task_ipc_mode", &S::task_ipc_mode, 1, 3},
    {"message_queue_key", &S::message_queue_key},
    {"admin_server", &S::admin_server},
    {"admin_server_token", &S::admin_server_token},
    {"task_tmpdir", &S::task_tmpdir},
    {"max_request", &S::max_request},
    {"max_request_grace", &S::max_request_grace},
    {"max_wait_time", &S::max_wait_time, 0, kMostSeconds},
    {"max_replace_time", &S::max_replace_time, 0, kMostSeconds},
    {"max_stop_time", &S::max_stop_time, 0, kMostSeconds},
    {"drain_time", &S::drain_time},
    {"reload_async", &S::reload_async},
    {"max_connection", &S::max_connection},
    {"max_conn", &S::max_connection},
    {"max_connections_per_address", &S::max_connections_per_address, 0, UINT32_MAX},
    {"max_concurrency", &S::max_concurrency},
    {"worker_max_concurrency", &S::worker_max_concurrency},
    {"backlog", &S::backlog, 1, 65535},
    {"enable_reuse_port", &S::enable_reuse_port},
    {"only_worker", &S::only_worker, -1},
    {"daemonize", &S::daemonize},
    {"pid_file", &S::pid_file},
    {"user", &S::user},
    {"group", &S::group},
    {"chroot", &S::chroot},
    {"log_file", &S::log_file},
    {"log_level", &S::log_level, 0, 6},
    {"log_rotation", &S::log_rotation, 0, 4},
    {"log_date_format", &S::log_date_format},
    {"log_date_with_microseconds", &S::log_date_with_microseconds},
    {"enable_coroutine", &S::enable_coroutine},
    {"max_coroutine", &S::max_coroutine, 1},
    {"max_coro_num", &S::max_coroutine, 1},
    {"stack_size", Kind::kSize, &S::stack_size, 0},
    {"c_stack_size", Kind::kSize, &S::stack_size, 0},
    {"hook_flags", &S::hook_flags},
    {"package_max_length", Kind::kSize, &S::package_max_length, 1},
    {"output_buffer_size", Kind::kSize, &S::output_buffer_size, 1},
    {"buffer_output_size", Kind::kSize, &S::output_buffer_size, 1},
    {"response_spool_size", Kind::kSize, &S::response_spool_size, 0},
    {"socket_buffer_size", Kind::kSize, &S::socket_buffer_size, 1},
    {"input_buffer_size", Kind::kSize, &S::input_buffer_size, 1},
    {"buffer_input_size", Kind::kSize, &S::input_buffer_size, 1},
    {"open_tcp_nodelay", &S::open_tcp_nodelay},
    {"open_tcp_keepalive", &S::open_tcp_keepalive},
    {"tcp_keepidle", &S::tcp_keepidle, 1, 32767},
    {"tcp_keepinterval", &S::tcp_keepinterval, 1, 32767},
    {"tcp_keepcount", &S::tcp_keepcount, 1, 127},
    {"tcp_defer_accept", &S::tcp_defer_accept, 0, 3600},
    {"tcp_fastopen", &S::tcp_fastopen},
    {"tcp_user_timeout", &S::tcp_user_timeout, 0, INT32_MAX},
    {"kernel_socket_send_buffer_size", Kind::kSize, &S::kernel_socket_send_buffer_size, 0},
    {"kernel_socket_recv_buffer_size", Kind::kSize, &S::kernel_socket_recv_buffer_size, 0},
    {"heartbeat_check_interval", &S::heartbeat_check_interval, 0, kMostSeconds},
    {"heartbeat_idle_time", &S::heartbeat_idle_time, 0, kMostSeconds},
    {"max_idle_time", &S::max_idle_time},
    {"send_timeout", &S::send_timeout},
    {"dispatch_mode", &S::dispatch_mode, 1, 10},
    {"max_queued_bytes", Kind::kSize, &S::max_queued_bytes, 0},
    {"send_yield", &S::send_yield},
    {"buffer_high_watermark", Kind::kSize, &S::buffer_high_watermark, 0},
    {"buffer_low_watermark", Kind::kSize, &S::buffer_low_watermark, 0},
    {"discard_timeout_request", &S::discard_timeout_request},
    {"enable_delay_receive", &S::enable_delay_receive},
    {"http_parse_post", &S::http_parse_post},
    {"http_parse_cookie", &S::http_parse_cookie},
    {"http_parse_files", &S::http_parse_files},
    {"http_stream_request_body", &S::http_stream_request_body},
    {"http_request_decompression", &S::http_request_decompression},
    {"upload_tmp_dir", &S::upload_tmp_dir},
    {"upload_max_total", Kind::kSize, &S::upload_max_total, 0},
    {"body_max_total", Kind::kSize, &S::body_max_total, 0},
    {"unsent_max_total", Kind::kSize, &S::unsent_max_total, 0},
    {"upload_max_filesize", Kind::kSize, &S::upload_max_filesize, 0},
    {"enable_static_handler", &S::enable_static_handler},
    {"document_root", &S::document_root},
    {"static_handler_locations", &S::static_handler_locations},
    {"url_rewrite_rules", &S::url_rewrite_rules},
    {"http_index_files", &S::http_index_files},
    {"http_autoindex", &S::http_autoindex},
    {"static_handler_dot_files", &S::static_handler_dot_files},
    {"static_handler_types", &S::static_handler_types},
    {"static_handler_never", &S::static_handler_never},
    {"static_handler_closed", &S::static_handler_closed},
    {"static_handler_cached", &S::static_handler_cached},
    {"static_handler_htaccess", &S::static_handler_htaccess},
    {"static_handler_follow_links", &S::static_handler_follow_links},
    {"static_handler_precompressed", &S::static_handler_precompressed},
    {"static_handler_cache_size", Kind::kSize, &S::static_handler_cache_size, 0},
    {"http_compression", &S::http_compression},
    {"http_compression_level", &S::http_compression_level, 0, 22},
    {"http_gzip_level", &S::http_compression_level, 0, 22},
    {"compression_level", &S::http_compression_level, 0, 22},
    {"http_compression_min_length", Kind::kSize, &S::http_compression_min_length, 0},
    {"compression_min_length", Kind::kSize, &S::http_compression_min_length, 0},
    {"http_compression_types", &S::http_compression_types},
    {"compression_types", &S::http_compression_types},
    {"websocket_compression", &S::websocket_compression},
    {"websocket_compression_memory", Kind::kSize, &S::websocket_compression_memory, 0},
    {"websocket_idle_time", &S::websocket_idle_time, 0, kMostSeconds},
    {"websocket_max_message", Kind::kSize, &S::websocket_max_message, 0},
    {"websocket_message_timeout", &S::websocket_message_timeout},
    {"open_websocket_ping_frame", &S::open_websocket_ping_frame},
    {"open_websocket_pong_frame", &S::open_websocket_pong_frame},
    {"open_websocket_close_frame", &S::open_websocket_close_frame},
    {"websocket_subprotocol", &S::websocket_subprotocol},
    {"open_http2_protocol", &S::open_http2_protocol},
    {"http2_header_table_size", &S::http2_header_table_size, 0, 1 << 20},
    {"http2_max_concurrent_streams", &S::http2_max_concurrent_streams, 1, 10000},
    {"http2_init_window_size", &S::http2_init_window_size, 1, INT32_MAX},
    {"http2_max_frame_size", &S::http2_max_frame_size, 16384, (1 << 24) - 1},
    {"http2_max_header_list_size", Kind::kSize, &S::http2_max_header_list_size, 0},
    {"http2_max_headers", &S::http2_max_headers, 0, 100000},
    {"ssl_stapling_file", &S::ssl_stapling_file},
    {"ssl_proof_folder", &S::ssl_proof_folder},
    {"ssl_ktls", &S::ssl_ktls},
    {"http_header_max_size", Kind::kSize, &S::http_header_max_size, 256},
    {"http_header_max_count", &S::http_header_max_count, 1, 100000},
    {"http_target_max_size", Kind::kSize, &S::http_target_max_size, 16},
    {"http_header_timeout", &S::http_header_timeout},
    {"http_body_timeout", &S::http_body_timeout},
    {"http_body_min_rate", &S::http_body_min_rate},
    {"http_idle_timeout", &S::http_idle_timeout},
    {"http_write_timeout", &S::http_write_timeout},
    {"http_linger_timeout", &S::http_linger_timeout},
    {"http_pipeline_max_output", Kind::kSize, &S::http_pipeline_max_output, 1},
    {"proxy_protocol", &S::proxy_protocol},
    {"trusted_proxies", &S::trusted_proxies},
    {"trusted_proxy_headers", &S::trusted_proxy_headers},
    {"unix_socket_mode", &S::unix_socket_mode},
    {"response_fields", &S::response_fields},
    {"body_limits", &S::body_limits},
    {"access_log", &S::access_log},
    {"access_log_format", &S::access_log_format},
    {"access_log_fields", &S::access_log_fields},
    {"access_log_filter", &S::access_log_filter},
    {"access_log_sample", &S::access_log_sample},
    {"request_id", &S::request_id},
    {"control_socket", &S::control_socket},
    {"enable_metrics", &S::enable_metrics},
    {"metrics_isolation", &S::metrics_isolation},
    {"watchdog_timeout", &S::watchdog_timeout},
    {"boot_timeout", &S::boot_timeout},
    {"worker_start_timeout", &S::worker_start_timeout},
};

const Option* find_option(std::string_view name) {
    auto found = std::ranges::find(kOptions, name, &Option::name);
    return found == std::end(kOptions) ? nullptr : found;
}

// Options of the API that other parts read, or that have no meaning here, are taken without a word.
bool is_api_option(zend_string* name) {
    zend_string* key = zend_string_concat2(ZEND_STRL("OPTION_"), ZSTR_VAL(name), ZSTR_LEN(name));
    zend_str_toupper(ZSTR_VAL(key), ZSTR_LEN(key));
    zend_string* class_name = zend_string_init(ZEND_STRL("Swoole\\Constant"), 0);
    zend_class_entry* ce = zend_lookup_class_ex(class_name, nullptr, ZEND_FETCH_CLASS_NO_AUTOLOAD);
    bool known = ce != nullptr && zend_hash_exists(CE_CONSTANTS_TABLE(ce), key);
    zend_string_release(class_name);
    zend_string_release(key);
    return known;
}

bool is_number(zval* value) {
    zend_uchar type = Z_TYPE_P(value);
    return type == IS_STRING ? is_numeric_string(Z_STRVAL_P(value), Z_STRLEN_P(value), nullptr,
                                                 nullptr, false) != 0
                             : type != IS_ARRAY && type != IS_OBJECT;
}

bool refuse_value(const Option& option, const char* wanted) {
    zend::warning("the option [%s] must be %s: it keeps its value", option.name.data(), wanted);
    return false;
}

bool read_number(ServerSettings& settings, const Option& option, zval* value) {
    int64_t number = 0;
    if (option.kind == Kind::kSize) {
        if (!io::parse_size(value, number)) {
            return refuse_value(option, "a size such as 2097152, \"64K\" or \"8M\"");
        }
    } else if (is_number(value)) {
        number = zval_get_long(value);
    } else {
        return refuse_value(option, "an integer");
    }
    if (option.number == &S::worker_num && number <= 0) {
        number = os::cpu_count();
    }
    if (number <= 0 && option.least > 0) {
        return true;  // "no value of my own": the default stays
    }
    int64_t used = std::clamp(number, option.least, option.most);
    if (used != number && number > 0) {
        zend::warning("the option [%s] must be from " ZEND_LONG_FMT " to " ZEND_LONG_FMT
                      ": " ZEND_LONG_FMT " is used",
                      option.name.data(), option.least, option.most, used);
    }
    settings.*option.number = used;
    return true;
}

bool read_seconds(ServerSettings& settings, const Option& option, zval* value) {
    double seconds = is_number(value) ? zval_get_double(value) : NAN;
    if (std::isnan(seconds)) {
        return refuse_value(option, "a number of seconds");
    }
    settings.*option.seconds =
        std::clamp(seconds, 0.0, static_cast<double>(kMostSeconds));  // below 0: as 0
    return true;
}

bool read_text(zval* value, std::string& out) {
    if (Z_TYPE_P(value) == IS_ARRAY || Z_TYPE_P(value) == IS_OBJECT) {
        return false;
    }
    zend_string* text = zval_get_string(value);
    out.assign(ZSTR_VAL(text), ZSTR_LEN(text));
    zend_string_release(text);
    return true;
}

// One string stands for a list of one.
bool read_texts(zval* value, std::vector<std::string>& out) {
    std::vector<std::string> texts;
    if (Z_TYPE_P(value) != IS_ARRAY) {
        if (!read_text(value, texts.emplace_back())) {
            return false;
        }
    } else {
        zval* entry;
        ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(value), entry) {
            ZVAL_DEREF(entry);
            if (!read_text(entry, texts.emplace_back())) {
                return false;
            }
        }
        ZEND_HASH_FOREACH_END();
    }
    out = std::move(texts);
    return true;
}

bool read_rules(zval* value, UrlRules& out) {
    if (Z_TYPE_P(value) != IS_ARRAY) {
        return false;
    }
    UrlRules rules;
    zend_string* from;
    zval* to;
    ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(value), from, to) {
        ZVAL_DEREF(to);
        std::string text;
        if (from == nullptr || !read_text(to, text)) {
            return false;
        }
        rules.emplace_back(std::string(ZSTR_VAL(from), ZSTR_LEN(from)), std::move(text));
    }
    ZEND_HASH_FOREACH_END();
    out = std::move(rules);
    return true;
}

bool read_option(ServerSettings& settings, const Option& option, zval* value) {
    switch (option.kind) {
        case Kind::kRules:
            return read_rules(value, settings.*option.rules) ||
                   refuse_value(option, "an array of paths or expressions and their replacements");
        case Kind::kTexts:
            return read_texts(value, settings.*option.texts) ||
                   refuse_value(option, "an array of strings");
        case Kind::kBool:
            settings.*option.flag = zend_is_true(value);
            return true;
        case Kind::kText:
            return read_text(value, settings.*option.text) || refuse_value(option, "a string");
        case Kind::kSeconds:
            return read_seconds(settings, option, value);
        default:
            return read_number(settings, option, value);
    }
}

bool read_all(ServerSettings& settings, HashTable* given, bool first_time) {
    bool good = true;
    zend_string* name;
    zval* value;
    ZEND_HASH_FOREACH_STR_KEY_VAL(given, name, value) {
        if (name == nullptr) {
            continue;
        }
        ZVAL_DEREF(value);
        if (Z_TYPE_P(value) == IS_NULL) {
            continue;  // the default stays
        }
        const Option* option = find_option({ZSTR_VAL(name), ZSTR_LEN(name)});
        if (option != nullptr) {
            good = read_option(settings, *option, value) && good;
        } else if (first_time && !is_api_option(name)) {
            zend::warning("unsupported option [%s]", ZSTR_VAL(name));
        }
    }
    ZEND_HASH_FOREACH_END();
    return good;
}

}  // namespace

Nanos to_nanos(double seconds) {
    return static_cast<Nanos>(seconds * static_cast<double>(kSecond));
}

bool read_settings(ServerSettings& settings, HashTable* given) {
    return read_all(settings, given, true);
}

void read_settings_again(ServerSettings& settings, HashTable* given) {
    (void)read_all(settings, given, false);
}

void add_defaults(const ServerSettings& settings, zval* array) {
    constexpr std::string_view kFilled[] = {
        "worker_num",     "task_worker_num",    "output_buffer_size",
        "max_connection", "package_max_length", "max_wait_time",
        "backlog",        "enable_coroutine",   "max_coroutine"};
    for (std::string_view name : kFilled) {
        const Option* option = find_option(name);
        if (option->kind == Kind::kBool) {
            add_assoc_bool_ex(array, name.data(), name.size(), settings.*option->flag);
        } else {
            add_assoc_long_ex(array, name.data(), name.size(), settings.*option->number);
        }
    }
}

namespace {

void add_value(const ServerSettings& settings, const Option& option, zval* array) {
    const char* name = option.name.data();
    size_t length = option.name.size();
    switch (option.kind) {
        case Kind::kBool:
            add_assoc_bool_ex(array, name, length, settings.*option.flag);
            break;
        case Kind::kSeconds:
            add_assoc_double_ex(array, name, length, settings.*option.seconds);
            break;
        case Kind::kText: {
            const std::string& text = settings.*option.text;
            add_assoc_stringl_ex(array, name, length, text.data(), text.size());
            break;
        }
        case Kind::kTexts: {
            zval list;
            array_init(&list);
            for (const std::string& text : settings.*option.texts) {
                add_next_index_stringl(&list, text.data(), text.size());
            }
            add_assoc_zval_ex(array, name, length, &list);
            break;
        }
        case Kind::kRules: {
            zval rules;
            array_init(&rules);
            for (const auto& [from, to] : settings.*option.rules) {
                add_assoc_stringl_ex(&rules, from.data(), from.size(), to.data(), to.size());
            }
            add_assoc_zval_ex(array, name, length, &rules);
            break;
        }
        default:
            add_assoc_long_ex(array, name, length, settings.*option.number);
    }
}

// A second name of the option above it.
bool is_other_name(const Option& option, const Option& before) {
    return (option.number != nullptr && option.number == before.number) ||
           (option.flag != nullptr && option.flag == before.flag);
}

}  // namespace

void add_all(const ServerSettings& settings, zval* array) {
    const Option* before = nullptr;
    for (const Option& option : kOptions) {
        if (before == nullptr || !is_other_name(option, *before)) {
            add_value(settings, option, array);
        }
        before = &option;
    }
}

server::StaticSettings static_settings(const ServerSettings& settings) {
    server::StaticSettings out;
    out.root = settings.document_root;
    out.locations = settings.static_handler_locations;
    out.index_files = settings.http_index_files;
    out.autoindex = settings.http_autoindex;
    out.rules = {settings.static_handler_dot_files, settings.static_handler_types,
                 settings.static_handler_never, settings.static_handler_closed,
                 settings.static_handler_cached};
    out.htaccess = settings.static_handler_htaccess;
    out.precompressed = settings.static_handler_precompressed;
    out.links = settings.static_handler_follow_links ? os::Links::kAnywhere : os::Links::kInside;
    out.cache_bytes = static_cast<uint64_t>(settings.static_handler_cache_size);
    return out;
}

namespace {

server::PathRuleSettings path_rules(const ServerSettings& settings) {
    return {settings.response_fields, settings.body_limits};
}

}  // namespace

std::string check_settings(const ServerSettings& settings) {
    if (settings.worker_start_num > settings.worker_num) {
        return "worker_start_num must be at most worker_num (" +
               std::to_string(settings.worker_num) +
               "): that is the number of places there are for workers";
    }
    if (settings.worker_start_num > 0 && settings.worker_start_num < settings.worker_num &&
        settings.enable_reuse_port) {
        return "worker_start_num does not go together with enable_reuse_port: nobody would accept "
               "the connections of the places without a worker";
    }
    if (int key = 0; !parse_queue_key(settings.message_queue_key, key)) {
        return "message_queue_key must be a number as ftok() gives it, not \"" +
               settings.message_queue_key + "\"";
    }
    proto::proxy::TrustedPeers trusted;
    for (const std::string& peer : settings.trusted_proxies) {
        if (!trusted.add(peer)) {
            return "trusted_proxies: \"" + peer +
                   "\" is no address, no network such as 10.0.0.0/8, and neither \"private\" nor "
                   "\"unix\"";
        }
    }
    const std::string& style = settings.trusted_proxy_headers;
    if (style != "x-forwarded" && style != "forwarded") {
        return "trusted_proxy_headers must be \"x-forwarded\" or \"forwarded\", not \"" + style +
               "\"";
    }
    std::string complaint = server::check_path_rules(path_rules(settings));
    if (complaint.empty()) {
        complaint = check_access_log(settings);
    }
    if (!complaint.empty()) {
        return complaint;
    }
    return UrlRewriter::complaint(settings.url_rewrite_rules);
}

server::HttpLimits http_limits(const ServerSettings& settings) {
    server::HttpLimits limits;
    limits.head.head_bytes = static_cast<uint32_t>(settings.http_header_max_size);
    limits.head.fields = static_cast<uint32_t>(settings.http_header_max_count);
    limits.head.target_bytes = static_cast<uint32_t>(settings.http_target_max_size);
    limits.body_bytes = static_cast<uint64_t>(settings.package_max_length);
    limits.decode_bodies = settings.http_request_decompression;
    limits.header_time = to_nanos(settings.http_header_timeout);
    limits.body_gap = to_nanos(settings.http_body_timeout);
    limits.body_rate_after = limits.body_gap;
    limits.body_rate = static_cast<uint64_t>(settings.http_body_min_rate);
    limits.pending_out = static_cast<uint64_t>(settings.http_pipeline_max_output);
    limits.idle_time = to_nanos(settings.http_idle_timeout);
    if (settings.heartbeat_idle_time > 0) {
        limits.idle_time = settings.heartbeat_idle_time * kSecond;
    } else if (settings.heartbeat_check_interval > 0) {
        limits.idle_time = settings.heartbeat_check_interval * 2 * kSecond;
    } else if (settings.max_idle_time > 0) {
        limits.idle_time = to_nanos(settings.max_idle_time);
    }
    if (settings.max_concurrency > 0) {
        limits.max_concurrency =
            static_cast<uint32_t>(std::min<int64_t>(settings.max_concurrency, UINT32_MAX));
    }
    return limits;
}

server::WebSocketSettings websocket_settings(const ServerSettings& settings) {
    server::WebSocketSettings out;
    out.message_bytes =
        static_cast<uint64_t>(settings.websocket_max_message > 0 ? settings.websocket_max_message
                                                                 : settings.package_max_length);
    out.message_time = to_nanos(settings.websocket_message_timeout);
    out.compression = settings.websocket_compression;
    out.compression_memory = static_cast<size_t>(settings.websocket_compression_memory);
    int64_t heartbeat = settings.heartbeat_idle_time > 0 ? settings.heartbeat_idle_time
                                                         : settings.heartbeat_check_interval * 2;
    out.heartbeat =
        (settings.websocket_idle_time > 0 ? settings.websocket_idle_time : heartbeat) * kSecond;
    out.room = static_cast<uint64_t>(settings.socket_buffer_size);
    out.show_pings = settings.open_websocket_ping_frame;
    out.show_pongs = settings.open_websocket_pong_frame;
    return out;
}

server::ServiceSettings service_settings(const ServerSettings& settings) {
    server::ServiceSettings out;
    out.limits = http_limits(settings);
    const server::HttpLimits& limits = out.limits;
    out.http2.header_table_size = static_cast<uint32_t>(settings.http2_header_table_size);
    out.http2.max_concurrent_streams = static_cast<uint32_t>(settings.http2_max_concurrent_streams);
    out.http2.initial_window_size = static_cast<uint32_t>(settings.http2_init_window_size);
    out.http2.max_frame_size = static_cast<uint32_t>(settings.http2_max_frame_size);
    out.http2.max_header_list_size =
        settings.http2_max_header_list_size > 0
            ? static_cast<uint32_t>(settings.http2_max_header_list_size)
            : limits.head.head_bytes;
    out.http2.max_header_fields = settings.http2_max_headers > 0
                                      ? static_cast<uint32_t>(settings.http2_max_headers)
                                      : limits.head.fields;
    out.output_bytes = static_cast<uint64_t>(settings.output_buffer_size);
    out.max_per_address = static_cast<uint32_t>(settings.max_connections_per_address);
    for (const std::string& peer : settings.trusted_proxies) {
        (void)out.proxies.trusted.add(peer);
    }
    out.proxies.style = settings.trusted_proxy_headers == "forwarded"
                            ? proto::proxy::ForwardedStyle::kForwarded
                            : proto::proxy::ForwardedStyle::kXForwarded;
    out.compression.enabled = settings.http_compression;
    out.compression.level = static_cast<int>(settings.http_compression_level);
    out.compression.min_length = static_cast<uint64_t>(settings.http_compression_min_length);
    out.compression.types = settings.http_compression_types;
    out.rules = path_rules(settings);
    uint64_t largest_body = server::PathRules(out.rules).largest_body(limits.body_bytes);
    out.http2.body_memory = std::max(out.http2.body_memory, 2 * largest_body);
    int64_t workers = std::max<int64_t>(settings.worker_num, 1);  // a coroutine server has none
    if (settings.body_max_total > 0) {
        out.body_memory = static_cast<uint64_t>(settings.body_max_total / workers);
    }
    if (settings.unsent_max_total > 0) {
        out.unsent_memory = static_cast<uint64_t>(
            std::max(settings.unsent_max_total / workers, settings.socket_buffer_size));
    }
    out.websocket = websocket_settings(settings);
    out.ports.front() = http_port_settings(settings);
    out.times = out.ports.front().times;
    return out;
}

server::PortSettings http_port_settings(const ServerSettings& settings) {
    server::PortSettings out;
    out.times.write_stall =
        to_nanos(settings.send_timeout > 0 ? settings.send_timeout : settings.http_write_timeout);
    out.times.linger = to_nanos(settings.http_linger_timeout);
    out.socket.nodelay = settings.open_tcp_nodelay;
    out.socket.keepalive = settings.open_tcp_keepalive;
    out.socket.keepalive_times = {static_cast<int>(settings.tcp_keepidle),
                                  static_cast<int>(settings.tcp_keepinterval),
                                  static_cast<int>(settings.tcp_keepcount)};
    out.socket.user_timeout_ms = static_cast<int>(settings.tcp_user_timeout);
    return out;
}

os::LogSettings log_settings(const ServerSettings& settings) {
    os::LogSettings out;
    out.level = static_cast<os::LogLevel>(settings.log_level);
    out.file = settings.log_file;
    out.rotation = static_cast<os::LogRotation>(settings.log_rotation);
    out.date_format = settings.log_date_format;
    out.microseconds = settings.log_date_with_microseconds;
    return out;
}

}  // namespace stampede::classes
