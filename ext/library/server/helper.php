<?php

declare(strict_types=1);

namespace Swoole\Server;

use Swoole\Server;
use Swoole\Timer;

/** The names of all options of servers, and what the library does in a server's events. The server calls these by itself. */
class Helper
{
    /** Milliseconds between two writes of stats_file. */
    public const STATS_TIMER_INTERVAL_TIME = 1000;

    /** Of a process. */
    public const GLOBAL_OPTIONS = [
        'debug_mode' => true,
        'trace_flags' => true,
        'log_file' => true,
        'log_level' => true,
        'log_date_format' => true,
        'log_date_with_microseconds' => true,
        'log_rotation' => true,
        'display_errors' => true,
        'dns_server' => true,
        'socket_dns_timeout' => true,
        'socket_connect_timeout' => true,
        'socket_write_timeout' => true,
        'socket_send_timeout' => true,
        'socket_read_timeout' => true,
        'socket_recv_timeout' => true,
        'response_spool_size' => true,
        'socket_buffer_size' => true,
        'socket_timeout' => true,
        'http2_header_table_size' => true,
        'http2_enable_push' => true,
        'http2_max_concurrent_streams' => true,
        'http2_init_window_size' => true,
        'http2_max_frame_size' => true,
        'http2_max_header_list_size' => true,
        'http2_max_headers' => true,
    ];

    /** Of a server. */
    public const SERVER_OPTIONS = [
        'chroot' => true,
        'user' => true,
        'group' => true,
        'daemonize' => true,
        'pid_file' => true,
        'reactor_num' => true,
        'single_thread' => true,
        'worker_num' => true,
        'max_wait_time' => true,
        'max_stop_time' => true,
        'drain_time' => true,
        'enable_metrics' => true,
        'metrics_isolation' => true,
        'max_queued_bytes' => true,
        'max_concurrency' => true,
        'worker_max_concurrency' => true,
        'enable_coroutine' => true,
        'send_timeout' => true,
        'dispatch_mode' => true,
        'send_yield' => true,
        'dispatch_func' => true,
        'discard_timeout_request' => true,
        'enable_unsafe_event' => true,
        'enable_delay_receive' => true,
        'enable_reuse_port' => true,
        'task_use_object' => true,
        'task_object' => true,
        'event_object' => true,
        'task_enable_coroutine' => true,
        'task_worker_num' => true,
        'task_ipc_mode' => true,
        'task_tmpdir' => true,
        'task_timeout' => true,
        'task_max_request' => true,
        'task_max_request_grace' => true,
        'max_connection' => true,
        'max_conn' => true,
        'start_session_id' => true,
        'heartbeat_check_interval' => true,
        'heartbeat_idle_time' => true,
        'max_request' => true,
        'max_request_grace' => true,
        'reload_async' => true,
        'open_cpu_affinity' => true,
        'cpu_affinity_ignore' => true,
        'http_parse_cookie' => true,
        'http_parse_post' => true,
        'http_parse_files' => true,
        'http_compression' => true,
        'http_compression_level' => true,
        'compression_level' => true,
        'http_gzip_level' => true,
        'http_compression_min_length' => true,
        'compression_min_length' => true,
        'websocket_compression' => true,
        'websocket_idle_time' => true,
        'websocket_compression_memory' => true,
        'websocket_max_message' => true,
        'websocket_message_timeout' => true,
        'upload_tmp_dir' => true,
        'upload_max_filesize' => true,
        'upload_max_total' => true,
        'body_max_total' => true,
        'unsent_max_total' => true,
        'enable_static_handler' => true,
        'document_root' => true,
        'http_autoindex' => true,
        'http_index_files' => true,
        'http_compression_types' => true,
        'compression_types' => true,
        'static_handler_locations' => true,
        'input_buffer_size' => true,
        'buffer_input_size' => true,
        'output_buffer_size' => true,
        'buffer_output_size' => true,
        'message_queue_key' => true,
        'bootstrap' => true,
        'init_arguments' => true,
        'url_rewrite_rules' => true,
    ];

    /** Of a port. */
    public const PORT_OPTIONS = [
        'ssl_cert_file' => true,
        'ssl_key_file' => true,
        'backlog' => true,
        'socket_buffer_size' => true,
        'kernel_socket_recv_buffer_size' => true,
        'kernel_socket_send_buffer_size' => true,
        'heartbeat_idle_time' => true,
        'buffer_high_watermark' => true,
        'buffer_low_watermark' => true,
        'open_tcp_nodelay' => true,
        'tcp_defer_accept' => true,
        'open_tcp_keepalive' => true,
        'open_eof_check' => true,
        'open_eof_split' => true,
        'package_eof' => true,
        'open_http_protocol' => true,
        'open_websocket_protocol' => true,
        'websocket_subprotocol' => true,
        'open_websocket_close_frame' => true,
        'open_websocket_ping_frame' => true,
        'open_websocket_pong_frame' => true,
        'open_http2_protocol' => true,
        'open_mqtt_protocol' => true,
        'open_redis_protocol' => true,
        'max_idle_time' => true,
        'tcp_keepidle' => true,
        'tcp_keepinterval' => true,
        'tcp_keepcount' => true,
        'tcp_user_timeout' => true,
        'tcp_fastopen' => true,
        'open_length_check' => true,
        'package_length_type' => true,
        'package_length_offset' => true,
        'package_body_offset' => true,
        'package_body_start' => true,
        'package_length_func' => true,
        'package_max_length' => true,
        'ssl_compress' => true,
        'ssl_protocols' => true,
        'ssl_verify_peer' => true,
        'ssl_allow_self_signed' => true,
        'ssl_client_cert_file' => true,
        'ssl_cafile' => true,
        'ssl_capath' => true,
        'ssl_verify_depth' => true,
        'ssl_prefer_server_ciphers' => true,
        'ssl_ciphers' => true,
        'ssl_ecdh_curve' => true,
        'ssl_dhparam' => true,
        'ssl_sni_certs' => true,
    ];

