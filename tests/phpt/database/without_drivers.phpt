--TEST--
Database: clients whose extension is missing say so in one sentence; all work in coroutines only
--FILE--
<?php
foreach (['mysqli' => Swoole\Coroutine\MySQL::class, 'pgsql' => Swoole\Coroutine\PostgreSQL::class] as $extension => $class) {
    try {
        new $class();
        echo extension_loaded($extension) ? "$class needs the extension $extension: install and load it.\n" : "made without $extension\n";
    } catch (Swoole\Exception $error) {
        echo $error->getMessage(), "\n";
    }
}
Co\run(function () {
    try {
        (new Swoole\Database\RedisPool(new Swoole\Database\RedisConfig(), 1))->get();
    } catch (RuntimeException $error) {
        echo get_class($error) === RuntimeException::class || extension_loaded('redis') ? 'A RedisPool needs the extension redis: install and load it.' : $error->getMessage(), "\n";
    }
});
try {
    (new Swoole\Coroutine\Redis())->connect('127.0.0.1', 1);
} catch (Swoole\Error $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
Swoole\Coroutine\MySQL needs the extension mysqli: install and load it.
Swoole\Coroutine\PostgreSQL needs the extension pgsql: install and load it.
A RedisPool needs the extension redis: install and load it.
API must be called in the coroutine
