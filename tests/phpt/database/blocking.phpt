--TEST--
Blocking: calls wait in their coroutine without a hook flag, and block outside of coroutines
--FILE--
<?php
use Stampede\Blocking;
use Swoole\Coroutine\Channel;
use Swoole\Runtime;

var_dump(Blocking::wait(fn () => 7));
Co\run(function () {
    Runtime::setHookFlags(0);
    $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $order = new Channel(10);
    go(function () use ($pair, $order) {
        $order->push('reads');
        $order->push(Blocking::wait(function () use ($pair) {
            return Blocking::wait(fn () => trim(fgets($pair[0])));
        }));
        try {
            Blocking::wait(fn () => throw new Exception('thrown'));
        } catch (Exception $error) {
            $order->push($error->getMessage());
        }
    });
    $order->push('writes');
    fwrite($pair[1], "read\n");
    for ($i = 0; $i < 4; $i++) {
        echo $order->pop(10), "\n";
    }
    var_dump(Runtime::getHookFlags());
});
?>
--EXPECT--
int(7)
reads
writes
read
thrown
int(0)
