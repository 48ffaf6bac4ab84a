--TEST--
A worker that blocks holds up no connection that it has left to another one
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../stream_server/peers.inc';

use Swoole\Http\{Request, Response, Server};

const OF_EACH = 6;

function ask($peer, string $path): void
{
    fwrite($peer, "GET $path HTTP/1.1\r\nHost: a\r\n\r\n");
}

function body($peer): string
{
    for ($text = ''; !preg_match('/\r\n\r\n(.+)$/s', $text, $found); $text .= $piece) {
        if (($piece = fread($peer, 8192)) === '' || $piece === false) {
            return "broken off: $text";
        }
    }
    return $found[1];
}

$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set(['worker_num' => 2, 'enable_coroutine' => false]);
$ends = tempnam(sys_get_temp_dir(), 'end');
$open = []; // of this worker
$server->on('close', static function (Server $server, int $fd) use (&$open): void {
    unset($open[$fd]);
});
$server->on('request', static function (Request $request, Response $response) use ($server, $ends, &$open): void {
    $open[$request->fd] = true;
    if ($request->server['request_uri'] === '/block') {
        for ($until = hrtime(true) + 10e9; filesize($ends) === 0 && hrtime(true) < $until; clearstatcache()) {
            usleep(1000);
        }
        file_put_contents($ends, '');
    }
    $response->end((string) ($request->server['request_uri'] === '/connections' ? count($open) : $server->worker_id));
});
serve_peers($server, static function () use ($server, $ends): void {
    $connect = static fn () => connect_to("tcp://127.0.0.1:$server->port");
    $late = 0;
    for ($i = 0; $i < 40; $i++) {
        $blocked = (string) ($i % 2);
        // First the other worker leaves connections to this one, so that the kernel wakes that one last.
        $kept = $others = [];
        for ($until = hrtime(true) + 20e9; (count($kept) < OF_EACH || count($others) < 2 * OF_EACH) && hrtime(true) < $until;) {
            ask($peer = $connect(), '/');
            if (body($peer) !== $blocked) {
                $others[] = $peer;
            } elseif (count($kept) < OF_EACH) {
                $kept[] = $peer;
            } else {
                fclose($peer);
            }
        }
        // Then this one has nearly all.
        array_map(fclose(...), array_splice($others, 1));
        for ($until = hrtime(true) + 10e9; hrtime(true) < $until; usleep(1000)) {
            ask($others[0], '/connections');
            if (body($others[0]) === '1') {
                break;
            }
        }
        $next = $connect();
        ask($kept[0], '/block');
        ask($next, '/');
        $readable = [$next];
        $nothing = null;
        $late += stream_select($readable, $nothing, $nothing, 2) === 1 ? 0 : 1;
        file_put_contents($ends, 'x');
        body($kept[0]);
        body($next);
        unset($next, $readable, $peer);
    }
    echo "$late of 40 were late\n";
});
unlink($ends);
?>
--EXPECT--
0 of 40 were late
