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
/** Seconds that twenty of them take. */
function twenty(callable $run): float
{
    $begin = hrtime(true);
    for ($i = 0; $i < 20; $i++) {
        $run();
    }
    return (hrtime(true) - $begin) / 1e9;
}
$outside = array_map(twenty(...), $commands);
Swoole\Coroutine\run(static function () use ($commands, $outside): void {
    foreach ($commands as $name => $run) {
        // A wait whose event is missed lasts until the kernel is asked again, two seconds for twenty. A busy machine is slow in both.
        $took = twenty($run);
        echo $name, $took < 3 * $outside[$name] + 0.6 ? ": prompt\n" : sprintf(": %.3f s, outside %.3f s\n", $took, $outside[$name]);
    }
});
?>
--EXPECT--
exec: prompt
shell_exec: prompt
popen for reading: prompt
popen for writing: prompt
