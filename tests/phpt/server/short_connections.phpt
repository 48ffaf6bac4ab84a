--TEST--
Connections for one request each cost no waits because there are several workers
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
use Swoole\Atomic;
use Swoole\Http\Server;

function start(int $workers): array
{
    $ready = new Atomic(0);
    $server = new Server('127.0.0.1', 0, SWOOLE_BASE);
    $server->set(['worker_num' => $workers, 'log_level' => SWOOLE_LOG_WARNING]);
    $server->on('workerStart', static fn () => $ready->add());
    $server->on('request', static fn ($request, $response) => $response->end('ok'));
    $port = $server->port;
    $pid = pcntl_fork();
    if ($pid === 0) {
        $server->start();
        exit(0);
    }
    while ($ready->get() < $workers) {
        usleep(1000);
    }
    return [$pid, $port];
}

/** Seconds that a number of requests last, each on a connection of its own after the one before has ended. */
function requests(int $port, int $count): float
{
    $began = hrtime(true);
    for ($i = 0; $i < $count; $i++) {
        $peer = stream_socket_client("tcp://127.0.0.1:$port");
        fwrite($peer, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        if (!str_ends_with((string) stream_get_contents($peer), "\r\n\r\nok")) {
            echo "a request failed\n";
        }
    }
    return (hrtime(true) - $began) / 1e9;
}

[$one, $alone] = start(1);
[$several, $beside] = start(3);
// The fastest of many: nothing else ran at that moment. A wait for each connection would be in every round.
$best = [INF, INF];
for ($round = 0; $round < 40; $round++) {
    $best = [min($best[0], requests($alone, 20)), min($best[1], requests($beside, 20))];
}
echo $best[1] < 4 * $best[0] ? "as fast as one worker\n" : sprintf("%.2f ms with one worker, %.2f ms with several\n", $best[0] * 1000, $best[1] * 1000);
foreach ([$one, $several] as $pid) {
    posix_kill($pid, SIGTERM);
    pcntl_waitpid($pid, $status);
}
?>
--EXPECT--
as fast as one worker
