--TEST--
open_http_protocol without the event request: receive is given whole requests, one by one, for Request::create() and Response::create()
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Http\{Request, Response};
use Swoole\Server;

$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set(['worker_num' => 2, 'open_http_protocol' => true, 'package_max_length' => 100000, 'log_file' => '/dev/null']);
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data): void {
    $request = Request::create();
    if ($request->parse($data) !== strlen($data) || !$request->isCompleted()) {
        $server->send($fd, "not a request\n");
        return;
    }
    $response = Response::create([$server, $request], $fd);
    $response->end($request->getMethod() . ' ' . $request->server['request_uri'] . ' ' . strlen($request->getContent()) . "\n");
});
$port = $server->port;
serve_peers($server, static function () use ($port): void {
    $get = "GET /one HTTP/1.1\r\nHost: a\r\n\r\n";
    $post = "POST /two HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n" . str_repeat('x', 5000);
    $chunked = "PUT /three HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1f4;a=b\r\n" . str_repeat('y', 500) . "\r\n0\r\nT: v\r\n\r\n";
    $answers = static function ($peer, int $count): array {
        $lines = [];
        while (count($lines) < $count && ($line = fgets($peer)) !== false) {
            if (preg_match('/^[A-Z]+ \/\w+ \d+$/', trim($line)) === 1 || $line === "not a request\n") {
                $lines[] = trim($line);
            }
        }
        return $lines;
    };
    // At once, in pieces of one and of some bytes.
    foreach ([1 << 20, 1, 777] as $size) {
        $peer = connect_to("tcp://127.0.0.1:$port");
        foreach (str_split($get . $post . $chunked . $get, $size) as $piece) {
            fwrite($peer, $piece);
        }
        $lines = $answers($peer, 4);
        sort($lines);  // functions of one connection run side by side
        echo json_encode($lines, JSON_UNESCAPED_SLASHES), "\n";
    }
    foreach (["no request\r\n\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"] as $wrong) {
        $peer = connect_to("tcp://127.0.0.1:$port");
        fwrite($peer, $wrong);
        var_dump(fread($peer, 100), feof($peer));
    }
});
?>
--EXPECT--
["GET /one 0","GET /one 0","POST /two 5000","PUT /three 505"]
["GET /one 0","GET /one 0","POST /two 5000","PUT /three 505"]
["GET /one 0","GET /one 0","POST /two 5000","PUT /three 505"]
string(0) ""
bool(true)
string(0) ""
bool(true)
string(0) ""
bool(true)
