--TEST--
getElapsed() counts the milliseconds since the coroutine was made, getExecuteTime() the microseconds
--FILE--
<?php
use Swoole\Coroutine;

Coroutine\run(function (): void {
    $id = go(function (): void {
        Coroutine::sleep(0.05);
        $elapsed = Coroutine::getElapsed();
        var_dump($elapsed >= 45 && $elapsed < 5000, Coroutine::getExecuteTime() >= 45000 && Coroutine::getExecuteTime() < 5000000);
    });
    var_dump(Coroutine::getElapsed($id) < 5000, Coroutine::getElapsed() < 5000);
});
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
