<?php

declare(strict_types=1);

/* What Swoole\Coroutine\System does in the worker of a server. argv: port, settings. */

use Swoole\Coroutine\System;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$server = new Server('127.0.0.1', (int) $argv[1]);
$server->set(json_decode($argv[2], true) + ['worker_num' => 1, 'log_level' => SWOOLE_LOG_ERROR]);
$server->on('workerStart', function (): void {
    go(function (): void {
        $number = System::waitSignal(SIGTERM);
        echo "signal $number\n";
    });
});
$server->on('request', function (Request $request, Response $response): void {
    $file = sys_get_temp_dir() . '/stampede-system-' . getmypid() . '-' . \Swoole\Coroutine::getCid();
    $results = [
        System::writeFile($file, 'written'),
        System::readFile($file),
        System::exec('echo said; exit 2'),
        System::gethostbyname('localhost'),
        isset(System::statvfs('/')['bsize']),
        System::wait(0.01),
    ];
    unlink($file);
    $response->end(json_encode($results));
});
$server->start();
