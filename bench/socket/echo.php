<?php

declare(strict_types=1);

use Swoole\Coroutine;
use Swoole\Coroutine\Socket;

Coroutine\run(function () use ($argv): void {
    $listener = new Socket(AF_INET, SOCK_STREAM, 0);
    if (!$listener->bind('127.0.0.1', (int) $argv[1]) || !$listener->listen(1024)) {
        exit("The port cannot be used: {$listener->errMsg}\n");
    }
    while ($connection = $listener->accept(-1)) {
        Coroutine::create(static function () use ($connection): void {
            $connection->setOption(SOL_TCP, TCP_NODELAY, 1);
            while (($message = $connection->recv(65536, -1)) !== '' && $message !== false) {
                $connection->send($message);
            }
            $connection->close();
        });
    }
});
