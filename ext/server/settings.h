// The settings of a server: read from the application's array by one table, with their defaults
// here. Plain values owned by the server's state. PHP thread, never parks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ext/server/url_rewriter.h"
#include "os/log.h"
#include "server/settings.h"
#include "server/static/files.h"
#include "zend/php.h"

namespace stampede::classes {

inline constexpr uint64_t kMostConnectionsOfWorker = 1'000'000;  // and what descriptors allow

// Whole numbers are int64, times are seconds, sizes are bytes, unless a comment says otherwise.
struct ServerSettings {
    int64_t worker_num = 0;         // 0: by mode
    int64_t worker_start_num = 0;   // 0: worker_num
    int64_t worker_max_memory = 0;  // of the process, resident; 0: any
    double worker_max_age = 0;      // 0: any
    int64_t reactor_num = 0;
    int64_t task_worker_num = 0;
    double task_timeout = 0;              // 0: any time
    int64_t task_max_request = 0;         // 0: any number
    int64_t task_max_request_grace = -1;  // -1: half of task_max_request
    bool task_enable_coroutine = false;
    bool task_object = false;   // also called task_use_object
    bool event_object = false;  // events get one object instead of their values
    int64_t task_ipc_mode = 1;  // 3: the chosen task worker does not matter
    std::string message_queue_key;
    std::string admin_server;
    std::string admin_server_token;
    std::string task_tmpdir = "/tmp";  // of large tasks on their way by the message queue
    int64_t max_request = 0;
    int64_t max_request_grace = -1;  // -1: half of max_request
    int64_t max_wait_time = 3;
    int64_t max_replace_time = 0;  // 0: as max_wait_time
    int64_t max_stop_time = 0;     // the same
    double drain_time = 0;
    bool reload_async = true;
    int64_t max_connection = 0;               // 0: from the limit of descriptors
    int64_t max_connections_per_address = 0;  // 0: any number
    int64_t max_concurrency = 0;
    int64_t worker_max_concurrency = 0;
    int64_t backlog = 512;
    bool enable_reuse_port = false;
    int64_t only_worker = -1;  // that accepts connections of a port; -1: all do
    bool daemonize = false;
    std::string pid_file;
    std::string user;
    std::string group;
    std::string chroot;
    std::string log_file;
    int64_t log_level = 2;
    int64_t log_rotation = 0;
    std::string log_date_format = "%Y-%m-%d %H:%M:%S";
    bool log_date_with_microseconds = false;
    bool enable_coroutine = true;
    int64_t max_coroutine = 100000;
    int64_t stack_size = 0;
    int64_t hook_flags = 0;
    int64_t package_max_length = 2 << 20;
    int64_t output_buffer_size = UINT32_MAX;
    int64_t socket_buffer_size = 8 << 20;
    int64_t input_buffer_size = 2 << 20;
    bool open_tcp_nodelay = true;
    bool open_tcp_keepalive = false;
    int64_t tcp_keepidle = 3600;
    int64_t tcp_keepinterval = 60;
    int64_t tcp_keepcount = 5;
    int64_t tcp_defer_accept = 0;
    bool tcp_fastopen = false;
    int64_t tcp_user_timeout = 0;  // milliseconds
    int64_t kernel_socket_send_buffer_size = 0;
    int64_t kernel_socket_recv_buffer_size = 0;
    int64_t heartbeat_check_interval = 0;
    int64_t heartbeat_idle_time = 0;
    double max_idle_time = 0;
    double send_timeout = 0;
    int64_t dispatch_mode = 2;
    int64_t max_queued_bytes = 0;  // 0: 16 MiB, or two packets when these are larger
    bool send_yield = true;
    int64_t buffer_high_watermark = 0;  // 0: four fifths of socket_buffer_size
    int64_t buffer_low_watermark = 0;
    bool discard_timeout_request = false;
    bool enable_delay_receive = false;
    bool http_parse_post = true;
    bool http_parse_cookie = true;
    bool http_parse_files = false;
    bool http_stream_request_body = false;
    bool http_request_decompression = false;
    std::string upload_tmp_dir = "/tmp";
    int64_t upload_max_total = 0;        // of all workers together; 0: any
    int64_t body_max_total = 0;          // in memory, of all workers together; 0: any
    int64_t unsent_max_total = 1 << 30;  // in memory for slow peers, of all workers; 0: any
    int64_t upload_max_filesize = 0;     // 0: package_max_length
    bool enable_static_handler = false;
    std::string document_root;
    std::vector<std::string> static_handler_locations;
    UrlRules url_rewrite_rules;
    std::vector<std::string> http_index_files;
    bool http_autoindex = false;
    bool http_compression = true;
    int64_t http_compression_level = 1;
    int64_t http_compression_min_length = 20;
    std::vector<std::string> http_compression_types;
    bool websocket_compression = false;
    int64_t websocket_compression_memory = 16 << 20;
    int64_t response_spool_size = 0;
    int64_t websocket_max_message = 0;
    double websocket_message_timeout = 0;
    int64_t websocket_idle_time = 0;
    bool open_websocket_ping_frame = false;
    bool open_websocket_pong_frame = false;
    bool open_websocket_close_frame = false;
    std::string websocket_subprotocol;

