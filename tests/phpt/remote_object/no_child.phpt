--TEST--
The default server of remote objects is no child of the process that has started it: wait() is for the application's own
--EXTENSIONS--
pcntl
--FILE--
<?php
use Swoole\Process;

swoole_init_default_remote_object_server();
var_dump(Process::wait(true), pcntl_wait($status));
(new Process(static fn () => exit(3)))->start();
var_dump(Process::wait(true)['code'], Process::wait(true));
Swoole\Coroutine\run(static function (): void {
    $list = swoole_get_default_remote_object_client()->create(ArrayObject::class, [1, 2, 3]);
    var_dump(count($list));
});
?>
--EXPECT--
bool(false)
int(-1)
int(3)
bool(false)
int(3)
