--TEST--
Classes of static methods have no objects; declared properties cannot be unset
--FILE--
<?php
class Own extends Swoole\Timer
{
}
foreach ([Swoole\Coroutine::class, Swoole\Event::class, Swoole\Timer::class, Swoole\Runtime::class, Swoole\Coroutine\System::class, Own::class] as $class) {
    try {
        new $class();
        echo "$class: made\n";
    } catch (Swoole\Error $error) {
        echo $error->getMessage(), "\n";
    }
    try {
        (new ReflectionClass($class))->newInstanceWithoutConstructor();
        echo "$class: made\n";
    } catch (Error $error) {
    }
}
class Mine extends Swoole\Coroutine\Http\Client
{
    public $own = 1;
}
$objects = ['errCode' => new Swoole\Coroutine\Lock(), 'fd' => new Swoole\Coroutine\Socket(AF_INET, SOCK_STREAM), 'sock' => new Swoole\Client(SWOOLE_SOCK_TCP),
    'socket' => new Swoole\Coroutine\Client(SWOOLE_SOCK_TCP), 'host' => new Mine('localhost'), 'errMsg' => new Swoole\Coroutine\Http2\Client('localhost')];
foreach ($objects as $name => $object) {
    try {
        unset($object->$name);
        echo "gone\n";
    } catch (Swoole\Error $error) {
        echo $error->getMessage(), "\n";
    }
    unset($object->nothing);
}
unset($objects['host']->own);
var_dump(isset($objects['host']->own));
?>
--EXPECT--
There are no objects of the class Swoole\Coroutine: its methods are static.
There are no objects of the class Swoole\Event: its methods are static.
There are no objects of the class Swoole\Timer: its methods are static.
There are no objects of the class Swoole\Runtime: its methods are static.
There are no objects of the class Swoole\Coroutine\System: its methods are static.
There are no objects of the class Own: its methods are static.
The property errCode of the class Swoole\Coroutine\Lock cannot be unset.
The property fd of the class Swoole\Coroutine\Socket cannot be unset.
The property sock of the class Swoole\Client cannot be unset.
The property socket of the class Swoole\Coroutine\Client cannot be unset.
The property host of the class Mine cannot be unset.
The property errMsg of the class Swoole\Coroutine\Http2\Client cannot be unset.
bool(false)
