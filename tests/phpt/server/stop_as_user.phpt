--TEST--
Workers that run as another user reload and stop their server
--EXTENSIONS--
posix
--SKIPIF--
<?php
if (posix_geteuid() !== 0) {
    die('skip only root can give its processes to another user');
}
?>
--FILE--
<?php
use Swoole\{Atomic, Server, Timer};

$server = new Server('127.0.0.1', 0, SWOOLE_PROCESS);
$server->set(['worker_num' => 1, 'user' => 'nobody', 'log_level' => SWOOLE_LOG_ERROR, 'max_wait_time' => 5]);
$server->on('receive', static function (): void {});
$starts = new Atomic();
$server->on('start', static function (Server $server): void {
    // So that a lost wish fails this test instead of ending it at its limit.
    Timer::after(15_000, static function () use ($server): void {
        echo "nothing came\n";
        $server->shutdown();
    });
});
$server->on('workerStart', static function (Server $server) use ($starts): void {
    $start = $starts->add();
    Timer::after(20, static function () use ($server, $start): void {
        echo posix_getpwuid(posix_geteuid())['name'], ' ';
        var_dump($start === 1 ? $server->reload() : $server->shutdown());
    });
});
var_dump($server->start(), $starts->get());
?>
--EXPECT--
nobody bool(true)
nobody bool(true)
bool(true)
int(2)
