<?php

declare(strict_types=1);

/* A name server on port 53 that answers everything after 0.2 s, and nothing about names that begin with "dead". */

$socket = socket_create(AF_INET, SOCK_DGRAM, SOL_UDP);
socket_bind($socket, '127.0.0.1', 53) || exit(1);
/** @var list<array{float, string, string, int}> $queue */
$queue = [];
while (true) {
    $read = [$socket];
    $write = $except = null;
    $wait = $queue === [] ? 1.0 : max(0.0, $queue[0][0] - microtime(true));
    if (socket_select($read, $write, $except, (int) $wait, (int) (fmod($wait, 1.0) * 1e6)) > 0) {
        socket_recvfrom($socket, $query, 512, 0, $address, $port);
        if (substr($query, 13, 4) !== 'dead') {
            $end = (int) strpos($query, "\0", 12) + 5;
            $type = ord($query[$end - 3]);
            $data = match ($type) {
                1 => "\xc0\x00\x02\x01",
                15 => "\0\x0a\x04mail\xc0\x0c",
                12 => "\x04name\x04test\0",
                default => null,
            };
            $answer = substr($query, 0, 2) . "\x81\x80" . pack('n4', 1, $data === null ? 0 : 1, 0, 0) . substr($query, 12, $end - 12);
            if ($data !== null) {
                $answer .= "\xc0\x0c" . pack('nnNn', $type, 1, 60, strlen($data)) . $data;
            }
            $queue[] = [microtime(true) + 0.2, $answer, $address, $port];
        }
    }
    while ($queue !== [] && $queue[0][0] <= microtime(true)) {
        [, $answer, $address, $port] = array_shift($queue);
        socket_sendto($socket, $answer, strlen($answer), 0, $address, $port);
    }
}
