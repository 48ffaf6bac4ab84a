--TEST--
max_queued_bytes holds back a client, and getClientInfo() shows the numbers
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$log = tempnam(sys_get_temp_dir(), 'log');
$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'max_queued_bytes' => 200000, 'open_length_check' => true, 'package_length_type' => 'N', 'package_body_offset' => 4]);
$waiting = [];
$most = 0;
$server->on('receive', static function (Server $server, int $fd, int $reactor, string $data) use (&$waiting, &$most, $log): void {
    $waiting[] = Swoole\Coroutine::getCid();
    $info = $server->getClientInfo($fd);
    $most = max($most, $info['recv_queued_bytes']);
    if ($info['last_dispatch_time'] < $info['connect_time'] || $info['reactor_id'] !== $server->worker_id || $info['server_port'] !== $server->port) {
        note($log, 'wrong ' . json_encode($info));
    }
    note($log, 'begin');
    if (count($waiting) === 1) {
        // The first waits until no more come, then lets all go on.
        for ($seen = 0; $seen !== count($waiting); Swoole\Coroutine::sleep(0.1)) {
            $seen = count($waiting);
        }
        note($log, "waiting $seen most " . ($most < 350000 ? 'is kept' : $most));
        foreach (array_slice($waiting, 1) as $cid) {
            Swoole\Coroutine::resume($cid);
        }
        $waiting = ['no more'];
    } elseif ($waiting[0] !== 'no more') {
        Swoole\Coroutine::yield();
    }
    $server->send($fd, 'x');
});
$port = $server->port;
serve_peers($server, static function () use ($port, $log): void {
    $peer = connect_to("tcp://127.0.0.1:$port");
    $packet = pack('N', 99996) . str_repeat('p', 99996);
    stream_set_blocking($peer, false);
    $bytes = str_repeat($packet, 30);
    $answers = '';
    wait_for(static function () use ($peer, &$bytes, &$answers): bool {
        $sent = $bytes === '' ? 0 : fwrite($peer, $bytes);
        $bytes = substr($bytes, (int) $sent);
        $answers .= fread($peer, 100);
        return strlen($answers) === 30;
    });
    echo strlen($answers), ' ', implode(', ', array_unique(array_diff(notes($log), ['begin']))), "\n";
});
unlink($log);
?>
--EXPECT--
30 waiting 2 most is kept
