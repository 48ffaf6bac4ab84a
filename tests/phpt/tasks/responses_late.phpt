--TEST--
Responses from another process belong to their request: a second and a late one are refused, and no later request of the connection gets them
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

use Swoole\Http\Response;

$said = tempnam(sys_get_temp_dir(), 'said');
serve_tasks([], [
    'request' => function ($request, Response $response): void {
        if ($request->server['request_uri'] === '/own') {
            $response->end('of its worker');
            return;
        }
        $response->detach();
        $GLOBALS['running']->task([$request->server['request_uri'], $request->fd]);
    },
    'workerStart' => function ($server) use ($said): void {
        $GLOBALS['running'] = $server;
        set_error_handler(fn (int $level, string $text) => file_put_contents($said, preg_replace(['/#\d+/', '/^.*\(\): /'], ['#', ''], $text) . "\n", FILE_APPEND));
    },
    'task' => function ($server, int $task, int $worker, array $data) use ($said): void {
        static $late = [];
        [$path, $fd] = $data;
        $note = static fn (string $what, $result) => file_put_contents($said, "$what " . json_encode($result) . "\n", FILE_APPEND);
        $response = Response::create($server, $fd);
        if ($path === '/twice') {
            $second = Response::create($server, $fd);
            $late = [Response::create($server, $fd), Response::create($server, $fd)];
            $note('first', $response->end('first'));
            $note('second', $second->end('second'));
        } elseif ($path === '/pieces') {
            $note('begun', $response->write('one '));
            $note('created again', (bool) Response::create($server, $fd)?->write('wrong'));
            $note('ended', $response->end('two'));
        } else {  // its predecessors' responses come when it waits
            $note('late', [$late[0]->end('late'), $late[1]->write('late')]);
            $note('own', $response->end('own'));
        }
    },
], function (callable $ask, $server): void {
    $peer = stream_socket_client("tcp://127.0.0.1:$server->port", timeout: 20);
    stream_set_timeout($peer, 20);
    foreach (['/twice' => 'first', '/next' => 'own', '/pieces' => "0\r\n\r\n", '/own' => 'of its worker', '/after' => 'own'] as $path => $end) {
        fwrite($peer, "GET $path HTTP/1.1\r\nHost: a\r\n\r\n");
        for ($all = ''; !str_ends_with($all, $end) && ($more = fread($peer, 8192)) != '';) {
            $all .= $more;
        }
        echo "$path: ", str_replace("\r\n", '|', explode("\r\n\r\n", $all, 2)[1]), "\n";
    }
    fclose($peer);
});
echo file_get_contents($said);
unlink($said);
?>
--EXPECT--
/twice: first
/next: own
/pieces: 4|one |3|two|0||
/own: of its worker
/after: own
first true
the request of connection# that this response was made for has a response, or waits for none any more
second false
the request of connection# that this response was made for has a response, or waits for none any more
the request of connection# that this response was made for has a response, or waits for none any more
late [false,false]
own true
begun true
the request of connection# that this response was made for has a response, or waits for none any more
created again false
ended true
late [false,false]
own true
