--TEST--
Runtime: a time limit ends a wait inside a blocking call
--FILE--
<?php
foreach ([fn ($pair) => fgets($pair[0]), fn () => usleep(20_000_000), fn ($pair) => @stream_select($pair, $none, $none, 20)] as $block) {
    Co\run(function () use ($block) {
        Co::setTimeLimit(0.02);
        $start = microtime(true);
        try {
            $block(stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0));
        } catch (Swoole\Coroutine\TimeoutException $error) {
            echo $error->getMessage(), microtime(true) - $start < 10 ? '' : ' too late', "\n";
        }
    });
}
?>
--EXPECT--
coroutine time limit exceeded
coroutine time limit exceeded
coroutine time limit exceeded
