--TEST--
Names of the hosts file are looked up without a wait, and give what they give outside of coroutines
--SKIPIF--
<?php
$has = static fn (string $pattern, string $file): bool => preg_match($pattern, (string) @file_get_contents($file)) === 1;
if (!$has('/^hosts:\s+files/m', '/etc/nsswitch.conf') || !$has('/^127\.0\.0\.1\s.*\blocalhost\b/m', '/etc/hosts')) {
    die('skip for systems that look into the hosts file first and have localhost there');
}
?>
--FILE--
<?php

$look = static fn (): array => [
    gethostbyname('localhost'), gethostbyname('LOCALHOST'), gethostbyname('127.0.0.1'), gethostbynamel('localhost'),
    is_resource(@fsockopen('localhost', 1, $number, $text, 1)), $number, $text,
];
Swoole\Coroutine::set(['hook_flags' => 0]);
$plain = $look();
Swoole\Coroutine::set(['hook_flags' => SWOOLE_HOOK_ALL]);
Swoole\Coroutine\run(static function () use ($look, $plain): void {
    $found = $look();
    echo 'the same: ', $found === $plain ? 'yes' : json_encode([$found, $plain]), "\n";

    // Another coroutine's time has come, and its turn comes with the next wait.
    $others = 0;
    Swoole\Coroutine::create(static function () use (&$others): void {
        Swoole\Coroutine::sleep(0.001);
        $others++;
    });
    for ($end = hrtime(true) + 5_000_000; hrtime(true) < $end;);
    gethostbyname('localhost');
    gethostbyname('LocalHost');
    echo 'others had their turn: ', $others, "\n";
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
others had their turn: 0
