<?php

declare(strict_types=1);

/*
 * A proxy that speaks SOCKS5 (user "me", password "word") and HTTP CONNECT (and absolute targets), a process for each
 * connection. Plain PHP without the extension: proxy_server.php PORT.
 */

$fetch = static function ($socket, int $size): string {
    $bytes = '';
    while (strlen($bytes) < $size && !feof($socket)) {
        $bytes .= (string) fread($socket, $size - strlen($bytes));
    }
    return $bytes;
};
$join = static function ($one, $other): void {
    stream_set_blocking($one, false);
    stream_set_blocking($other, false);
    for (;;) {
        $read = [$one, $other];
        $write = $except = null;
        if (stream_select($read, $write, $except, 30) < 1) {
            return;
        }
        foreach ($read as $from) {
            $bytes = (string) fread($from, 65536);
            if ($bytes === '' && feof($from)) {
                return;
            }
            $to = $from === $one ? $other : $one;
            stream_set_blocking($to, true);
            fwrite($to, $bytes);
            stream_set_blocking($to, false);
        }
    }
};
$socks = static function ($client) use ($fetch, $join): void {
    $methods = $fetch($client, ord($fetch($client, 1)));
    if (!str_contains($methods, "\x02")) {
        fwrite($client, "\x05\xff");
        return;
    }
    fwrite($client, "\x05\x02");
    $fetch($client, 1);
    $user = $fetch($client, ord($fetch($client, 1)));
    $password = $fetch($client, ord($fetch($client, 1)));
    if ([$user, $password] !== ['me', 'word']) {
        fwrite($client, "\x01\x01");
        return;
    }
    fwrite($client, "\x01\x00");
    $kind = ord($fetch($client, 4)[3]);
    $host = $kind === 3 ? $fetch($client, ord($fetch($client, 1))) : inet_ntop($fetch($client, $kind === 1 ? 4 : 16));
    $port = unpack('n', $fetch($client, 2))[1];
    $target = @stream_socket_client("tcp://$host:$port", $code, $message, 5);
    fwrite($client, "\x05" . ($target === false ? "\x05" : "\x00") . "\x00\x01\0\0\0\0\0\0");
    if ($target !== false) {
        $join($client, $target);
    }
};
$http = static function ($client, string $first) use ($join): void {
    $head = $first;
    while (!str_contains($head, "\r\n\r\n") && !feof($client)) {
        $head .= fread($client, 1);
    }
    [$method, $target] = explode(' ', $head, 3);
    if (!str_contains($head, 'Proxy-Authorization: Basic ' . base64_encode('me:word'))) {
        fwrite($client, "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
        return;
    }
    $address = $method === 'CONNECT' ? $target : (string) preg_replace('~^http://([^/]+).*~', '$1', $target);
    $server = @stream_socket_client("tcp://$address", $code, $message, 5);
    if ($server === false) {
        fwrite($client, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
        return;
    }
    if ($method === 'CONNECT') {
        fwrite($client, "HTTP/1.1 200 Fine\r\n\r\n");
    } else {
        fwrite($server, (string) preg_replace('~^(\S+) http://[^/]+~', '$1 ', $head));
    }
    $join($client, $server);
};

pcntl_signal(SIGCHLD, SIG_IGN);
$listener = stream_socket_server("tcp://127.0.0.1:$argv[1]");
for (;;) {
    $client = @stream_socket_accept($listener, 3600);
    if ($client === false || pcntl_fork() !== 0) {
        continue;
    }
    $first = (string) fread($client, 1);
    $first === "\x05" ? $socks($client) : $http($client, $first);
    exit(0);
}
