--TEST--
Process: a server that was started inside ends at SIGTERM with its workers, in silence; exit() after start() is the script's own
--FILE--
<?php
use Swoole\Http\Server;
use Swoole\Process;
use Swoole\Timer;

$log = tempnam(sys_get_temp_dir(), 'inside');
foreach ([SWOOLE_BASE, SWOOLE_PROCESS] as $mode) {
    $ready = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $child = new Process(static function () use ($mode, $ready, $log): void {
        $server = new Server('127.0.0.1', 0, $mode);
        $server->set(['worker_num' => 2, 'log_file' => $log]);
        $server->on('workerStart', static function () use ($ready): void {
            Timer::tick(1000, static fn () => 1);
            fwrite($ready[1], 'r');
        });
        $server->on('request', static fn ($request, $response) => $response->end('hello'));
        $server->start();
        exit(7);
    });
    $pid = $child->start();
    stream_set_timeout($ready[0], 10);
    fread($ready[0], 1);
    fread($ready[0], 1);
    $start = hrtime(true);
    Process::kill($pid, SIGTERM);
    $ended = Process::wait();
    var_dump($ended['pid'] === $pid, $ended['code'], $ended['signal'], hrtime(true) - $start < 2_900_000_000); // killed ones take 3 s
}
echo file_get_contents($log);
unlink($log);
?>
--EXPECT--
bool(true)
int(7)
int(0)
bool(true)
bool(true)
int(7)
int(0)
bool(true)
