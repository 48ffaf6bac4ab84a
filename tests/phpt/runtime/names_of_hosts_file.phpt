--TEST--
Names of the hosts file are looked up without a thread, and give what they give outside of coroutines
--SKIPIF--
<?php
$has = static fn (string $pattern, string $file): bool => preg_match($pattern, (string) @file_get_contents($file)) === 1;
if (!is_dir('/proc/self/task') || !$has('/^hosts:\s+files/m', '/etc/nsswitch.conf') || !$has('/^127\.0\.0\.1\s.*\blocalhost\b/m', '/etc/hosts')) {
    die('skip for systems that look into the hosts file first and have localhost there');
}
?>
--FILE--
<?php

$threads = static fn (): int => count(glob('/proc/self/task/*'));
$look = static fn (): array => [
    gethostbyname('localhost'), gethostbyname('LOCALHOST'), gethostbyname('127.0.0.1'), gethostbynamel('localhost'),
    is_resource(@fsockopen('localhost', 1, $number, $text, 1)), $number, $text,
];
Swoole\Coroutine::set(['hook_flags' => 0]);
$plain = $look();
Swoole\Coroutine::set(['hook_flags' => SWOOLE_HOOK_ALL]);
Swoole\Coroutine\run(static function () use ($threads, $look, $plain): void {
    $before = $threads();
    $found = $look();
    echo 'the same: ', $found === $plain ? 'yes' : json_encode([$found, $plain]), "\n";
    echo 'threads: ', $threads() - $before, "\n";
    for ($i = 0; $i < 10; $i++) {
        Swoole\Coroutine::create(static function () use ($plain): void {
            if (gethostbyname('localhost') !== $plain[0]) {
                echo "another address\n";
            }
        });
    }
});
?>
--EXPECT--
the same: yes
threads: 0
