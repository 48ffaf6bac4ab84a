--TEST--
resume of what does not wait in yield is a warning and false
--FILE--
<?php

Co\run(function () {
    var_dump(Co::resume(4711));
    $sleeping = go(fn () => Co::sleep(0.01));
    var_dump(Co::resume($sleeping));
    var_dump(Co::resume(Co::getCid()));
});
--EXPECTF--

Warning: Swoole\Coroutine::resume(): can not resume the coroutine which is in IO operation or non-existent in %sresume_not_waiting.php on line 4
bool(false)

Warning: Swoole\Coroutine::resume(): can not resume the coroutine which is in IO operation or non-existent in %sresume_not_waiting.php on line 6
bool(false)

Warning: Swoole\Coroutine::resume(): can not resume the coroutine which is in IO operation or non-existent in %sresume_not_waiting.php on line 7
bool(false)
