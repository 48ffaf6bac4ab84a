--TEST--
dispatch_func says which worker handles a request; the connection goes there, whole and under its number
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../stream_server/peers.inc';

use Swoole\Http\{Request, Response, Server};

const WORKERS = 3;

$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set([
    'worker_num' => WORKERS, 'package_max_length' => 4 << 20,
    // /2/... is for worker 2, whatever comes after the head.
    'dispatch_func' => static function (Server $server, int $fd, int $type, string $data): int {
        if ($type !== 0 || !preg_match('~^\w+ /(-?\w+)~', $data, $match)) {
            return 0;
        }
        return match ($match[1]) {
            'close' => SWOOLE_DISPATCH_RESULT_CLOSE_CONNECTION,
            'discard' => SWOOLE_DISPATCH_RESULT_DISCARD_PACKET,
            'any' => SWOOLE_DISPATCH_RESULT_USERFUNC_FALLBACK,
            'shut' => $server->close($fd) ? 1 : 1,
            default => (int) $match[1],
        };
    },
]);
$server->on('request', static function (Request $request, Response $response) use ($server): void {
    $response->header('Content-Type', 'application/json');
    $info = $server->getClientInfo($request->fd);
    $response->end(json_encode([$server->worker_id, $request->fd, $info['remote_port'], $info['worker_id'], md5((string) $request->rawContent())]));
});
serve_peers($server, static function () use ($server): void {
    $address = "tcp://127.0.0.1:$server->port";
    $response = static function ($peer): array {
        $length = 0;
        for ($line = fgets($peer); $line !== false && trim($line) !== ''; $line = fgets($peer)) {
            $length = (int) (sscanf($line, 'Content-Length: %d')[0] ?? $length);
        }
        return $length > 0 ? json_decode(read_all($peer, $length), true) : [];
    };
    $ask = static function ($peer, string $path, string $body = '', string $more = '') use ($response): array {
        $length = $body !== '' && $more === '' ? 'Content-Length: ' . strlen($body) . "\r\n" : '';
        fwrite($peer, "POST $path HTTP/1.1\r\nHost: a\r\n$length$more\r\n$body");
        return $response($peer);
    };

    $wrong = [];
    $peers = array_map(static fn () => connect_to($address), range(1, 20));
    $facts = [];
    for ($i = 0; $i < 600; $i++) {
        $peer = $peers[$i % 20];
        $worker = random_int(0, WORKERS - 1);
        $body = $i % 7 === 0 ? random_bytes(random_int(1, 300000)) : "body $i";
        $got = $ask($peer, "/$worker/x", $body);
        $port = (int) substr(strrchr(stream_socket_get_name($peer, false), ':'), 1);
        $facts[$i % 20] ??= $got[1] ?? 0;
        if ($got !== [$worker, $facts[$i % 20], $port, $worker, md5($body)]) {
            $wrong[] = [$i, $worker, $got];
        }
    }
    echo json_encode(array_slice($wrong, 0, 2)), "\n";

    // Chunked, and in pieces: the head byte by byte.
    $peer = $peers[0];
    echo $ask($peer, '/2/', "3\r\nabc\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n")[4] === md5('abc') ? "chunked\n" : "not chunked\n";
    foreach (str_split("GET /1/ HTTP/1.1\r\nHost: a\r\n\r\n") as $byte) {
        fwrite($peer, $byte);
        fflush($peer);
    }
    echo $response($peer)[0], "\n";

    // Several at once go where each of them is for, in order.
    fwrite($peer, implode('', array_map(static fn (int $to): string => "GET /$to/ HTTP/1.1\r\nHost: a\r\n\r\n", [0, 2, 1, 1, 0, 2])));
    echo implode(' ', array_map(static fn (): int => $response($peer)[0] ?? -1, range(1, 6))), "\n";

    // The last one of a connection: its end comes with it.
    fwrite($peer, "GET /1/ HTTP/1.0\r\n\r\n");
    stream_socket_shutdown($peer, STREAM_SHUT_WR);
    echo $response($peer)[0], ' ', fgets($peer) === false && feof($peer) ? 'closed' : 'open', "\n";
    fwrite($peers[1], "GET /2/ HTTP/1.1\r\nHost: a\r\n\r\nGET /half");
    stream_socket_shutdown($peers[1], STREAM_SHUT_WR);
    echo $response($peers[1])[0], ' ', fgets($peers[1]) === false ? 'closed' : 'open', "\n";

    foreach (['close', 'discard', 'shut'] as $i => $what) {
        fwrite($peers[2 + $i], "GET /$what HTTP/1.1\r\nHost: a\r\n\r\n");
        echo "$what: ", fgets($peers[2 + $i]) === false && feof($peers[2 + $i]) ? 'closed' : 'open', "\n";
    }
    echo count($ask($peers[5], '/any')), "\n";
    fwrite($peers[6], "GET /1/ HTTP/1.1\r\nHost: a b\r\n\r\n");
    echo trim(fgets($peers[6])), "\n";
    $other = connect_to($address);
    echo $ask($other, '/2/', 'still')[0], "\n";
});
?>
--EXPECT--
[]
chunked
1
0 2 1 1 0 2
1 closed
2 closed
close: closed
discard: closed
shut: closed
5
HTTP/1.1 400 Bad Request
2
