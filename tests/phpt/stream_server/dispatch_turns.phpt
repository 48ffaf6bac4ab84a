--TEST--
dispatch_mode 1, 3 and 7: packets of one connection that come at once are handled by all workers at the same time, each once; its events stay where it is
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\{Atomic, Server};

const WORKERS = 4;

foreach ([1, 3, 7] as $mode) {
    $server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
    $server->set(['worker_num' => WORKERS, 'dispatch_mode' => $mode, 'open_eof_split' => true, 'package_eof' => "\n", 'enable_coroutine' => false]);
    [$ready, $inside, $connects, $closes] = [new Atomic(), new Atomic(), new Atomic(), new Atomic()];
    $server->on('workerStart', static fn () => $ready->add());
    $server->on('connect', static fn () => $connects->add());
    $server->on('close', static fn () => $closes->add());
    $server->on('receive', static function (Server $server, int $fd, int $reactor, string $data) use ($inside): void {
        // Blocks until every worker has a packet.
        if (str_starts_with($data, 'meet')) {
            $inside->add();
            for ($end = hrtime(true) + 10e9; $inside->get() < WORKERS && hrtime(true) < $end; usleep(1000)) {
            }
        }
        $server->send($fd, "$server->worker_id " . trim($data) . "\n");
    });
    $port = $server->port;
    serve_peers($server, static function () use ($port, $mode, $ready, $inside, $connects, $closes): void {
        wait_for(static fn (): bool => $ready->get() === WORKERS);
        $peer = connect_to("tcp://127.0.0.1:$port");
        $ask = static function (array $lines) use ($peer): array {
            fwrite($peer, implode("\n", $lines) . "\n");
            $workers = $back = [];
            foreach ($lines as $line) {
                [$workers[], $back[]] = explode(' ', trim((string) fgets($peer)), 2) + ['', ''];
            }
            sort($back);
            sort($lines);
            return [count(array_unique($workers)), $back === $lines];
        };
        // One that has only begun to serve cannot be told yet.
        wait_for(static fn (): bool => $ask(array_map(static fn (int $i): string => "before $i", range(1, 40)))[0] === WORKERS);
        $met = $ask(array_map(static fn (int $i): string => "meet $i", range(1, WORKERS)));
        $many = $ask(array_map(static fn (int $i): string => "many $i", range(1, 2000)));
        fclose($peer);
        wait_for(static fn (): bool => $closes->get() === 1);
        echo "$mode: ", json_encode([$met, $many, $inside->get(), $connects->get(), $closes->get()]), "\n";
    });
}
?>
--EXPECT--
1: [[4,true],[4,true],4,1,1]
3: [[4,true],[4,true],4,1,1]
7: [[4,true],[4,true],4,1,1]
