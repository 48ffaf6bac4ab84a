--TEST--
Cancelling ends a wait with false, or with an exception
--FILE--
<?php

Co\run(function () {
    $yielding = go(function () { var_dump(Co::yield(), Co::isCanceled(), swoole_last_error() === SWOOLE_ERROR_CO_CANCELED); });
    $sleeping = go(function () { var_dump(Co::sleep(10)); var_dump(Co::isCanceled()); Co::sleep(0.001); var_dump(Co::isCanceled()); });
    $popping = go(function () { $c = new Chan; var_dump($c->pop(), $c->errCode === SWOOLE_CHANNEL_CANCELED); });
    $throwing = go(function () {
        try { Co::sleep(10); } catch (Swoole\Coroutine\CanceledException $e) { echo get_class($e), "\n"; }
    });
    foreach ([$yielding, $sleeping, $popping] as $cid) { var_dump(Co::cancel($cid)); }
    var_dump(Co::cancel($throwing, true));
    var_dump(Co::cancel(999), swoole_last_error() === SWOOLE_ERROR_CO_NOT_EXISTS);
    var_dump(Co::cancel(Co::getCid()), swoole_last_error() === SWOOLE_ERROR_CO_CANNOT_CANCEL);
});
--EXPECT--
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
Swoole\Coroutine\CanceledException
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
