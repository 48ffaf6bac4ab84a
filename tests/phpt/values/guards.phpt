--TEST--
declared properties of the API's objects cannot be unset, and a channel has one constructor
--FILE--
<?php

use Swoole\Coroutine\Channel;

$http = new Swoole\Http\Server('127.0.0.1', 0);
$objects = [
    [new Channel(2), 'capacity'],
    [new Swoole\Process(static fn () => null), 'pid'],
    [new Swoole\Process\Pool(1), 'master_pid'],
    [new Swoole\Table(8), 'size'],
    [new Swoole\Lock(), 'errCode'],
    [new Swoole\Http2\Request(), 'path'],
    [$http, 'port'],
    [$http->ports[0], 'host'],
];
Swoole\Coroutine\run(static function () use (&$objects): void {
    $objects[] = [new Swoole\Coroutine\Http\Server('127.0.0.1', 0), 'port'];
});
foreach ($objects as [$object, $name]) {
    if (!property_exists($object, $name)) {
        echo $object::class, " has no property $name\n";
    }
    try {
        unset($object->$name);
        echo $object::class, ": $name is gone\n";
    } catch (Error $refusal) {
        echo $refusal->getMessage(), "\n";
    }
}

$own = new class extends Swoole\Http2\Request { public int $mine = 1; };
unset($own->mine);
var_dump(isset($own->mine));

$channel = new Channel(2);
try {
    $channel->__construct(5);
} catch (Error $refusal) {
    echo $refusal->getMessage(), "\n";
}
var_dump($channel->capacity);
--EXPECT--
The property capacity of the class Swoole\Coroutine\Channel cannot be unset.
The property pid of the class Swoole\Process cannot be unset.
The property master_pid of the class Swoole\Process\Pool cannot be unset.
The property size of the class Swoole\Table cannot be unset.
The property errCode of the class Swoole\Lock cannot be unset.
The property path of the class Swoole\Http2\Request cannot be unset.
The property port of the class Swoole\Http\Server cannot be unset.
The property host of the class Swoole\Server\Port cannot be unset.
The property port of the class Swoole\Coroutine\Http\Server cannot be unset.
bool(false)
The constructor of Swoole\Coroutine\Channel was called already.
int(2)
