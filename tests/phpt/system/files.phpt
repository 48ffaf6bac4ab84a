--TEST--
System::readFile() and writeFile(): contents, flags, errors, devices, pipes, cancelled waits; nothing is left open
--EXTENSIONS--
posix
--FILE--
<?php
use Swoole\Coroutine as Co;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\System;

$folder = sys_get_temp_dir() . '/stampede-files-' . getmypid();
mkdir($folder);
$open = static fn (): int => count(scandir('/proc/self/fd'));
Co\run(function () use ($folder, $open): void {
    System::readFile(__FILE__);  // what it opens once stays open
    System::writeFile("$folder/a", '');
    System::statvfs('/');
    $before = $open();
    var_dump(System::writeFile("$folder/a", 'hello'), System::readFile("$folder/a"));
    var_dump(System::writeFile("$folder/a", ' world', FILE_APPEND), System::readFile("$folder/a"));
    var_dump(System::writeFile("$folder/a", 'locked', LOCK_EX), System::readFile("$folder/a", LOCK_EX));
    var_dump(System::writeFile("$folder/a", ''), System::readFile("$folder/a"));
    $bytes = random_bytes(5_000_000);
    var_dump(System::writeFile("$folder/big", $bytes) === strlen($bytes), System::readFile("$folder/big") === $bytes);
    var_dump(strlen((string) System::readFile('/proc/self/status')) > 100);

    foreach ([fn () => System::readFile(''), fn () => System::writeFile('', 'x'), fn () => System::statvfs('')] as $call) {
        try {
            $call();
        } catch (ValueError $error) {
            echo $error->getMessage(), "\n";
        }
    }
    foreach (['/does/not/exist', $folder, "$folder/a/below"] as $name) {
        var_dump(System::readFile($name));
        echo swoole_strerror(swoole_last_error()), "\n";
    }
    foreach (['/does/not/exist', $folder, '/dev/full'] as $name) {
        var_dump(System::writeFile($name, 'x'));
        echo swoole_strerror(swoole_last_error()), "\n";
    }

    posix_mkfifo("$folder/pipe", 0600);
    foreach ([0, 1] as $first) {
        $results = new Channel(2);
        $calls = [
            fn () => $results->push(['read', System::readFile("$folder/pipe")]),
            fn () => $results->push(['wrote', System::writeFile("$folder/pipe", 'through')]),
        ];
        go($calls[$first]);
        go($calls[1 - $first]);
        $seen = [$results->pop(), $results->pop()];
        sort($seen);
        echo json_encode($seen), "\n";
    }
    foreach (['readFile', 'writeFile'] as $method) {
        $result = new Channel(1);
        $cid = go(function () use ($method, $folder, $result): void {
            $got = $method === 'readFile' ? System::readFile("$folder/pipe") : System::writeFile("$folder/new", str_repeat('x', 1000));
            $result->push([$got, swoole_last_error() === SWOOLE_ERROR_CO_CANCELED]);
        });
        Co::cancel($cid);
        echo $method, ' ', json_encode($result->pop()), "\n";
    }

    $group = new Swoole\Coroutine\WaitGroup();
    $sum = 0;
    for ($i = 0; $i < 1000; $i++) {
        $group->add();
        go(function () use ($group, $folder, $i, &$sum): void {
            System::writeFile("$folder/$i", (string) $i);
            $sum += (int) System::readFile("$folder/$i");
            unlink("$folder/$i");
            $group->done();
        });
    }
    $group->wait();
    var_dump($sum);
    System::sleep(0.05);
    var_dump($open() - $before, Co::stats()['coroutine_num'], Co::stats()['aio_task_num']);
    var_dump(array_keys(System::statvfs('/')));
    var_dump(System::statvfs('/does/not/exist'), swoole_last_error());
});
try {
    System::readFile(__FILE__);
} catch (Swoole\Error $error) {
    echo $error->getMessage(), "\n";
}
array_map(unlink(...), glob("$folder/*"));
rmdir($folder);
?>
--EXPECT--
int(5)
string(5) "hello"
int(6)
string(11) "hello world"
int(6)
string(6) "locked"
int(0)
string(0) ""
bool(true)
bool(true)
bool(true)
Swoole\Coroutine\System::readFile(): Argument #1 ($filename) must not be empty
Swoole\Coroutine\System::writeFile(): Argument #1 ($filename) must not be empty
Swoole\Coroutine\System::statvfs(): Argument #1 ($path) must not be empty
bool(false)
No such file or directory
bool(false)
Is a directory
bool(false)
Not a directory
bool(false)
No such file or directory
bool(false)
Is a directory
bool(false)
No space left on device
[["read","through"],["wrote",7]]
[["read","through"],["wrote",7]]
readFile [false,true]
writeFile [false,true]
int(499500)
int(0)
int(1)
int(0)
array(11) {
  [0]=>
  string(5) "bsize"
  [1]=>
  string(6) "frsize"
  [2]=>
  string(6) "blocks"
  [3]=>
  string(5) "bfree"
  [4]=>
  string(6) "bavail"
  [5]=>
  string(5) "files"
  [6]=>
  string(5) "ffree"
  [7]=>
  string(6) "favail"
  [8]=>
  string(4) "fsid"
  [9]=>
  string(4) "flag"
  [10]=>
  string(7) "namemax"
}
bool(false)
int(2)
API must be called in the coroutine
