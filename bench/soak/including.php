<?php

/* The server of bench/soak/opcache: two workers that replace themselves now and then, whose requests include files. usage: including.php PORT FOLDER FILES */

use Swoole\Atomic;
use Swoole\Coroutine;

[, $port, $folder, $files] = $argv;
$files = (int) $files;
[$died, $wrong] = [new Atomic(0), new Atomic(0)];
$server = new Swoole\Http\Server('127.0.0.1', (int) $port, SWOOLE_PROCESS);
// New workers, so that files are included by processes that have not loaded their classes.
$server->set(['worker_num' => 2, 'max_request' => 2000, 'log_level' => SWOOLE_LOG_ERROR]);
$server->on('workerError', static function () use ($died): void {
    $died->add(1);
});
$server->on('request', static function ($request, $response) use ($folder, $files, $died, $wrong): void {
    static $count = 0;
    if ($request->server['request_uri'] === '/state') {
        $status = opcache_get_status(false) ?: [];
        $response->end(json_encode(['full' => $status['cache_full'] ?? null, 'pending' => $status['restart_pending'] ?? null,
            'died' => $died->get(), 'wrong' => $wrong->get()]));
        return;
    }
    $number = random_int(0, $files - 1);
    $code = include "$folder/code$number.php";
    if (++$count % 500 === 0) {
        opcache_reset();
    }
    if ($count % 7 === 0) {
        Coroutine::sleep(0.001);
    }
    $class = "Code$number";
    $text = $class::method3();
    if ($code() !== $number || $text !== "text $number 3 of $class" || $class::method39(['b' => 'x']) !== "x of $class") {
        $wrong->add(1);
        $response->status(500);
    }
    $response->end($text);
});
$server->start();
