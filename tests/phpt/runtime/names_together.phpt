--TEST--
gethostbyname() in several coroutines at once: PHP has one buffer for all of them
--FILE--
<?php
use Swoole\Coroutine as Co;

Swoole\Runtime::enableCoroutine(SWOOLE_HOOK_ALL);
Co\run(function (): void {
    $seen = [];
    $ask = function (callable $call) use (&$seen): void {
        $seen[] = $call();
    };
    for ($i = 0; $i < 20; $i++) {
        go($ask, fn (): string => gethostbyname('localhost'));
        go($ask, fn (): string => implode(' ', gethostbynamel('localhost')));
        go($ask, fn (): string => gethostbyname('127.0.0.1'));
        go($ask, fn (): string => gethostbyname('no.such.name.invalid'));
    }
    while (count($seen) < 80) {
        Co::sleep(0.001);
    }
    $counts = array_count_values($seen);
    ksort($counts);
    print_r($counts);
});
// Calls that do not wait, while one does.
Co\run(function (): void {
    go(fn () => print(gethostbyname('no.such.name.invalid') . "\n"));
    Swoole\Runtime::setHookFlags(0);
    $now = gethostbyname('localhost');
    Swoole\Runtime::setHookFlags(SWOOLE_HOOK_ALL);
    var_dump($now);
});
?>
--EXPECT--
Array
(
    [127.0.0.1] => 60
    [no.such.name.invalid] => 20
)
string(9) "127.0.0.1"
no.such.name.invalid
