--TEST--
Values that grow are made longer in place, and a folder that is read lets others go on
--SKIPIF--
<?php
if (PHP_OS_FAMILY !== 'Linux' || getenv('USE_ZEND_ALLOC') === '0' || getenv('USE_TRACKED_ALLOC')) {
    die('skip for the allocator of the engine on Linux');
}
?>
--INI--
memory_limit=1G
--FILE--
<?php

Swoole\Runtime::enableCoroutine(SWOOLE_HOOK_ALL);

// Each page that is touched for the first time is a fault of a page: a copy touches all of the block again.
function faults(Closure $work): int
{
    $before = getrusage()['ru_minflt'];
    $work();
    return getrusage()['ru_minflt'] - $before;
}

const SIZE = 48 << 20;

Swoole\Coroutine\run(function () {
    $wanted = intdiv(SIZE, 4096);
    $piece = str_repeat('x', 65536);

    $faults = faults(static function () use ($piece) {
        $one = $other = '';
        while (strlen($other) < SIZE) {
            $one .= $piece;
            $other .= $piece;
        }
    });
    echo 'two strings that grow in turns: ', $faults < 3 * $wanted ? 'in place' : "$faults faults for 2 x $wanted pages", "\n";

    $faults = faults(static function () {
        [$in, $out] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        Swoole\Coroutine::create(static function () use ($in) {
            for ($done = 0; $done < SIZE; $done += 65536) {
                fwrite($in, str_repeat('y', 65536));
            }
            fclose($in);
        });
        stream_get_contents($out);
    });
    echo 'a stream of unknown length: ', $faults < 2 * $wanted ? 'in place' : "$faults faults for $wanted pages", "\n";

    $folder = sys_get_temp_dir() . '/large_values_' . getmypid();
    mkdir($folder);
    for ($i = 0; $i < 500; $i++) {
        touch("$folder/$i");
    }
    $turns = 0;
    $done = false;
    Swoole\Coroutine::create(static function () use (&$turns, &$done) {
        while (!$done) {
            Swoole\Coroutine::sleep(0.001);
            $turns++;
        }
    });
    $handle = opendir($folder);
    $names = 0;
    $before = $turns;
    for ($end = hrtime(true) + 10 ** 9; $turns - $before < 20 && hrtime(true) < $end;) {
        rewinddir($handle);
        while (readdir($handle) !== false) {
            $names++;
        }
    }
    echo 'others got their turn: ', $turns - $before >= 20 ? 'yes' : 'no', "\n";
    closedir($handle);
    $done = true;
    array_map('unlink', glob("$folder/*"));
    rmdir($folder);
});
?>
--EXPECT--
two strings that grow in turns: in place
a stream of unknown length: in place
others got their turn: yes
