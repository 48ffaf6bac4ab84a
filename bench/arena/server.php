<?php

declare(strict_types=1);

/*
 * The profiles on Stampede, with documented settings only; files are read anew each time.
 * usage: server.php PORT WORKERS FOLDER TLS_PORT [CONNECTIONS]     FOLDER: server.pem, server.key, files/; CONNECTIONS: of each database, of all workers together (64)
 */

use Swoole\Database\PDOConfig;
use Swoole\Database\PDOPool;
use Swoole\Database\PDOProxy;
use Swoole\Database\RedisConfig;
use Swoole\Database\RedisPool;
use Swoole\Http\Request;
use Swoole\Http\Response;

require __DIR__ . '/Data.php';

[, $port, $workers, $folder, $tls] = $argv;
$each = max(1, intdiv((int) ($argv[5] ?? 64), (int) $workers));

$server = new Swoole\Http\Server('127.0.0.1', (int) $port, SWOOLE_BASE);
$server->set([
    'worker_num' => (int) $workers, 'hook_flags' => SWOOLE_HOOK_ALL, 'backlog' => 4096, 'log_level' => SWOOLE_LOG_WARNING, 'open_http2_protocol' => true,
    'enable_static_handler' => true, 'document_root' => "$folder/files", 'static_handler_locations' => ['/static'], 'static_handler_cache_size' => 0, 'static_handler_precompressed' => false,
    'upload_tmp_dir' => $folder, 'upload_max_filesize' => 64 << 20,
]);
$encrypted = $server->listen('127.0.0.1', (int) $tls, SWOOLE_SOCK_TCP | SWOOLE_SSL);
$encrypted->set(['open_http_protocol' => true, 'open_http2_protocol' => true, 'ssl_cert_file' => "$folder/server.pem", 'ssl_key_file' => "$folder/server.key"]);

$databases = $caches = null;
$server->on('workerStart', static function () use (&$databases, &$caches, $each): void {
    $databases = new PDOPool((new PDOConfig())->withDriver('pgsql')->withHost('127.0.0.1')->withPort((int) getenv('BENCH_DATABASE'))->withDbname('postgres')->withUsername('postgres')->withPassword(''), $each);
    $caches = new RedisPool((new RedisConfig())->withHost('127.0.0.1')->withPort((int) getenv('BENCH_REDIS')), $each);
});
$pooled = static function (Closure $work) use (&$databases): mixed {
    $database = $databases->get();
    try {
        return $work($database);
    } finally {
        $databases->put($database);
    }
};
$cached = static function () use (&$caches, $pooled): string {
    $redis = $caches->get();
    try {
        return Data::cached($redis, static fn (int $id): array => $pooled(static fn (PDOProxy $database): array => Data::numbered($database, $id)));
    } finally {
        $caches->put($redis);
    }
};
$server->on('request', static function (Request $request, Response $response) use ($pooled, $cached): void {
    $path = $request->server['request_uri'];
    $response->header('Content-Type', $path === '/plaintext' ? 'text/plain' : 'application/json');
    $response->end(match ($path) {
        '/plaintext' => 'Hello, World!',
        '/json' => Data::json(),
        '/large' => Data::large(),
        '/db' => $pooled(static fn (PDOProxy $database): string => Data::one($database)),
        '/queries' => $pooled(static fn (PDOProxy $database): string => Data::many($database, 20)),
        '/updates' => $pooled(static fn (PDOProxy $database): string => Data::update($database, 20)),
        '/crud' => $cached(),
        '/upload' => (string) ($request->files['file']['size'] ?? 0),
        default => 'nothing here',
    });
});
$server->start();
