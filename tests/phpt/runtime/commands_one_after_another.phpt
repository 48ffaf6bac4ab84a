--TEST--
Runtime: a command in a coroutine takes as long as the command, however often the numbers of its descriptors are used again
--FILE--
<?php
$commands = [
    'exec' => static fn () => exec('exit 0'),
    'shell_exec' => static fn () => shell_exec('exit 0'),
    'popen for reading' => static function (): void {
        $pipe = popen('exec 1>&-; sleep 0.005', 'r');
        fread($pipe, 10);
        pclose($pipe);
    },
    'popen for writing' => static function (): void {
        $pipe = popen('cat > /dev/null; sleep 0.005', 'w');
        fwrite($pipe, 'x');
        pclose($pipe);
    },
];
Swoole\Coroutine\run(static function () use ($commands): void {
    foreach ($commands as $name => $run) {
        $begin = hrtime(true);
        for ($i = 0; $i < 20; $i++) {
            $run();
        }
        $took = (hrtime(true) - $begin) / 1e9;
        // A wait whose event is missed lasts until the kernel is asked again: two seconds for twenty.
        echo $name, $took < 1.0 ? ": prompt\n" : sprintf(": %.3f s\n", $took);
    }
});
?>
--EXPECT--
exec: prompt
shell_exec: prompt
popen for reading: prompt
popen for writing: prompt
