--TEST--
What a peer sends cannot begin a line of the log, nor steer a terminal that shows it
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../tasks/once.inc';

$log = tempnam(sys_get_temp_dir(), 'log');
$forged = "[2026-01-01 00:00:00 *1]\tERROR\tforged";
$hostile = "a\r\n$forged\n$forged\x1b[31m\x9b31m\xc2\x9b31m\0\x7f\x08";
serve_tasks(['task_worker_num' => 1, 'log_file' => $log], [
    'task' => static fn ($server, int $id, int $source, string $data) => throw new Exception($data),
    'request' => static function ($request, $response): void {
        $text = base64_decode($request->get['text']);
        $GLOBALS['server']->taskwait($text, 10);
        throw new Exception($text);
    },
], static function (callable $ask) use ($hostile): void {
    $ask('/?text=' . urlencode(base64_encode($hostile)));
}, static function ($server): void {
    $GLOBALS['server'] = $server;
});
$lines = file($log, FILE_IGNORE_NEW_LINES);
unlink($log);
$entries = array_filter($lines, static fn (string $line): bool => $line[0] === '[');
echo count($entries), ' ', count(array_filter($entries, static fn (string $line): bool => preg_match('/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d #\d+\.[01]\]\tERROR\t.*Exception: a\\\\x0d$/', $line) === 1)), "\n";
echo count(preg_grep('/^\t/', $lines)) === count($lines) - count($entries) ? 'further lines begin with a tab' : 'lines of another kind', "\n";
$text = implode("\n", $lines);
echo substr_count($text, 'forged'), ' ', preg_match('/[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/', $text), ' ', substr_count($text, 'forged\x1b[31m'), "\n";
?>
--EXPECT--
2 2
further lines begin with a tab
4 0 2
