--TEST--
Connections of workers that are replaced or killed: close once each, and the counters add up
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\{Atomic, Server};

const PEERS = 10;

$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set(['worker_num' => 2, 'open_eof_split' => true, 'package_eof' => "\n"]);
[$connects, $closes] = [new Atomic(), new Atomic()];
$server->on('connect', static fn () => $connects->add());
$server->on('close', static fn () => $closes->add());
$server->on('receive', static function (Server $server, int $fd): void {
    $server->send($fd, json_encode($server->stats() + ['pid' => getmypid()]) . "\n");
});
$log = tempnam(sys_get_temp_dir(), 'log');
$server->set(['log_file' => $log]);
serve_peers($server, static function () use ($server, $connects, $closes): void {
    $ask = static function ($peer): array {
        fwrite($peer, "stats\n");
        return json_decode((string) fgets($peer), true) ?? [];
    };
    $connect = static fn () => connect_to("tcp://127.0.0.1:$server->port");
    $until = static function (callable $condition): bool {
        for ($end = hrtime(true) + 20e9; hrtime(true) < $end; usleep(5000)) {
            if ($condition()) {
                return true;
            }
        }
        return false;
    };
    /** Of the server, with the one connection that asks. */
    $counts = static function () use ($connect, $ask): array {
        $stats = $ask($peer = $connect());
        fclose($peer);
        return [$stats['connection_num'] ?? null, ($stats['accept_count'] ?? 0) - ($stats['close_count'] ?? 0)];
    };
    $open = static function () use ($connect, $ask): array {
        for ($peers = $pids = []; count($peers) < PEERS; $pids[] = $ask(end($peers))['pid']) {
            $peers[] = $connect();
        }
        return [$peers, array_unique($pids)];
    };

    [$peers, $pids] = $open();
    posix_kill($server->master_pid, SIGUSR1);
    var_dump($until(static fn (): bool => array_intersect(array_column(array_map($ask, $peers), 'pid'), $pids) === []));
    echo count(array_filter(array_map($ask, $peers))), " go on in other workers\n";
    var_dump($closes->get() === $connects->get() - PEERS, $until(static fn (): bool => $counts() === [1 + PEERS, 1 + PEERS]));
    array_map(fclose(...), $peers);
    var_dump($until(static fn (): bool => $closes->get() === $connects->get()));
    var_dump($until(static fn (): bool => $counts() === [1, 1]));
    var_dump($closes->get() <= $connects->get());

    [$peers, $pids] = $open();
    foreach ($pids as $pid) {
        posix_kill($pid, SIGKILL);
    }
    $ended = array_filter($peers, static fn ($peer): bool => fgets($peer) === false);
    echo count($ended), " ended with their workers\n";
    var_dump($until(static fn (): bool => $counts() === [1, 1]));
});
echo substr_count(file_get_contents($log), 'was ended by signal 9'), " workers were killed\n";
unlink($log);
?>
--EXPECT--
bool(true)
10 go on in other workers
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
10 ended with their workers
bool(true)
2 workers were killed