    /** Of helper threads. */
    public const AIO_OPTIONS = [
        'aio_core_worker_num' => true,
        'aio_worker_num' => true,
        'aio_max_wait_time' => true,
        'aio_max_idle_time' => true,
        'iouring_entries' => true,
        'iouring_workers' => true,
        'iouring_flag' => true,
        'enable_signalfd' => true,
        'wait_signal' => true,
        'dns_cache_refresh_time' => true,
        'thread_num' => true,
        'min_thread_num' => true,
        'max_thread_num' => true,
        'socket_dontwait' => true,
        'dns_lookup_random' => true,
        'use_async_resolver' => true,
        'enable_coroutine' => true,
    ];

    /** Of coroutines. */
    public const COROUTINE_OPTIONS = [
        'max_coro_num' => true,
        'max_coroutine' => true,
        'enable_deadlock_check' => true,
        'hook_flags' => true,
        'enable_preemptive_scheduler' => true,
        'c_stack_size' => true,
        'stack_size' => true,
        'name_resolver' => true,
        'dns_cache_expire' => true,
        'dns_cache_capacity' => true,
    ];

    /** Of this class. */
    public const HELPER_OPTIONS = [
        'stats_file' => true,
        'stats_timer_interval' => true,
        'admin_server' => true,
    ];

    /**
     * Warns of names that no option has.
     *
     * @param array<string, mixed> $input_options
     */
    public static function checkOptions(array $input_options): void
    {
        $known = self::GLOBAL_OPTIONS + self::SERVER_OPTIONS + self::PORT_OPTIONS + self::AIO_OPTIONS + self::COROUTINE_OPTIONS + self::HELPER_OPTIONS;
        foreach (array_keys(array_diff_key($input_options, $known)) as $name) {
            trigger_error("unsupported option [{$name}]", E_USER_WARNING);
        }
    }

    public static function onBeforeStart(Server $server): void
    {
        if (($server->setting['admin_server'] ?? '') !== '') {
            Admin::init($server);
        }
    }

    public static function onBeforeShutdown(Server $server): void {}

    /**
     * With stats_file the first worker writes what stats() gives every stats_timer_interval milliseconds: one JSON object when the name ends in
     * ".json", a script that returns the array when it ends in ".php", otherwise lines "name: value".
     */
    public static function onWorkerStart(Server $server, int $workerId): void
    {
        $file = $server->setting['stats_file'] ?? '';
        if ($workerId !== 0 || $file === '') {
            return;
        }
        $write = static function () use ($server, $file): void {
            if (@file_put_contents("{$file}.new", self::statsText($file, $server->stats())) === false || !@rename("{$file}.new", $file)) {
                trigger_error("the stats_file {$file} cannot be written", E_USER_WARNING);
            }
        };
        $write();
        $server->stats_timer = Timer::tick((int) ($server->setting['stats_timer_interval'] ?? self::STATS_TIMER_INTERVAL_TIME), $write);
    }

    /** @param array<string, int|float|string> $stats */
    private static function statsText(string $file, array $stats): string
    {
        return match (pathinfo($file, PATHINFO_EXTENSION)) {
            'json' => (string) json_encode($stats),
            'php' => "<?php\nreturn " . var_export($stats, true) . ';',
            default => implode("\n", array_map(static fn ($name, $value) => "{$name}: {$value}", array_keys($stats), $stats)),
        };
    }

    public static function onWorkerExit(Server $server, int $workerId): void
    {
        if ($server->stats_timer) {
            Timer::clear($server->stats_timer);
            $server->stats_timer = null;
        }
    }

    /** @return void */
    public static function onWorkerStop(Server $server, int $workerId) {}

    public static function onStart(Server $server): void {}

    /** @return void */
    public static function onShutdown(Server $server) {}

    /** @return void */
    public static function onBeforeReload(Server $server) {}

    /** @return void */
    public static function onAfterReload(Server $server) {}

    /** @return void */
    public static function onManagerStart(Server $server) {}

    /** @return void */
    public static function onManagerStop(Server $server) {}

    /** @return void */
    public static function onWorkerError(Server $server) {}
}
