<?php

declare(strict_types=1);

/* Passes bytes on to another port of this machine, each way so many milliseconds later. usage: delay.php PORT TO MILLISECONDS */

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\Socket;

[, $port, $to, $milliseconds] = $argv;

/** Reads as fast as bytes come, and writes each piece when its time has come. */
function pass(Socket $from, Socket $to, float $delay): void
{
    $pieces = new Channel(1000);
    Coroutine::create(static function () use ($from, $pieces, $delay): void {
        while (is_string($bytes = $from->recv(65536, -1)) && $bytes !== '') {
            $pieces->push([microtime(true) + $delay, $bytes]);
        }
        $pieces->close();
    });
    Coroutine::create(static function () use ($to, $pieces): void {
        while (is_array($piece = $pieces->pop())) {
            $left = $piece[0] - microtime(true);
            if ($left > 0.0005) {
                Coroutine::sleep($left);
            }
            $to->sendAll($piece[1]);
        }
        $to->shutdown(STREAM_SHUT_WR);
    });
}

Coroutine\run(static function () use ($port, $to, $milliseconds): void {
    $listener = new Socket(AF_INET, SOCK_STREAM, 0);
    $listener->setOption(SOL_SOCKET, SO_REUSEADDR, 1);
    $listener->bind('127.0.0.1', (int) $port);
    $listener->listen(1024);
    while (($client = $listener->accept(-1)) instanceof Socket) {
        $server = new Socket(AF_INET, SOCK_STREAM, 0);
        if (!$server->connect('127.0.0.1', (int) $to, 10)) {
            $client->close();
            continue;
        }
        foreach ([$client, $server] as $socket) {
            $socket->setOption(SOL_TCP, TCP_NODELAY, 1);
        }
        pass($client, $server, (float) $milliseconds / 1000);
        pass($server, $client, (float) $milliseconds / 1000);
    }
});
