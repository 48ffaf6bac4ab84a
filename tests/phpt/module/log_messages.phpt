--TEST--
With stampede.log_messages text of clients in PHP's messages makes no line of its own
--ENV--
USE_TRACKED_ALLOC=1
--FILE--
<?php
$code = <<<'CODE'
error_log("one\n{\"time\":1}\e[31m\x07 \u{85} \xff ä \"quoted\" \\");
error_log(str_repeat("ä", 10_000));
fopen("a\nb", "r");
throw new Exception("x\ny");
CODE;
preg_match('~\S+/stampede\.so$~m', file_get_contents('/proc/self/maps'), $found);
$module = $found[0];
foreach (['text', 'json'] as $format) {
    $process = proc_open([PHP_BINARY, '-n', '-d', "extension={$module}", '-d', "stampede.log_messages={$format}", '-d', 'display_errors=0', '-d', 'log_errors=1', '-r', $code], [2 => ['pipe', 'w']], $pipes, null, getenv());
    foreach (explode("\n", trim(stream_get_contents($pipes[2]))) as $line) {
        $object = $format === 'json' ? json_decode($line, true, 4, JSON_THROW_ON_ERROR) : null;
        if ($object !== null) {
            echo preg_match('/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/', $object['time']), " {$object['level']} ", strlen($object['message']), ' ', json_encode(substr($object['message'], 0, 60), JSON_INVALID_UTF8_IGNORE | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES), "\n";
        } else {
            echo strlen($line), ' ', str_contains($line, 'ää') ? substr($line, -13) : $line, "\n";
        }
    }
    proc_close($process);
}
?>
--EXPECT--
3 one
50     {"time":1}\x1b[31m\x07 \x85 \xff ä "quoted" \
16394 �ä ... (cut)
21 PHP Warning:  fopen(a
87     b): Failed to open stream: No such file or directory in Command line code on line 3
39 PHP Fatal error:  Uncaught Exception: x
28     y in Command line code:4
16     Stack trace:
13     #0 {main}
43       thrown in Command line code on line 4
1 notice 41 "one\n{\"time\":1}\u001b[31m\u0007  � ä \"quoted\" \\"
1 notice 16394 "ääääääääääääääääääääääääääääää"
1 warning 105 "PHP Warning:  fopen(a\nb): Failed to open stream: No such fil"
1 error 127 "PHP Fatal error:  Uncaught Exception: x\ny in Command line co"
