--TEST--
Swoole\Server: a worker that ends by a fatal error in workerStart is started again later and later, not at once
--ENV--
ASAN_OPTIONS=detect_leaks=0
--FILE--
<?php
// The engine frees no objects after a fatal error, so that leaks cannot be looked for here.
$starts = new Swoole\Atomic(0);
$server = new Swoole\Http\Server('127.0.0.1', 0, SWOOLE_BASE);
$server->set(['log_level' => SWOOLE_LOG_NONE, 'display_errors' => false]);
$server->on('request', fn () => 0);
$server->on('workerStart', function () use ($starts) {
    $starts->add();
    ini_set('display_errors', '0');
    ini_set('log_errors', '0');
    Co::sleep(0.001);
    $GLOBALS['much'] = range(1, 1000000); // its end takes a moment
    trigger_error('nothing works', E_USER_ERROR);
});
// The time between two tries doubles; without that there are about a hundred a second.
$server->on('managerStart', fn ($server) => Swoole\Timer::after(1500, fn () => $server->shutdown()));
$server->start();
var_dump($starts->get() >= 1 && $starts->get() <= 8);
?>
--EXPECT--
bool(true)
