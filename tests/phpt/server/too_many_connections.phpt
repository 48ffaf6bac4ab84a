--TEST--
A max_connection beyond the limit of open files is lowered, and the log says so
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

$log = tempnam(sys_get_temp_dir(), 'log');
foreach ([99_999_999_999, 10] as $number) {
    file_put_contents($log, '');
    serve(static fn ($request, $response) => $response->end('served'), ['max_connection' => $number, 'log_file' => $log], static function (callable $ask): void {
        echo explode("\r\n\r\n", $ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), 2)[1] ?? 'nothing', "\n";
    });
    echo substr_count($log_text = file_get_contents($log), 'max_connection'), "\n";
    echo preg_match('/max_connection is 99999999999, but 1 workers can have (\d+) connections each: \1 is used \(ulimit -n is the limit of open files\)/', $log_text), "\n";
}
unlink($log);
?>
--EXPECT--
served
1
1
served
0
0
