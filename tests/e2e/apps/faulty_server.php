<?php

declare(strict_types=1);

/*
 * An HTTP server that says "right", and makes a mistake with every fourth request. usage: faulty_server.php PORT MISTAKE
 * body: another text; status: 500; ends: the connection ends without a response; pause: half a second passes, once, at request 100; none, in chunks.
 */

[, $port, $mistake] = $argv;
$listener = stream_socket_server("tcp://127.0.0.1:$port") ?: exit(1);
$peers = $received = [];
$count = 0;

/** Every request has no body. */
$respond = static function ($peer) use ($mistake, &$count): bool {
    $wrong = ++$count % 4 === 0;
    if ($mistake === 'ends' && $wrong) {
        return false;
    }
    if ($mistake === 'pause' && $count === 100) {
        usleep(500_000);
    }
    $body = $mistake === 'body' && $wrong ? 'wrong' : 'right';
    $status = $mistake === 'status' && $wrong ? '500 Internal Server Error' : '200 OK';
    fwrite($peer, $mistake === 'none' ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nri\r\n3\r\nght\r\n0\r\n\r\n" : "HTTP/1.1 $status\r\nContent-Length: 5\r\n\r\n$body");
    return true;
};
while (true) {
    $read = [$listener, ...$peers];
    $none = [];
    if (stream_select($read, $none, $none, 60) === 0) {
        continue;
    }
    foreach ($read as $socket) {
        if ($socket === $listener) {
            $peer = stream_socket_accept($listener, 0);
            $peers[(int) $peer] = $peer;
            $received[(int) $peer] = '';
            continue;
        }
        $bytes = (string) fread($socket, 65536);
        $received[(int) $socket] .= $bytes;
        $open = $bytes !== '';
        while ($open && ($end = strpos($received[(int) $socket], "\r\n\r\n")) !== false) {
            $received[(int) $socket] = substr($received[(int) $socket], $end + 4);
            $open = $respond($socket);
        }
        if (!$open) {
            unset($peers[(int) $socket], $received[(int) $socket]);
            fclose($socket);
        }
    }
}
