--TEST--
Methods and functions without parameters pass over arguments
--FILE--
<?php
use Swoole\Coroutine;

Coroutine\run(static function (): void {
    $cid = Coroutine::create(static function (): void {
        Coroutine::suspend('a value');
        echo "resumed\n";
    });
    Coroutine::resume($cid);
    var_dump(Coroutine::getCid(1, 2) === Coroutine::getCid());
    $channel = new Coroutine\Channel(1);
    var_dump($channel->length(1), $channel->isEmpty('x'), swoole_version(1) === SWOOLE_VERSION, swoole_last_error(true));
});
?>
--EXPECT--
resumed
bool(true)
int(0)
bool(true)
bool(true)
int(0)
