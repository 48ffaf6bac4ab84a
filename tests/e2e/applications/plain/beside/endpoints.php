<?php

use Stampede\Http\EventStream;
use Swoole\Http\Request;
use Swoole\Http\Response;

/* Endpoints beside the front controller: they use what coroutines have, while its requests come one after the other. */

return [
    'websocket' => [
        '/echo' => static function (Response $socket, Request $request): void {
            while (is_object($frame = $socket->recv())) {
                if ($frame->data === 'fail') {
                    throw new RuntimeException('the endpoint fails on purpose');
                }
                if ($frame->data === 'end') {
                    return;
                }
                $socket->push("{$frame->data} {$request->get['name']}");
            }
        },
    ],
    'events' => [
        '/ticks' => static function (EventStream $stream, Request $request): void {
            for ($i = 1; $i <= (int) ($request->get['count'] ?? PHP_INT_MAX); $i++) {
                if (!$stream->event("tick {$i}", 'tick', (string) $i)) {
                    return;
                }
                Swoole\Coroutine::sleep(0.01);
            }
        },
    ],
];
