--TEST--
Compressed messages are right whatever connections share the memory for it, and it can be bounded
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
$server = new Swoole\WebSocket\Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'websocket_compression' => true, 'websocket_compression_memory' => $argv[1] ?? 0]);
$server->on('message', function (Swoole\WebSocket\Server $server, Swoole\WebSocket\Frame $frame): void {
    if ($frame->data === 'memory') {
        $server->push($frame->fd, preg_replace('/.*VmRSS:\s+(\d+).*/s', '$1', file_get_contents('/proc/self/status')));
        return;
    }
    $server->push($frame->fd, strrev($frame->data), WEBSOCKET_OPCODE_TEXT, SWOOLE_WEBSOCKET_FLAG_FIN | SWOOLE_WEBSOCKET_FLAG_COMPRESS);
});

function client(int $port): void
{
    $clients = [];
    for ($i = 0; $i < 200; $i++) {
        $clients[$i] = new Swoole\Coroutine\Http\Client('127.0.0.1', $port);
        $clients[$i]->set(['websocket_compression' => true]);
        $clients[$i]->upgrade('/') || print("$i is not upgraded\n");
    }
    $clients[0]->push('memory');
    $before = (int) $clients[0]->recv(10)->data;
    $wrong = 0;
    for ($round = 0; $round < 5; $round++) {
        foreach ($clients as $i => $client) {
            $text = "round $round of $i: " . str_repeat("the same words of $i and no others, ", $round * 20);
            $client->push($text, WEBSOCKET_OPCODE_TEXT, SWOOLE_WEBSOCKET_FLAG_FIN | SWOOLE_WEBSOCKET_FLAG_COMPRESS);
            $wrong += $client->recv(10)->data === strrev($text) ? 0 : 1;
        }
    }
    $clients[0]->push('memory');
    $grown = (int) $clients[0]->recv(10)->data - $before;
    $most = getenv('USE_ZEND_ALLOC') === '0' ? 512 << 10 : 8 << 10; // sanitizers keep what is freed
    echo "$wrong wrong, memory: ", $grown < $most ? 'little' : "$grown KiB", "\n";
}

$out = tempnam(sys_get_temp_dir(), 'out');
$server->on('managerStart', function (Swoole\Server $server) use ($out): void {
    if (pcntl_fork() === 0) {
        ob_start();
        try {
            Swoole\Coroutine\run(client(...), $server->port);
        } finally {
            file_put_contents($out, ob_get_clean());
            posix_kill($server->master_pid, SIGTERM);
            posix_kill(getmypid(), SIGKILL);
        }
    }
});
$server->start();
echo file_get_contents($out);
unlink($out);
?>
--EXPECT--
0 wrong, memory: little
