--TEST--
Runtime: flags, their defaults, older ways to set them
--FILE--
<?php
use Swoole\Runtime;

var_dump(Runtime::getHookFlags());
Co\run(fn () => var_dump(Runtime::getHookFlags() === SWOOLE_HOOK_ALL));
var_dump(Runtime::enableCoroutine(SWOOLE_HOOK_SLEEP), Runtime::getHookFlags() === SWOOLE_HOOK_SLEEP);
Co\run(fn () => var_dump(Runtime::getHookFlags() === SWOOLE_HOOK_SLEEP));
Runtime::enableCoroutine(true);
var_dump(Runtime::getHookFlags() === SWOOLE_HOOK_ALL);
Runtime::enableCoroutine(false);
var_dump(Runtime::getHookFlags());
Runtime::setHookFlags(SWOOLE_HOOK_TCP | SWOOLE_HOOK_FILE);
var_dump(Runtime::getHookFlags() === 258);
Co::set(['hook_flags' => SWOOLE_HOOK_PROC]);
var_dump(Runtime::getHookFlags() === SWOOLE_HOOK_PROC);
?>
--EXPECT--
int(0)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
int(0)
bool(true)
bool(true)
