--TEST--
Reaching the memory limit in a coroutine ends the script
--FILE--
<?php

// In a process of its own: memory checkers turn the engine's allocator, and so its limit, off.
preg_match('~/\S*stampede\S*\.so~', file_get_contents('/proc/self/maps'), $module);
$script = <<<'PHP'
    ini_set('memory_limit', '16M');
    register_shutdown_function(function () { echo "shutdown function\n"; });
    Co\run(function () {
        go(function () { Co::sleep(0.05); echo "never\n"; });
        go(function () {
            try { $s = str_repeat('x', 1000); while (true) { $s .= $s; } } catch (Throwable $e) { echo "not caught\n"; }
        });
        echo "never\n";
    });
    echo "never\n";
    PHP;
putenv('USE_ZEND_ALLOC=1');
putenv('ASAN_OPTIONS=' . getenv('ASAN_OPTIONS') . ':detect_leaks=0');
exec(PHP_BINARY . ' -n -d display_errors=1 -d fatal_error_backtraces=0 -d extension=' . $module[0] . ' -r ' . escapeshellarg($script), $out, $status);
echo trim(implode("\n", $out)), "\n", $status, "\n";
--EXPECTF--
Fatal error: Allowed memory size of 16777216 bytes exhausted (tried to allocate %d bytes) in Command line code on line %d
shutdown function
255
