--TEST--
What needs a coroutine says so outside
--FILE--
<?php

foreach ([
    fn () => Co::yield(),
    fn () => Co::sleep(0.01),
    fn () => Co::defer(fn () => 1),
    fn () => (new Chan())->push(1),
    fn () => (new Chan())->pop(),
    fn () => Co::join([1]),
    fn () => Co::isCanceled(),
] as $call) {
    try {
        $call();
        echo "no exception\n";
    } catch (Swoole\Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
var_dump(Co::getCid(), Co::getPcid(), Co::getContext(), Co::getBackTrace(), Co::getElapsed());
var_dump(Co::sleep(0));
--EXPECTF--
Swoole\Error: API must be called in the coroutine
Swoole\Error: API must be called in the coroutine
Swoole\Error: API must be called in the coroutine
Swoole\Error: API must be called in the coroutine
Swoole\Error: API must be called in the coroutine
Swoole\Error: API must be called in the coroutine
Swoole\Error: API must be called in the coroutine
int(-1)
bool(false)
NULL
bool(false)
int(-1)

Warning: Swoole\Coroutine::sleep(): Timer must be greater than or equal to 0.001 in %soutside.php on line 20
bool(false)
