--TEST--
Methods that take the number of a worker: only -1 is the own one, and numbers are not cut
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

$server = null;
$seen = new Swoole\Atomic(0);
serve(static function ($request, $response) use (&$server): void {
    foreach ([-2, 1 << 32, PHP_INT_MIN] as $number) {
        $all[] = [@$server->stop($number), $server->getWorkerPid($number), $server->getWorkerStatus($number)];
    }
    $all[] = $server->getWorkerPid(-1) === getmypid() && $server->getWorkerPid() === $server->getWorkerPid(0);
    $response->end(json_encode($all));
}, [], static function (callable $ask): void {
    echo explode("\r\n\r\n", $ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))[1], "\n";
}, ['workerStart' => static function ($started) use (&$server): void { $server = $started; }, 'workerStop' => static fn () => $seen->add()]);
var_dump($seen->get());
?>
--EXPECT--
[[false,false,false],[false,false,false],[false,false,false],true]
int(1)
