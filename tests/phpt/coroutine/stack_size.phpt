--TEST--
c_stack_size: small sizes are raised to 128 KiB, and there is no memory for those beyond any number
--FILE--
<?php
foreach ([1, 300_000, -1, PHP_INT_MAX, PHP_INT_MAX - 4095] as $size) {
    Co::set(['c_stack_size' => $size]);
    try {
        Co\run(function (): void {
            Co::sleep(0.001);
            echo Co::stats()['c_stack_size'], "\n";
        });
    } catch (Swoole\Error $error) {
        echo strstr($error->getMessage(), " (", true), "\n";
    }
}
?>
--EXPECT--
131072
303104
303104
no memory for the stack of another coroutine
no memory for the stack of another coroutine
