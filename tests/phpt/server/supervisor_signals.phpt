--TEST--
Server: a handler for SIGINT in the supervisor takes its place, orders to the supervisor cannot be taken
--FILE--
<?php
use Swoole\Process;

$server = new Swoole\Http\Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_NONE]);
$server->on('request', fn ($request, $response) => $response->end());
$server->on('managerStart', function (Swoole\Http\Server $server) {
    foreach ([SIGTERM, SIGUSR1, SIGUSR2] as $number) {
        var_dump(Process::signal($number, fn () => print("never\n")));
    }
    Process::signal(SIGINT, function () use ($server) {
        echo "interrupted\n";
        Swoole\Timer::after(50, fn () => $server->shutdown());
    });
    Swoole\Timer::after(50, fn () => Process::kill(getmypid(), SIGINT));
});
$server->on('workerStop', fn () => print("worker stops\n"));
var_dump($server->start());
?>
--EXPECTF--
Warning: Swoole\Process::signal(): unable to register the signal [15]: it is how the server's supervisor is told to stop and to reload in %s on line %d
bool(false)

Warning: Swoole\Process::signal(): unable to register the signal [10]: it is how the server's supervisor is told to stop and to reload in %s on line %d
bool(false)

Warning: Swoole\Process::signal(): unable to register the signal [12]: it is how the server's supervisor is told to stop and to reload in %s on line %d
bool(false)
interrupted
worker stops
bool(true)
