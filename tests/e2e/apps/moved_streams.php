<?php

declare(strict_types=1);

/*
 * A user process sends numbered pieces to streams; when the worker that has them is replaced, its successor is blocked until everything has been sent.
 * The files in the folder _folder say how far all are: `streams` has the numbers of the connections, `moved` is there when the successor is blocked, `sent` when the sender is through.
 */

use Swoole\Process;
use Swoole\Server;

const PIECE = 30000;

['_folder' => $folder] = $settings = json_decode($argv[2], true);
unset($settings['_folder']);

function waitFor(string $file): void
{
    for ($end = microtime(true) + 20; !file_exists($file) && microtime(true) < $end; clearstatcache()) {
        usleep(2000);
    }
}

$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_PROCESS);
$server->set($settings + ['worker_num' => 1, 'max_wait_time' => 20, 'socket_buffer_size' => 1 << 30, 'log_level' => SWOOLE_LOG_WARNING]);
$server->addProcess(new Process(static function () use ($server, $folder): void {
    waitFor("$folder/streams");
    $streams = json_decode((string) file_get_contents("$folder/streams"), true);
    $send = static function (int $number) use ($server, &$streams): void {
        $streams = array_filter($streams, static fn (int $fd): bool => @$server->send($fd, str_pad("$number ", PIECE, '.')));
    };
    for ($i = 0; $i <= 1000; $i++) {
        $send($i);
        clearstatcache();
        usleep(file_exists("$folder/moved") ? 2000 : 100000);
    }
    touch("$folder/sent");
    sleep(60);
}, false, 0, false));
$server->on('workerStart', static function () use ($folder): void {
    if (file_exists("$folder/streams")) {
        // Runs when the worker has told that it serves, and before it reads what is given to it.
        Swoole\Event::defer(static function () use ($folder): void {
            touch("$folder/moved");
            waitFor("$folder/sent");
        });
    }
});
$server->on('receive', static fn (Server $server, int $fd): bool => $server->send($fd, pack('N', $fd)));
$server->start();
