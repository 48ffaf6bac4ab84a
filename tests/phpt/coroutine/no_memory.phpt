--TEST--
Without memory for another stack create() throws and what exists goes on
--FILE--
<?php

$so = null;
foreach (explode("\n", file_get_contents('/proc/self/maps')) as $line) { if (preg_match('~(/\S*stampede\S*\.so)$~', $line, $m)) $so = $m[1]; }
$code = '$made = 0; Co\run(function () use (&$made) { try { for (;;) { if (!go(function () { Co::sleep(0.05); echo ""; })) break; $made++; } } catch (Swoole\Error $e) { echo substr($e->getMessage(), 0, 38), "\n"; } }); var_dump($made > 20, $made < 2000);';
passthru('ulimit -v 1500000; ' . PHP_BINARY . ' -n -d extension=' . escapeshellarg($so) . ' -r ' . escapeshellarg($code) . ' 2>&1');
--EXPECT--
no memory for the stack of another cor
bool(true)
bool(true)
