<?php

declare(strict_types=1);

/*
 * A server that speaks HTTP/2 badly: every connection in another way, in the order of the list below, again and again.
 * Plain PHP without the extension: bad_http2_server.php PORT.
 */

$frame = static fn (int $type, int $flags, int $stream, string $payload = ''): string => substr(pack('N', strlen($payload)), 1) . chr($type) . chr($flags) . pack('N', $stream) . $payload;
$settings = $frame(4, 0, 0);
$ok = "\x88";  // :status 200
/** @var array<string, list<string>> $kinds what is sent behind SETTINGS once a request has come; then the connection is closed */
$kinds = [
    'not HTTP/2' => ["HTTP/1.1 400 Bad Request\r\n\r\n"],
    'garbage' => [str_repeat("\xff", 100)],
    'half a frame' => [$settings . substr($frame(1, 4, 1, $ok), 0, 5)],
    'reset' => [$settings . $frame(3, 0, 1, pack('N', 7)), 'wait'],
    'goaway' => [$settings . $frame(7, 0, 0, pack('NN', 0, 11) . 'calm down')],
    'data without head' => [$settings . $frame(0, 1, 1, 'data'), 'wait'],
    'bad compression' => [$settings . $frame(1, 5, 1, "\xff\xff\xff\xff\xff\xff\xff"), 'wait'],
    'endless headers' => array_fill(0, 1, $settings . $frame(1, 0, 1, $ok) . str_repeat($frame(9, 0, 1, "\x00\x01a\x7f\x81\x01" . str_repeat('b', 256)), 400)),
    'body after its length' => [$settings . $frame(1, 4, 1, $ok . "\x0f\x0d\x011") . $frame(0, 1, 1, 'more than one'), 'wait'],
    'silent' => [$settings, 'wait'],
];
$listener = stream_socket_server("tcp://127.0.0.1:$argv[1]");
pcntl_signal(SIGCHLD, SIG_IGN);
$first = @stream_socket_accept($listener, 60);  // the harness looks whether somebody listens
$number = 0;
for (;;) {
    $client = @stream_socket_accept($listener, 3600);
    if ($client === false) {
        continue;
    }
    $kind = array_keys($kinds)[$number++ % count($kinds)];
    if (pcntl_fork() !== 0) {
        fclose($client);
        continue;
    }
    $seen = '';
    while (!str_contains($seen, "\x01\x05\x00\x00\x00\x01") && !feof($client)) {
        $seen .= fread($client, 8192);
    }
    foreach ($kinds[$kind] as $piece) {
        if ($piece === 'wait') {
            while (!feof($client) && fread($client, 8192) !== false) {
            }
        } else {
            @fwrite($client, $piece);
        }
    }
    stream_socket_shutdown($client, STREAM_SHUT_WR);
    while (!feof($client) && fread($client, 8192) !== false) {
    }
    exit(0);
}
