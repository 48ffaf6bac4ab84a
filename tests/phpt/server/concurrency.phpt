--TEST--
worker_max_concurrency: further requests wait for their turn, those of clients that reset their connections are dropped
--EXTENSIONS--
pcntl
posix
sockets
--FILE--
<?php
use Swoole\Coroutine;

$seen = new Swoole\Table(16);
$seen->column('now', Swoole\Table::TYPE_INT);
$seen->column('most', Swoole\Table::TYPE_INT);
$seen->column('count', Swoole\Table::TYPE_INT);
$seen->create();
$seen->set('a', ['now' => 0, 'most' => 0, 'count' => 0]);
$out = tempnam(sys_get_temp_dir(), 'out');
$server = new Swoole\Http\Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'worker_max_concurrency' => 2, 'log_level' => SWOOLE_LOG_WARNING]);
$server->on('request', static function ($request, $response) use ($seen): void {
    $now = $seen->incr('a', 'now');
    $seen->incr('a', 'count');
    $seen->set('a', ['most' => max($now, $seen->get('a', 'most'))]);
    if ($request->server['request_uri'] === '/held') {
        while ($seen->get('a', 'count') >= 0) {
            Coroutine::sleep(0.001);
        }
    }
    Coroutine::sleep(0.002);
    $seen->decr('a', 'now');
    $response->end($request->server['request_uri']);
});
$port = $server->port;
$server->on('managerStart', static function (Swoole\Http\Server $server) use ($port, $out, $seen): void {
    if (pcntl_fork() !== 0) {
        return;
    }
    $ask = static function (string $path) use ($port) {
        $peer = stream_socket_client("tcp://127.0.0.1:$port");
        fwrite($peer, "GET $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        return $peer;
    };
    $peers = array_map(static fn (int $i) => $ask("/$i"), range(1, 20));
    $answers = [];
    foreach ($peers as $peer) {
        [$head, $body] = explode("\r\n\r\n", stream_get_contents($peer), 2);
        $answers[] = substr($head, 9, 3) . " $body";
    }
    $report = [$answers, $seen->get('a', 'most'), $seen->get('a', 'count')];
    // Two take both places; of those that wait, one leaves.
    $held = [$ask('/held'), $ask('/held')];
    while ($seen->get('a', 'count') < 22) {
        usleep(1000);
    }
    $gone = $ask('/gone');
    $stays = $ask('/stays');
    socket_set_option(socket_import_stream($gone), SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 0]);
    fclose($gone);
    // The server has read from both when it answers a later connection, which it must read from, too.
    $refused = stream_socket_client("tcp://127.0.0.1:$port");
    fwrite($refused, "nonsense\r\n\r\n");
    stream_get_contents($refused);
    $seen->set('a', ['count' => -10]);
    $report[] = substr(stream_get_contents($stays), 9, 3);
    $report[] = $seen->get('a', 'count');
    file_put_contents($out, json_encode($report));
    posix_kill($server->master_pid, SIGTERM);
    posix_kill(getmypid(), SIGKILL);
});
$server->start();
[$answers, $most, $count, $stays, $started] = json_decode(file_get_contents($out));
var_dump($answers === array_map(static fn (int $i): string => "200 /$i", range(1, 20)), $most, $count, $stays, $started);
unlink($out);
?>
--EXPECT--
bool(true)
int(2)
int(20)
string(3) "200"
int(-9)
