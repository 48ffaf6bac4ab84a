--TEST--
Times of a server that are longer than its clock: no worker is killed, no connection closed
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

$errors = new Swoole\Atomic(0);
$out = tempnam(sys_get_temp_dir(), 'out');
serve(static function ($request, $response): void {
    Co::sleep(0.01);
    $response->end('served');
}, ['max_wait_time' => PHP_INT_MAX, 'heartbeat_idle_time' => PHP_INT_MAX, 'log_level' => SWOOLE_LOG_NONE], static function (callable $ask): void {
    echo explode("\r\n\r\n", $ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), 2)[1] ?? 'nothing', "\n";
}, ['workerError' => static fn () => $errors->add(), 'workerStop' => static function () use ($out): void {
    usleep(50_000); // what an application does at its end takes its time
    file_put_contents($out, 'stopped');
}]);
var_dump($errors->get(), file_get_contents($out));
unlink($out);
?>
--EXPECTF--
Warning: Swoole\Server::set(): the option [max_wait_time] must be from 0 to 1000000000: 1000000000 is used in %s on line %d

Warning: Swoole\Server::set(): the option [heartbeat_idle_time] must be from 0 to 1000000000: 1000000000 is used in %s on line %d
served
int(0)
string(7) "stopped"
