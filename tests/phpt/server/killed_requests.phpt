--TEST--
A request whose worker is killed by the first process gets its response from there, Http\Response::create(); one whose response has begun, or that nobody responds to, ends with its worker
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../stream_server/peers.inc';

use Swoole\Http\{Request, Response, Server};

$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set(['worker_num' => 1, 'enable_coroutine' => false, 'log_file' => '/dev/null']);
$table = new Swoole\Table(16);
foreach (['pid', 'fd'] as $name) {
    $table->column($name, Swoole\Table::TYPE_INT);
}
$table->column('path', Swoole\Table::TYPE_STRING, 32);
$table->create();
$server->on('request', static function (Request $request, Response $response) use ($table): void {
    if ($request->server['request_uri'] === '/begun') {
        $response->header('Content-Length', '1000');
        $response->write('first part');
    } elseif ($request->server['request_uri'] === '/fast') {
        $response->end('fast');
        return;
    }
    $table->set('0', ['pid' => getmypid(), 'fd' => $request->fd, 'path' => $request->server['request_uri']]);
    for ($end = hrtime(true) + 20e9; hrtime(true) < $end;) {
    }
});
$server->on('start', static function (Server $server) use ($table): void {
    Swoole\Timer::tick(5, static function () use ($server, $table): void {
        if (($row = $table->get('0')) === false) {
            return;
        }
        $table->del('0');
        Swoole\Process::kill($row['pid'], SIGKILL);
        if ($row['path'] === '/nobody') {
            return;
        }
        $response = @Response::create($server, $row['fd']);
        if ($response === false) {
            return;
        }
        $response->status(408);
        $response->header('X-Path', $row['path']);
        if ($row['path'] === '/large') {
            $response->end(str_repeat('x', 200000));
        } elseif ($row['path'] === '/pieces') {
            $response->write('a');
            $response->write('bc');
            $response->end('d');
        } else {
            $response->end('too late');
        }
        // There is one response for a request.
        if (@Response::create($server, $row['fd']) !== false) {
            $server->shutdown();
        }
    });
});
$port = $server->port;
serve_peers($server, static function () use ($port): void {
    foreach (['GET /slow', 'HEAD /slow', 'POST /large', 'GET /pieces', 'GET /begun', 'GET /nobody', 'GET /fast'] as $request) {
        $peer = connect_to("tcp://127.0.0.1:$port");
        // The first one of two on the same connection has its response.
        fwrite($peer, "GET /fast HTTP/1.1\r\nHost: a\r\n\r\n");
        while (($line = fgets($peer)) !== false && $line !== "fast") {
            if ($line === "\r\n") {
                fread($peer, 4);
                break;
            }
        }
        $body = str_starts_with($request, 'POST') ? 'some body' : '';
        fwrite($peer, "$request HTTP/1.1\r\nHost: a\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body");
        if ($request === 'GET /fast') {
            fread($peer, 4000);
            echo "the next worker serves\n";
            continue;
        }
        $all = (string) stream_get_contents($peer);
        [$head, $body] = explode("\r\n\r\n", $all, 2) + ['', ''];
        $closes = stripos($head, "\r\nConnection: close") !== false ? ' closes' : '';
        echo "$request: ", strtok($head, "\r\n") ?: 'nothing', $closes, ' ', strlen($body) > 100 ? strlen($body) : json_encode($body), "\n";
    }
});
?>
--EXPECT--
GET /slow: HTTP/1.1 408 Request Timeout closes "too late"
HEAD /slow: HTTP/1.1 408 Request Timeout closes ""
POST /large: HTTP/1.1 408 Request Timeout closes 200000
GET /pieces: HTTP/1.1 408 Request Timeout closes "1\r\na\r\n2\r\nbc\r\n1\r\nd\r\n0\r\n\r\n"
GET /begun: HTTP/1.1 200 OK "first part"
GET /nobody: nothing ""
the next worker serves
