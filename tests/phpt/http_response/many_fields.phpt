--TEST--
Of seventy fields each is replaced by its own name in any letter case, and by no similar one
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../server/once.inc';

// Names of every length around eight bytes, alike but for the last, the first or a middle character; ^ and ~ differ in the bit that makes letters small.
$names = ['x', 'x^', 'x~', 'x-longer^name', 'x-longer~name', '1-fields', '2-fields', 'x-middle-a-of-long-names', 'x-middle-b-of-long-names'];
for ($i = 1; $i <= 61; $i++) {
    $names[] = 'x-' . str_repeat('n', $i % 30) . "-$i";
}

serve(function (Swoole\Http\Request $request, Swoole\Http\Response $response) use ($names): void {
    foreach (['first', 'second'] as $round => $value) {
        foreach ($names as $i => $name) {
            $response->header($round ? strtoupper($name) : $name, "$value $i", false);
            $response->trailer($round ? strtoupper($name) : $name, "$value $i");
        }
        $response->cookie("c$round", 'v');
    }
    $response->header('X-MIDDLE-a-of-long-NAMES', null);
    $response->write('body');
    $response->end();
}, [], function (callable $ask) use ($names): void {
    $answer = $ask("GET / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: close\r\n\r\n");
    [$head, $rest] = explode("\r\n\r\n", $answer, 2);
    foreach (['header' => $head, 'trailer' => $rest] as $what => $text) {
        $found = [];
        foreach (explode("\r\n", $text) as $line) {
            if (preg_match('/^([^:]+): (first|second) (\d+)$/', $line, $match)) {
                $found[] = [strtolower($match[1]), $match[2], (int) $match[3]];
            }
        }
        $expected = [];
        foreach ($names as $i => $name) {
            if ($what === 'trailer' || $name !== 'x-middle-a-of-long-names') {
                $expected[] = [$name, 'second', $i];
            }
        }
        echo "$what: ", $found === $expected ? 'each once, in order' : json_encode($found), "\n";
    }
    echo substr_count($head, 'Set-Cookie: '), " cookies\n";
});
?>
--EXPECT--
header: each once, in order
trailer: each once, in order
2 cookies
