--TEST--
Changes of the entries of a folder, as the kernel tells them
--FILE--
<?php
use Stampede\FileWatch;

$folder = sys_get_temp_dir() . '/stampede-watch-' . getmypid();
mkdir($folder);
$names = (new ReflectionClass(FileWatch::class))->getConstants();
$watch = new FileWatch();
$number = $watch->add($folder);
$told = static function () use ($watch, $names, $number): void {
    foreach ($watch->read() as [$of, $what, $name]) {
        $bits = array_keys(array_filter($names, static fn (int $bit): bool => ($what & $bit) !== 0));
        echo $of === $number ? '' : 'another: ', $name === '' ? '(itself)' : $name, ' ', implode(' ', $bits), "\n";
    }
    echo "-\n";
};
var_dump($watch->fd > 2, $number > 0, $watch->read());
file_put_contents("$folder/a", 'x');
rename("$folder/a", "$folder/b");
mkdir("$folder/c");
$told();
unlink("$folder/b");
rmdir("$folder/c");
rmdir($folder);
$told();
var_dump($watch->add($folder), swoole_last_error() === 2);
var_dump($watch->add(__FILE__), swoole_last_error() === 20);
var_dump(FileWatch::tells(__DIR__), FileWatch::tells($folder));
$watch->remove(12345);

// in a loop
mkdir($folder);
$watch->add($folder);
Swoole\Coroutine\run(static function () use ($watch, $folder): void {
    Swoole\Event::add($watch->fd, static function () use ($watch): void {
        foreach ($watch->read() as [, , $name]) {
            echo "woken for $name\n";
        }
        Swoole\Event::del($watch->fd);
    });
    mkdir("$folder/d");
});
rmdir("$folder/d");
rmdir($folder);
?>
--EXPECT--
bool(true)
bool(true)
array(0) {
}
a CREATED
a WRITTEN
a REMOVED
b CREATED
c CREATED FOLDER
-
b REMOVED
c REMOVED FOLDER
(itself) GONE
(itself) GONE
-
bool(false)
bool(true)
bool(false)
bool(true)
bool(true)
bool(false)
woken for d
