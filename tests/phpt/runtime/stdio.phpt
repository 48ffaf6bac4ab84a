--TEST--
Runtime: standard input waits in the coroutine that reads it
--STDIN--
one line
--FILE--
<?php
// Its own standard input comes late.
$code = 'Swoole\Runtime::setHookFlags((int) $argv[1]); $order = [];
    Swoole\Coroutine\run(function () use (&$order) {
        go(function () use (&$order) { $order[] = trim(fgets(STDIN)); });
        $order[] = "another";
        file_put_contents("php://stderr", "started\n");
    });
    echo implode(", ", $order), "\n";';
$module = null;
foreach (file('/proc/self/maps') as $line) {
    if (preg_match('~(/\S*stampede\S*\.so)$~', trim($line), $found)) {
        $module = $found[1];
    }
}
foreach ([SWOOLE_HOOK_ALL, 0] as $flags) {
    $process = proc_open([PHP_BINARY, '-n', '-d', "extension=$module", '-r', $code, (string) $flags], [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
    if ($flags !== 0) {
        fgets($pipes[2]); // it goes on although nothing is there to be read
    }
    fwrite($pipes[0], "a line\n");
    echo stream_get_contents($pipes[1]);
    proc_close($process);
}
echo fgets(STDIN);
?>
--EXPECT--
another, a line
a line, another
one line
