--TEST--
only_worker: a port whose connections one worker alone accepts, also after a reload; what does not go with it is refused
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../stream_server/peers.inc';

use Swoole\Http\{Request, Response, Server};

const WORKERS = 3;

foreach ([['only_worker' => WORKERS], ['only_worker' => 0, 'worker_start_num' => 1], ['only_worker' => 0, 'enable_reuse_port' => true]] as $wrong) {
    $server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
    $server->set(['worker_num' => WORKERS] + $wrong);
    $server->on('request', static fn () => null);
    try {
        $server->start();
    } catch (Swoole\Exception $refused) {
        echo $refused->getMessage(), "\n";
    }
    unset($server);
}

$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set(['worker_num' => WORKERS]);
$ports = [];
for ($worker = 0; $worker < WORKERS; $worker++) {
    $ports[$worker] = $server->listen('127.0.0.1', 0, SWOOLE_SOCK_TCP);
    $ports[$worker]->set(['only_worker' => $worker]);
}
$server->on('request', static fn (Request $request, Response $response) => $response->end("$server->worker_id " . getmypid()));
serve_peers($server, static function () use ($server, $ports): void {
    $ask = static function (int $port): array {
        $peer = connect_to("tcp://127.0.0.1:$port");
        fwrite($peer, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        return array_map(intval(...), explode(' ', explode("\r\n\r\n", (string) stream_get_contents($peer), 2)[1] ?? ''));
    };
    $seen = static function () use ($ask, $ports): array {
        $seen = [];
        for ($i = 0; $i < 30; $i++) {
            foreach ($ports as $worker => $port) {
                [$by, $pid] = $ask($port->port);
                $seen[$worker][$by] = $pid;
            }
        }
        return $seen;
    };
    $before = $seen();
    echo json_encode(array_map(array_keys(...), $before)), "\n";
    posix_kill($server->master_pid, SIGUSR1);
    $old = array_merge(...$before);
    var_dump(wait_for(static function () use ($ask, $ports, $old): bool {
        return array_filter($ports, static fn ($port): bool => in_array($ask($port->port)[1], $old, true)) === [];
    }));
    echo json_encode(array_map(array_keys(...), $seen())), "\n";
});
?>
--EXPECTF--
%Aonly_worker must be less than worker_num (3), not 3%A
%Aonly_worker does not go together with worker_start_num: nobody would accept the connections of the places without a worker%A
%Aonly_worker does not go together with enable_reuse_port: one worker needs one socket%A
[[0],[1],[2]]
bool(true)
[[0],[1],[2]]
