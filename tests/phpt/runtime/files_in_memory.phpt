--TEST--
Runtime: a coroutine that works on files in memory lets others run every few milliseconds, also one that closes what is being read
--EXTENSIONS--
zlib
--FILE--
<?php
use Swoole\Coroutine;
use function Swoole\Coroutine\run;

$folder = __DIR__ . '/memory-' . getmypid();
mkdir($folder);
$big = "$folder/big";
file_put_contents($big, str_repeat("a line of some text and a number\n", 1_000_000));
for ($i = 0; $i < 200; $i++) {
    file_put_contents("$folder/small$i", 'content');
}
file_put_contents("compress.zlib://$folder/packed", str_repeat(random_bytes(100) . str_repeat('abc', 1000), 8000));

/** Milliseconds of the processor that this process has had: what other programs take does not count. */
function worked(): float
{
    $usage = getrusage();
    return 1000 * ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1000;
}

/** Each until it has worked for 100 ms. */
$works = [
    'fgets' => static fn () => array_map(static fn (string $line): int => strlen($line), iterator_to_array(new LimitIterator(new SplFileObject($big), 0, 50_000))),
    'fread' => static function () use ($big): void {
        $file = fopen($big, 'r');
        while (fread($file, 8192) !== '');
    },
    'fwrite' => static function () use ($folder): void {
        $file = fopen("$folder/log", 'w');
        for ($i = 0; $i < 10_000; $i++) {
            fwrite($file, "a line of a log\n");
        }
    },
    'md5_file' => static fn () => md5_file($big),
    'file_get_contents' => static fn () => strlen(file_get_contents($big)),
    'file_put_contents' => static fn () => file_put_contents("$folder/copy", str_repeat('0123456789abcdef', 1 << 20)),
    'System::readFile' => static fn () => strlen(Coroutine\System::readFile($big)),
    'small files' => static function () use ($folder): void {
        for ($i = 0; $i < 2000; $i++) {
            file_get_contents("$folder/small" . $i % 200);
        }
    },
    'stat' => static function () use ($folder): void {
        for ($i = 0; $i < 5000; $i++) {
            clearstatcache();
            stat("$folder/small" . $i % 200);
        }
    },
    'readdir' => static function () use ($folder): void {
        for ($i = 0; $i < 50; $i++) {
            foreach (new DirectoryIterator($folder) as $entry) {
                $entry->isFile();
            }
        }
    },
    'gz' => static function () use ($folder): void {
        $file = gzopen("$folder/packed", 'r');
        while (!gzeof($file)) {
            gzread($file, 65_536);
        }
    },
    'a device' => static function (): void {
        $device = fopen('/dev/urandom', 'r');
        for ($i = 0; $i < 500; $i++) {
            fread($device, 8192);
        }
    },
    'a pipe' => static fn () => strlen(shell_exec('head -c 4000000 /dev/zero')),
];
run(static function () use ($works): void {
    foreach ($works as $name => $work) {
        $turns = 0;
        $working = true;
        $other = go(static function () use (&$turns, &$working): void {
            while ($working) {
                $turns++;
                Coroutine::sleep(0.001);
            }
        });
        $turns = 0;
        $begin = worked();
        do {
            $work();
            $milliseconds = worked() - $begin;
        } while ($milliseconds < 100);
        $working = false;
        // Between two turns lie some 4 ms, and what one call takes that is not done in pieces.
        echo $name, $turns * 20 >= $milliseconds ? ": fair\n" : sprintf(": %d turns in %d ms\n", $turns, $milliseconds);
        Coroutine::join([$other]);
    }
});

// Closed while another coroutine has made room in the middle of it.
$ends = [
    'a file' => [static fn () => fopen($big, 'r'), static function ($file): void {
        while (@fgets($file) !== false);
    }, fclose(...)],
    'a folder' => [static fn () => opendir($folder), static function ($handle): void {
        for ($round = 0; $round < 500; $round++) {
            while (readdir($handle) !== false);
            rewinddir($handle);
        }
    }, closedir(...)],
    'a compressed file' => [static fn () => gzopen("$folder/packed", 'r'), static function ($file): void {
        while (!gzeof($file)) {
            gzread($file, 8192);
        }
    }, gzclose(...)],
];
run(static function () use ($ends): void {
    foreach ($ends as $name => [$open, $read, $close]) {
        $handle = $open();
        $reader = go(static function () use ($handle, $read): void {
            try {
                $read($handle);
            } catch (TypeError) { // it is closed
            }
        });
        Coroutine::sleep(0.001);
        $close($handle);
        Coroutine::join([$reader]);
        echo "$name is closed while it is read\n";
    }
});
?>
--CLEAN--
<?php
foreach (glob(__DIR__ . '/memory-*') as $folder) {
    array_map(unlink(...), glob("$folder/*"));
    rmdir($folder);
}
?>
--EXPECT--
fgets: fair
fread: fair
fwrite: fair
md5_file: fair
file_get_contents: fair
file_put_contents: fair
System::readFile: fair
small files: fair
stat: fair
readdir: fair
gz: fair
a device: fair
a pipe: fair
a file is closed while it is read
a folder is closed while it is read
a compressed file is closed while it is read
