--TEST--
Plain files: the same results in coroutines as outside, and what waits lets others run
--FILE--
<?php
use Swoole\Coroutine;

function everything(string $folder): array
{
    $of = [mkdir($folder), @mkdir($folder)];
    $file = "$folder/a";
    $of[] = file_put_contents($file, str_repeat('ab', 50_000));
    $of[] = md5(file_get_contents($file)) === md5(str_repeat('ab', 50_000));
    $of[] = file_get_contents($file, false, null, 99_990, 100);
    $of[] = file_put_contents($file, 'end', FILE_APPEND);
    $of[] = [filesize($file), is_file($file), is_dir($folder), file_exists("$folder/none")];
    $of[] = [rename($file, "$folder/b"), scandir($folder), copy("$folder/b", "$folder/c"), symlink("$folder/b", "$folder/l"), link("$folder/b", "$folder/h")];
    $of[] = array_map(basename(...), glob("$folder/*"));
    $of[] = [chmod("$folder/b", 0600), fileperms("$folder/b"), touch("$folder/n", 1000), filemtime("$folder/n"), readlink("$folder/l") === "$folder/b"];
    clearstatcache();
    $handle = fopen("$folder/n", 'w+');
    $of[] = [fwrite($handle, 'hello world'), fsync($handle), fdatasync($handle), ftruncate($handle, 7), rewind($handle), fread($handle, 4), fgets($handle), feof($handle), fclose($handle)];
    $of[] = [is_file($temporary = tempnam($folder, 'name')), fileperms($temporary), disk_free_space($folder) > 0];
    $appending = fopen("$folder/n", 'a+');
    fwrite($appending, 'more');
    rewind($appending);
    $of[] = stream_get_contents($appending);
    fclose($appending);
    $of[] = file("$folder/n", FILE_IGNORE_NEW_LINES);
    foreach (scandir($folder) as $name) {
        $of[] = $name[0] === '.' || unlink("$folder/$name");
    }
    $of[] = [rmdir($folder), @rmdir($folder), error_get_last()['message']];
    $of[] = [@file_get_contents("$folder/none"), error_get_last()['message'], @fopen("$folder/none/x", 'w'), error_get_last()['message']];
    $of[] = [@rename("$folder/1", "$folder/2"), error_get_last()['message'], @unlink($folder), error_get_last()['message'], @opendir($folder), error_get_last()['message']];
    $of[] = [strlen(file_get_contents('/dev/urandom', false, null, 0, 10)), strlen(file_get_contents('/proc/self/stat')) > 20, file_get_contents('/dev/null')];
    return $of;
}

$folder = __DIR__ . '/files-' . getmypid();
$outside = everything($folder);
Coroutine\run(function () use ($folder, &$inside) {
    $inside = everything($folder);
});
var_dump(count($outside), $outside === $inside);
foreach ($outside === $inside ? [] : $outside as $at => $value) {
    if ($value !== $inside[$at]) {
        var_dump($at, $value, $inside[$at]);
    }
}

// Each of these waits: two coroutines take turns instead of running one after the other.
$waits = static function (string $name, callable $prepare, callable $work) use ($folder): bool {
    mkdir($folder);
    $order = [];
    Coroutine\run(function () use ($folder, $prepare, $work, &$order) {
        $given = [$prepare("$folder/0"), $prepare("$folder/1")];
        for ($i = 0; $i < 2; $i++) {
            Coroutine::create(function () use ($i, $given, $folder, $work, &$order) {
                $order[] = 'begins';
                $work("$folder/$i", $given[$i]);
                $order[] = 'ends';
            });
        }
    });
    echo $name === '' ? '' : str_pad($name, 20) . implode(' ', $order) . "\n";
    array_map(static fn (string $left): bool => is_dir($left) ? rmdir($left) : unlink($left), glob("$folder/*"));
    rmdir($folder);
    return $order[1] === 'begins';
};
$none = static fn (): ?string => null;
$file = static fn (string $path): int => file_put_contents($path, str_repeat('x', 200_000));
$open = static function (string $path): mixed {
    $handle = fopen($path, 'w');
    fwrite($handle, 'text');
    return $handle;
};
// Written around the page cache: evicting what was written through it fails while other processes keep the pages busy.
$cold = static function (string $path): void {
    exec('dd if=/dev/zero of=' . escapeshellarg($path) . ' bs=64k count=4 oflag=direct status=none');
};
$waits('mkdir', $none, static fn (string $path): bool => mkdir($path));
$waits('unlink', $file, static fn (string $path): bool => unlink($path));
$waits('rename', $file, static fn (string $path): bool => rename($path, "$path.new"));
$waits('touch', $none, static fn (string $path): bool => touch($path));
$waits('fsync', $open, static fn (string $path, mixed $handle): bool => fsync($handle));
$waits('ftruncate', $open, static fn (string $path, mixed $handle): bool => ftruncate($handle, 2));
$waits('a new file', $none, static fn (string $path): int => file_put_contents($path, 'text'));
$waits('copy', $file, static fn (string $path): bool => copy($path, "$path.new"));
// Some file systems place what was written on the disk at the last close.
$large = static function (string $path): mixed {
    $handle = fopen($path, 'w');
    fwrite($handle, str_repeat('x', 9 << 20));
    return $handle;
};
$waits('fclose', $open, static fn (string $path, mixed $handle): bool => fclose($handle));
$waits('fclose of much', $large, static fn (string $path, mixed $handle): bool => fclose($handle));
$waits('scandir', $none, static fn (string $path): array => scandir(dirname($path)));
$waits('glob', $none, static fn (string $path): array => glob("$path*"));
// The look whether it is cached makes the kernel fetch it: a process that is interrupted just then finds it there.
for ($tries = 20; $tries > 0 && !$waits('', $cold, static fn (string $path): string => file_get_contents($path)); $tries--);
echo str_pad('a cold file', 20), $tries > 0 ? 'waits' : 'is read in place', "\n";
$waits('a cached file', $file, static fn (string $path): string => file_get_contents($path));
Swoole\Runtime::setHookFlags(SWOOLE_HOOK_ALL & ~SWOOLE_HOOK_FILE);
$waits('without the flag', $none, static fn (string $path): bool => mkdir($path));
?>
--EXPECT--
int(26)
bool(true)
mkdir               begins begins ends ends
unlink              begins begins ends ends
rename              begins begins ends ends
touch               begins begins ends ends
fsync               begins begins ends ends
ftruncate           begins begins ends ends
a new file          begins begins ends ends
copy                begins begins ends ends
fclose              begins ends begins ends
fclose of much      begins begins ends ends
scandir             begins begins ends ends
glob                begins begins ends ends
a cold file         waits
a cached file       begins ends begins ends
without the flag    begins ends begins ends
