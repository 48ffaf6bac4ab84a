--TEST--
Responses from another process over HTTP/2: by stream in any order, refused when several requests wait and none is named
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

use Swoole\Coroutine\Http2\Client;
use Swoole\Http\{Request, Response};

$said = tempnam(sys_get_temp_dir(), 'said');
serve_tasks(['open_http2_protocol' => true], [
    'request' => function ($request, Response $response): void {
        $response->detach();
        $GLOBALS['running']->task([$request->server['request_uri'], $request->fd, $request->streamId]);
    },
    'workerStart' => function ($server) use ($said): void {
        $GLOBALS['running'] = $server;
        set_error_handler(fn (int $level, string $text) => file_put_contents($said, preg_replace(['/#\d+/', '/^.*\(\): /'], ['#', ''], $text) . "\n", FILE_APPEND));
    },
    'task' => function ($server, int $task, int $worker, array $data) use ($said): void {
        static $waiting = [];
        [$path, $fd, $stream] = $data;
        $of = static function (int $stream) use ($server, $fd): Response|false {
            $request = new Request();
            $request->streamId = $stream;
            return Response::create([$server, $request], $fd);
        };
        $waiting[] = [$path, $stream];
        if ($path === '/alone') {
            Response::create($server, $fd)->end('alone');
            $waiting = [];
        } elseif (count($waiting) === 3) {
            $unnamed = Response::create($server, $fd);
            $unknown = $of(99);
            $interleaved = [];
            foreach (array_reverse($waiting) as [$path, $stream]) {  // the latest first
                $interleaved[] = [$response = $of($stream), $path];
                $response->write("begun $path, ");
            }
            foreach ($interleaved as [$response, $path]) {
                $response->end("ended $path");
            }
            $waiting = [];
            file_put_contents($said, json_encode([$unnamed, $unknown]) . "\n", FILE_APPEND);
        }
    },
], function (callable $ask, $server): void {
    Swoole\Coroutine\run(function () use ($server): void {
        $client = new Client('127.0.0.1', $server->port);
        $client->connect();
        $ask = static function (string $path) use ($client): int {
            $request = new Swoole\Http2\Request();
            $request->path = $path;
            return $client->send($request);
        };
        $ask('/alone');
        echo $client->recv(20)->data, "\n";
        $paths = [];
        foreach (['/one', '/two', '/three'] as $path) {
            $paths[$ask($path)] = $path;
        }
        $all = [];
        for ($i = 0; $i < 3; $i++) {
            $response = $client->recv(20);
            $all[$paths[$response->streamId]] = $response->data;
        }
        ksort($all);
        echo json_encode($all, JSON_UNESCAPED_SLASHES), "\n";
        $ask('/alone');
        echo $client->recv(20)->data, "\n";
    });
});
echo file_get_contents($said);
unlink($said);
?>
--EXPECT--
alone
{"/one":"begun /one, ended /one","/three":"begun /three, ended /three","/two":"begun /two, ended /two"}
alone
connection# has no request, or no single one, that waits for a response
the request waits for no response of this worker
[false,false]
