<?php

declare(strict_types=1);

/*
 * The server of bench/soak/faults: every request asks the database through a pool; one that gets an error responds with 503.
 * usage: faults_server.php PORT {"_port": of MariaDB, ... settings}
 */

use Swoole\Database\PDOConfig;
use Swoole\Database\PDOPool;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$settings = json_decode($argv[2], true);
$server = new Server('127.0.0.1', (int) $argv[1]);
$server->set(['worker_num' => 3, 'hook_flags' => SWOOLE_HOOK_ALL, 'log_level' => SWOOLE_LOG_WARNING]);
$config = (new PDOConfig())->withDriver('mysql')->withPort($settings['_port'])->withPassword('')->withDbname('mysql');
$server->on('workerStart', static function () use (&$pool, $config): void {
    $pool = new PDOPool($config, 5);
    $pool->setWaitLimit(5);
});
$server->on('request', static function (Request $request, Response $response) use (&$pool): void {
    try {
        $pdo = $pool->get();
        $value = (string) $pdo->query('SELECT 7')->fetchColumn();
        $pool->put($pdo);
        $response->end($value);
    } catch (PDOException $error) {
        $response->status(503);
        $response->end($error->getMessage());
    }
});
$server->start();
