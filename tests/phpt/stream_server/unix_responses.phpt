--TEST--
On a unix socket each response has left before the next packet is handled
--FILE--
<?php
$path = tempnam(sys_get_temp_dir(), 'unix');
unlink($path);
$server = new Swoole\Server($path, 0, SWOOLE_BASE, SWOOLE_SOCK_UNIX_STREAM);
$server->set(['worker_num' => 1, 'hook_flags' => 0]);
$clients = [];
$there = 0;
$seen = [];
$count = function () use (&$clients): int {
    return count(array_filter($clients, fn(mixed $client): bool => (string) @stream_socket_recvfrom($client, 100, STREAM_PEEK) !== ''));
};
$server->on('workerStart', function () use ($path, &$clients): void {
    // Each waits for its first response, so that the server knows all of them.
    for ($i = 0; $i < 8; $i++) {
        $clients[$i] = stream_socket_client("unix://$path");
        stream_set_blocking($clients[$i], false);
        fwrite($clients[$i], 'first');
    }
});
$server->on('receive', function (Swoole\Server $server, int $fd, int $reactor, string $data) use (&$clients, &$there, &$seen, $count): void {
    if ($data === 'first') {
        if (++$there === 8) {
            Swoole\Timer::after(1, function () use (&$clients): void {
                foreach ($clients as $client) {
                    fwrite($client, 'second');
                }
            });
        }
        return;
    }
    $seen[] = $count();
    if (count($seen) === 8) {
        echo implode(' ', $seen), "\n";
        $server->shutdown();
    }
    $server->send($fd, 'response');
});
$server->start();
@unlink($path);
?>
--EXPECT--
0 1 2 3 4 5 6 7
