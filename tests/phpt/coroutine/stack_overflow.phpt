--TEST--
A C stack overflow names the coroutine before the process dies
--FILE--
<?php

$code = 'Co::set(["stack_size" => 262144]); Co\run(function () { go(function () { $f = function ($x) use (&$f) { return array_map($f, [$x]); }; $f(1); }); });';
$so = null;
foreach (explode("\n", file_get_contents('/proc/self/maps')) as $line) { if (preg_match('~(/\S*stampede\S*\.so)$~', $line, $m)) $so = $m[1]; }
exec(PHP_BINARY . ' -n -d extension=' . escapeshellarg($so) . ' -d memory_limit=-1 -r ' . escapeshellarg($code) . ' 2>&1', $out, $status);
$text = implode("\n", $out);
// From PHP 8.3 on the engine notices first.
var_dump(str_contains($text, 'coroutine #2 overflowed its C stack of 256 KiB') || str_contains($text, 'Maximum call stack size'));
var_dump($status !== 0);
--EXPECT--
bool(true)
bool(true)
