--TEST--
Stampede\WebRequest::run(): opcache need not look again for so long whether the script has changed
--EXTENSIONS--
opcache
--INI--
opcache.enable_cli=1
opcache.validate_timestamps=1
opcache.revalidate_freq=0
opcache.revalidate_path=0
opcache.jit=disable
--FILE--
<?php
use Stampede\WebRequest;

$folder = sys_get_temp_dir() . '/trusted_file_' . getmypid();
mkdir($folder);
$time = time() - 1000; // opcache keeps no file that is new

function write(string $text, string $name = 'main'): void
{
    global $folder, $time;
    file_put_contents("{$folder}/{$name}.php", $text);
    touch("{$folder}/{$name}.php", $time++);
}

function run(float ...$trusted): string
{
    global $folder;
    WebRequest::begin([], [], [], [], [], '');
    $result = WebRequest::run("{$folder}/main.php", ...$trusted);
    WebRequest::end();
    return $result;
}

write('<?php return "one, " . include __DIR__ . "/part.php";');
write('<?php return "part";', 'part');
echo run(60), "\n";
write('<?php return "two, " . include __DIR__ . "/part.php";');
write('<?php return "other part";', 'part');
echo 'trusted, what it includes is not: ', run(60), "\n";
echo 'without trust: ', run(), ', ', run(60), "\n";
write('<?php return "three";');
opcache_invalidate("{$folder}/main.php", true);
echo 'opcache does not have it any more: ', run(60), "\n";
write('<?php return "four";');
echo 'and looks at it again: ', run(), "\n";

run(0.001);
write('<?php return "five";');
for ($deadline = microtime(true) + 10; ($seen = run(0.001)) !== 'five' && microtime(true) < $deadline;) {
}
echo 'when the time is over: ', $seen, "\n";
foreach ([-1, NAN, 1e9] as $wrong) {
    try {
        WebRequest::begin([], [], [], [], [], '');
        WebRequest::run("{$folder}/main.php", $wrong);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    } finally {
        WebRequest::end();
    }
}
array_map(unlink(...), glob("{$folder}/*"));
rmdir($folder);
?>
--EXPECT--
one, part
trusted, what it includes is not: one, other part
without trust: two, other part, two, other part
opcache does not have it any more: three
and looks at it again: four
when the time is over: five
Stampede\WebRequest::run(): Argument #2 ($trusted) must be between 0 and 3600 seconds
Stampede\WebRequest::run(): Argument #2 ($trusted) must be between 0 and 3600 seconds
Stampede\WebRequest::run(): Argument #2 ($trusted) must be between 0 and 3600 seconds
