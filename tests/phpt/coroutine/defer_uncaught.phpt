--TEST--
Coroutine: deferred calls run after an exception that nobody caught
--ENV--
USE_TRACKED_ALLOC=1
--FILE--
<?php
use Swoole\Coroutine;

use function Swoole\Coroutine\run;

set_exception_handler(static function (Throwable $error): void {
    echo 'uncaught: ', $error->getMessage(), "\n";
});
run(static function (): void {
    Coroutine::create(static function (): void {
        Coroutine::defer(static fn () => print("last\n"));
        Coroutine::defer(static function (): void {
            Coroutine::sleep(0.001);
            echo "first, after a wait\n";
        });
        throw new Exception('thrown');
    });
});
echo "the script has ended\n";
?>
--EXPECT--
uncaught: thrown
first, after a wait
last
