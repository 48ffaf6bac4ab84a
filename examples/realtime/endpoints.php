<?php

use Stampede\Departure;
use Stampede\Http\EventStream;
use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** @var ArrayObject<int, Channel> $clients what waits to be sent to each, of this worker, which is the only one: see stampede.php */
$clients = new ArrayObject();

return [
    'events' => ['/clock' => static function (EventStream $stream, Request $request, Departure $departure): void {
        while ($stream->event(date('H:i:s')) && $departure->wait(1)) {
        }
    }],
    'websocket' => ['/chat' => static function (Response $socket, Request $request) use ($clients): void {
        // Nobody waits for a client that reads slowly: it is left when its queue is full.
        $queue = $clients[$socket->fd] = new Channel(16);
        Coroutine::create(static function () use ($queue, $socket): void {
            while (is_string($text = $queue->pop()) && $socket->push($text)) {
            }
            $socket->close();
        });
        try {
            while (is_object($frame = $socket->recv())) {
                foreach ($clients as $client) {
                    $client->isFull() ? $client->close() : $client->push($frame->data);
                }
            }
        } finally {
            unset($clients[$socket->fd]);
            $queue->close();
        }
    }],
];
