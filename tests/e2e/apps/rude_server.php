<?php

declare(strict_types=1);

/* A server that is not what clients want. usage: rude_server.php PORT garbage|closing|silent */

[, $port, $kind] = $argv;
$listener = stream_socket_server("tcp://127.0.0.1:$port") ?: exit(1);
$peers = [];
while (true) {
    $read = [$listener, ...$peers];
    $none = [];
    if (stream_select($read, $none, $none, 60) === 0) {
        continue;
    }
    foreach ($read as $socket) {
        if ($socket === $listener) {
            $peer = stream_socket_accept($listener, 0);
            if ($kind === 'garbage') {
                fwrite($peer, str_repeat("\x7f\xfe\x00noise", 20) . "\r\n");
            }
            $kind === 'closing' ? fclose($peer) : $peers[(int) $peer] = $peer;
        } elseif ((string) fread($socket, 65536) === '' && feof($socket)) {
            unset($peers[(int) $socket]);
            fclose($socket);
        }
    }
}
