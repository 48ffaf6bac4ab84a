--TEST--
dispatch_mode 4 and 5, and dispatch_func: packets reach the worker that is meant, each once and in order
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

function dispatched(array $settings, callable $client): void
{
    $server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
    $server->set($settings + ['worker_num' => 3, 'open_eof_split' => true, 'package_eof' => "\n"]);
    $seen = [];
    $server->on('receive', static function (Server $server, int $fd, int $reactor, string $data) use (&$seen): void {
        if (str_starts_with($data, 'bind')) {
            $server->bind($fd, (int) substr($data, 5));
        }
        $seen[$fd] = ($seen[$fd] ?? '') . trim($data) . ' ';
        $server->send($fd, "$server->worker_id " . trim($data) . "\n");
    });
    $port = $server->port;
    serve_peers($server, static fn () => $client(static fn () => connect_to("tcp://127.0.0.1:$port")));
}

/** Sends lines at once; the workers that answered, and whether each line came back once and in order. */
function workers_of($peer, array $lines): array
{
    fwrite($peer, implode("\n", $lines) . "\n");
    $workers = [];
    $back = [];
    foreach ($lines as $line) {
        [$workers[], $back[]] = explode(' ', trim(fgets($peer)), 2);
    }
    // Lines of different workers may overtake each other on their way back, those of one may not.
    $kept = true;
    foreach (array_unique($workers) as $worker) {
        $mine = array_values(array_intersect_key($back, array_filter($workers, static fn ($w): bool => $w === $worker)));
        $sorted = $mine;
        sort($sorted, SORT_NATURAL);
        $kept = $kept && $mine === $sorted;
    }
    sort($back, SORT_NATURAL);
    return [array_values(array_unique($workers)), $kept && $back === $lines];
}

$lines = static fn (int $count): array => array_map(static fn (int $i): string => "line $i", range(1, $count));
// All connections of one address have one worker: 127.0.0.1 is 2130706433.
dispatched(['dispatch_mode' => SWOOLE_DISPATCH_IPMOD], static function (callable $connect) use ($lines): void {
    // A worker that has not started yet cannot be meant.
    wait_for(static fn (): bool => workers_of($connect(), ['first'])[0] === [(string) (2130706433 % 3)]);
    for ($i = 0; $i < 8; $i++) {
        [$workers, $kept] = workers_of($connect(), $lines(200));
        if ($workers !== [(string) (2130706433 % 3)] || !$kept) {
            echo 'address: ', json_encode([$workers, $kept]), "\n";
        }
    }
});
dispatched(['dispatch_mode' => SWOOLE_DISPATCH_UIDMOD], static function (callable $connect) use ($lines): void {
    for ($uid = 3; $uid < 9; $uid++) {
        $peer = $connect();
        workers_of($peer, ["bind $uid"]);
        // The binding of another worker is on its way back for a moment.
        wait_for(static fn (): bool => workers_of($peer, ['again'])[0] === [(string) ($uid % 3)]);
        echo json_encode(workers_of($peer, $lines(50))), "\n";
    }
});
$function = static function (Server $server, int $fd, int $type, string $data): int {
    if ($type !== 0) {
        return $type === 5 || $type === 4 ? $fd % 3 : 99;
    }
    return match (true) {
        $data === "discard\n" => SWOOLE_DISPATCH_RESULT_DISCARD_PACKET,
        $data === "close\n" => SWOOLE_DISPATCH_RESULT_CLOSE_CONNECTION,
        default => (int) substr($data, 5) % 3,
    };
};
dispatched(['dispatch_func' => $function], static function (callable $connect) use ($lines): void {
    wait_for(static fn (): bool => count(workers_of($connect(), $lines(3))[0]) === 3);
    for ($i = 0; $i < 6; $i++) {
        $peer = $connect();
        [$workers, $kept] = workers_of($peer, $lines(300));
        sort($workers);
        if ($workers !== ['0', '1', '2'] || !$kept) {
            echo 'function: ', json_encode([$workers, $kept]), "\n";
        }
        fwrite($peer, "discard\n");
        echo json_encode(workers_of($peer, ['line 1'])), ' ';
    }
    fwrite($peer, "close\n");
    var_dump(fread($peer, 10), feof($peer));
});
// SWOOLE_BASE has no dispatch, as in the original.
$server = new Server('127.0.0.1', 0, SWOOLE_BASE);
$server->set(['worker_num' => 2, 'dispatch_func' => static fn (): int => -1]);
$server->on('receive', static fn (Server $server, int $fd, int $reactor, string $data) => $server->send($fd, $data));
$port = $server->port;
serve_peers($server, static function () use ($port): void {
    $peer = connect_to("tcp://127.0.0.1:$port");
    fwrite($peer, "base\n");
    echo fgets($peer);
});
?>
--EXPECT--
[["0"],true]
[["1"],true]
[["2"],true]
[["0"],true]
[["1"],true]
[["2"],true]
[["1"],true] [["1"],true] [["1"],true] [["1"],true] [["1"],true] [["1"],true] string(0) ""
bool(true)
base
