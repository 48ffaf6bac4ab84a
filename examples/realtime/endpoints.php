<?php

use Stampede\Departure;
use Stampede\Http\EventStream;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** @var ArrayObject<int, Response> $clients of this worker, which is the only one: see stampede.php */
$clients = new ArrayObject();

return [
    'events' => ['/clock' => static function (EventStream $stream, Request $request, Departure $departure): void {
        while ($stream->event(date('H:i:s')) && $departure->wait(1)) {
        }
    }],
    'websocket' => ['/chat' => static function (Response $socket, Request $request) use ($clients): void {
        $clients[$socket->fd] = $socket;
        try {
            while (is_object($frame = $socket->recv())) {
                foreach ($clients as $client) {
                    $client->push($frame->data);
                }
            }
        } finally {
            unset($clients[$socket->fd]);
        }
    }],
];
