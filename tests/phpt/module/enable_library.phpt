--TEST--
swoole.enable_library=Off: functions and classes written in PHP are not there, so that a package can declare them
--INI--
swoole.enable_library=Off
--FILE--
<?php
namespace Swoole\Coroutine {
    function run(callable $function): string { return 'of a package'; }
}

namespace {
    function swoole_string(string $text): string { return "package $text"; }
    var_dump(Swoole\Coroutine\run(fn () => null), swoole_string('text'), class_exists(Swoole\StringObject::class));
    var_dump(function_exists('swoole_coroutine_create'), class_exists(Swoole\Coroutine::class));
    go(fn () => print("a coroutine\n"));
}
?>
--EXPECT--
string(12) "of a package"
string(12) "package text"
bool(false)
bool(true)
bool(true)
a coroutine
