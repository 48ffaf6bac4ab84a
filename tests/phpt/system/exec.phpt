--TEST--
System::exec(): output, exit codes, signals, missing programs, much output, a limit, cancelled waits
--INI--
memory_limit=64M
--FILE--
<?php
use Swoole\Coroutine as Co;
use Swoole\Coroutine\System;

Co\run(function (): void {
    $before = count(scandir('/proc/self/fd'));
    echo json_encode(System::exec('echo out; echo err >&2; exit 3', true)), "\n";
    echo json_encode(Co::exec('printf "a\nb"')), "\n";
    echo json_encode(System::exec('kill -9 $$')), "\n";
    echo json_encode(System::exec('exec /does/not/exist 2>/dev/null')['code']), "\n";
    var_dump(System::exec(''), swoole_last_error());
    var_dump(strlen(System::exec('head -c 10000000 /dev/zero')['output']));
    var_dump(System::exec('cat /dev/zero'), swoole_strerror(swoole_last_error()));

    // Ten at once wait beside each other: each needs all the others to have begun.
    $folder = sys_get_temp_dir() . '/stampede-exec-' . getmypid();
    mkdir($folder);
    $codes = new Co\Channel(10);
    for ($i = 0; $i < 10; $i++) {
        go(fn () => $codes->push(System::exec("touch $folder/$i; while [ \$(ls $folder | wc -l) -lt 10 ]; do sleep 0.01; done")['code']));
    }
    for ($i = 0, $sum = 0; $i < 10; $i++) {
        $sum += $codes->pop(20) === 0 ? 1 : 0;
    }
    var_dump($sum);
    array_map(unlink(...), glob("$folder/*"));

    $cid = go(function (): void {
        var_dump(System::exec('sleep 0.1'), swoole_last_error() === SWOOLE_ERROR_CO_CANCELED);
    });
    Co::cancel($cid);
    rmdir($folder);
    $deadline = microtime(true) + 10;
    $children = static fn (): string => (string) file_get_contents('/proc/self/task/' . getmypid() . '/children');
    while ($children() !== '' && microtime(true) < $deadline) {
        System::sleep(0.01);
    }
    var_dump($children(), count(scandir('/proc/self/fd')) - $before, Co::stats()['coroutine_num']);
});
?>
--EXPECT--
{"code":3,"signal":0,"output":"out\nerr\n"}
{"code":0,"signal":0,"output":"a\nb"}
{"code":0,"signal":9,"output":""}
127
bool(false)
int(22)
int(10000000)
bool(false)
string(14) "File too large"
int(10)
bool(false)
bool(true)
string(0) ""
int(0)
int(1)
