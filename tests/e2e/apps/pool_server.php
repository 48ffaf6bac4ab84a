<?php

declare(strict_types=1);

/* A server whose requests take connections from a pool. "_driver": mysql or pgsql; "_port": its server's. */

use Swoole\Coroutine;
use Swoole\Database\PDOConfig;
use Swoole\Database\PDOPool;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$settings = json_decode($argv[2] ?? '{}', true);
$server = new Server('127.0.0.1', (int) $argv[1]);
$server->set(['worker_num' => 1, 'hook_flags' => SWOOLE_HOOK_ALL]);
$isMysql = $settings['_driver'] === 'mysql';
$config = (new PDOConfig())->withDriver($settings['_driver'])->withPort($settings['_port'])->withPassword('');
$pool = new PDOPool($isMysql ? $config->withDbname('mysql') : $config->withDbname('postgres')->withUsername('postgres'), 8);
$slow = $isMysql ? 'SELECT SLEEP(20)' : 'SELECT pg_sleep(20)';
$nap = $isMysql ? 'SELECT SLEEP(0.2)' : 'SELECT pg_sleep(0.2)';
$pool->setWaitLimit(5)->setIdleLimit(60);
$server->on('request', static function (Request $request, Response $response) use ($pool, $slow, $nap): void {
    try {
        switch ($request->server['path_info']) {
            case '/hello':
                $response->end('hello');
                return;
            case '/pool':
                $response->end(json_encode($pool->stats()));
                return;
            case '/fail':
                $pool->get()->beginTransaction();
                throw new Exception('with a connection in hand');
            case '/slow':
            case '/nap':
                $pdo = $pool->get();
                try {
                    $response->end((string) $pdo->query($request->server['path_info'] === '/nap' ? $nap : $slow)->fetchColumn());
                } finally {
                    $pool->put($pdo);
                }
                return;
            default:
                $pdo = $pool->get();
                $value = (string) $pdo->query('SELECT 7')->fetchColumn();
                $pool->put($pdo);
                $response->end($value);
        }
    } catch (Throwable $error) {
        $response->status(503);
        $response->end($error::class);
    }
});
$server->start();
