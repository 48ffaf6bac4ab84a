<?php

declare(strict_types=1);

/*
 * The eleven tests on Stampede, in two ways.
 * usage: server.php PORT published|practice WORKERS CONNECTIONS     CONNECTIONS: of the database, for each worker
 * The published way: one query after another, the cache in a Swoole\Table. The practice we recommend: queries of a request at the same time, and a copy of the
 * shared cache in each worker, which a shared version number makes invalid.
 */

use Swoole\Database\MysqliConfig;
use Swoole\Database\MysqliPool;
use Swoole\Http\Request;
use Swoole\Http\Response;

require __DIR__ . '/app/functions.php';
require __DIR__ . '/Cache.php';
require __DIR__ . '/Tests.php';

[, $port, $way, $workers, $connections] = $argv;

$table = new Swoole\Table(1024);
$table->column('id', Swoole\Table::TYPE_INT);
$table->column('name', Swoole\Table::TYPE_STRING, 64);
$table->column('price', Swoole\Table::TYPE_FLOAT);
$table->create();
$version = new Swoole\Atomic(1);

$server = new Swoole\Http\Server('127.0.0.1', (int) $port, SWOOLE_PROCESS);
// Small files of a local disk are read and written in place: they do not wait, and a hand-over costs more than they do.
$server->set(['worker_num' => (int) $workers, 'hook_flags' => SWOOLE_HOOK_ALL & ~SWOOLE_HOOK_FILE, 'backlog' => 4096, 'log_level' => SWOOLE_LOG_WARNING]);
$tests = null;
$server->on('workerStart', static function () use (&$tests, $table, $version, $way, $connections): void {
    require getenv('BENCH_AUTOLOAD');
    $config = (new MysqliConfig())->withHost('127.0.0.1')->withPort((int) getenv('BENCH_DATABASE'))->withDbName('bench')->withUsername('root')->withPassword('');
    $cache = $way === 'published' ? new SharedCache($table) : new CopiedCache($table, $version);
    $tests = new Tests($cache, new MysqliPool($config, (int) $connections), $way === 'practice');
});
$server->on('request', static function (Request $request, Response $response) use (&$tests): void {
    $response->header('Content-Type', 'text/plain');
    $response->end($tests->run($request->server['request_uri'], $request->get ?? []));
});
$server->start();
