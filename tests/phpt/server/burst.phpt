--TEST--
Connections that come at once go to idle workers, also when handlers block
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
use Swoole\Atomic;
use Swoole\Http\Server;

foreach ([SWOOLE_BASE, SWOOLE_PROCESS] as $mode) {
    $begun = new Atomic(0);
    $ready = new Atomic(0);
    $out = tempnam(sys_get_temp_dir(), 'out');
    $server = new Server('127.0.0.1', 0, $mode);
    $server->set(['worker_num' => 8, 'log_level' => SWOOLE_LOG_WARNING]);
    $server->on('workerStart', static fn () => $ready->add());
    $server->on('request', static function ($request, $response) use ($begun): void {
        $begun->add();
        // Nothing else of this worker runs meanwhile.
        for ($until = hrtime(true) + 8e9; $begun->get() < 8 && hrtime(true) < $until;) {
            posix_kill(posix_getpid(), 0);
        }
        $response->end($begun->get() < 8 ? 'alone' : 'beside the others');
    });
    $port = $server->port;
    $server->on('managerStart', static function (Server $server) use ($port, $out, $ready): void {
        if (pcntl_fork() !== 0) {
            return;
        }
        while ($ready->get() < 8) {
            usleep(1000);
        }
        $peers = [];
        for ($i = 0; $i < 8; $i++) {
            $peers[] = $peer = stream_socket_client("tcp://127.0.0.1:$port");
            fwrite($peer, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        }
        $bodies = array_map(static fn ($peer): string => explode("\r\n\r\n", (string) stream_get_contents($peer), 2)[1] ?? 'nothing', $peers);
        file_put_contents($out, json_encode(array_count_values($bodies)));
        posix_kill($server->master_pid, SIGTERM);
        posix_kill(getmypid(), SIGKILL);
    });
    $server->start();
    echo file_get_contents($out), "\n";
    unlink($out);
}
?>
--EXPECT--
{"beside the others":8}
{"beside the others":8}