    bool open_http2_protocol = false;
    int64_t http2_header_table_size = 4096;
    int64_t http2_max_concurrent_streams = 128;
    int64_t http2_init_window_size = 1 << 20;
    int64_t http2_max_frame_size = 16384;
    int64_t http2_max_header_list_size = 0;  // 0: http_header_max_size
    int64_t http2_max_headers = 0;           // 0: http_header_max_count

    // Stampede's own.
    std::string ssl_stapling_file;  // read with the other ssl_* settings; here it is known
    std::string ssl_proof_folder;   // the same
    bool ssl_ktls = false;          // the same
    int64_t http_header_max_size = 64 * 1024;
    int64_t http_header_max_count = 200;
    int64_t http_target_max_size = 16 * 1024;
    double http_header_timeout = 10;
    double http_body_timeout = 10;     // between two reads
    int64_t http_body_min_rate = 500;  // bytes a second, from http_body_timeout on
    double http_idle_timeout = 30;
    double http_write_timeout = 10;  // without progress
    double http_linger_timeout = 2;
    int64_t http_pipeline_max_output = 4 << 20;
    bool static_handler_dot_files = false;
    std::vector<std::string> static_handler_types;   // extensions; none: all
    std::vector<std::string> static_handler_never;   // patterns of names
    std::vector<std::string> static_handler_closed;  // prefixes of paths
    std::vector<std::string> static_handler_cached;  // patterns of paths, and Cache-Control
    bool static_handler_htaccess = false;
    bool static_handler_follow_links = false;  // also out of document_root
    bool static_handler_precompressed = true;
    int64_t static_handler_cache_size = 4 << 20;
    bool proxy_protocol = false;
    std::vector<std::string> trusted_proxies;
    std::string trusted_proxy_headers = "x-forwarded";  // or "forwarded"
    std::string unix_socket_mode;                       // octal digits; empty: by the umask
    std::vector<std::string> response_fields;           // "PATTERN NAME: VALUE"
    std::vector<std::string> body_limits;               // "PATTERN BYTES"
    std::string access_log;                             // a path, "stdout" or "stderr"
    std::string access_log_format = "combined";         // or "json", "text", "coloured", "off"
    std::vector<std::string> access_log_fields;         // none: those of the format
    std::string access_log_filter = "all";              // or "errors", "slow:MILLISECONDS"
    double access_log_sample = 1;                       // the share of requests without errors
    bool request_id = false;                            // is a field of each request
    std::string control_socket;                         // a path; empty: none
    bool enable_metrics = false;
    std::string metrics_isolation = "coroutine";  // of requests that nothing else is said of
    double watchdog_timeout = 60;                 // one iteration of a worker's loop; 0: never
    double boot_timeout = 60;  // of the event boot, until the application is there
    double worker_start_timeout =
        2;  // of the event workerStart, until the worker serves nevertheless
};

// Reads one array into the settings: null leaves an option as it is, numbers out of range are taken
// to the nearest one in it, and what cannot be understood is left out with a warning that names the
// option. False when something was left out; all the others hold.
bool read_settings(ServerSettings& settings, HashTable* given);
// The same for what has been read before: names that are not known are not reported again.
void read_settings_again(ServerSettings& settings, HashTable* given);
// Puts the most asked for settings with their values in force, whatever was given for them.
void add_defaults(const ServerSettings& settings, zval* array);

// All settings, by name, with their values in force.
void add_all(const ServerSettings& settings, zval* array);

// One sentence, empty when they are well: what a row of the table cannot tell.
std::string check_settings(const ServerSettings& settings);

server::StaticSettings static_settings(const ServerSettings& settings);
server::ServiceSettings service_settings(const ServerSettings& settings);
server::HttpLimits http_limits(const ServerSettings& settings);
server::WebSocketSettings websocket_settings(const ServerSettings& settings);
// Of an HTTP port; what a stream port has besides is in port_settings.h.
server::PortSettings http_port_settings(const ServerSettings& settings);
Nanos to_nanos(double seconds);
os::LogSettings log_settings(const ServerSettings& settings);

}  // namespace stampede::classes
