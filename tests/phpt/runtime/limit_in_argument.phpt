--TEST--
A time limit that ends code before it passes an argument releases nothing
--SKIPIF--
<?php if (getenv('USE_ZEND_ALLOC') === '0') { die("skip where an exception comes between two instructions, the engine forgets what the next one was to use up"); }
?>
--FILE--
<?php
use Swoole\Coroutine;
use function Stampede\limit_computing;

// The code that follows "?:" passes an argument, in a place where calls before have left others.
function two(string $first, string $second, array $third): string { return $second; }
function filler(string $a, string $b, string $c, string $d, string $e, string $f, string $g): string { return $a; }

Coroutine\run(static function (): void {
    $parts = [str_repeat('x', 100), str_repeat('y', 150)];
    $ended = 0;
    for ($i = 0; $i < 400; $i++) {
        try {
            limit_computing(0.0005, static function (): never { throw new RuntimeException('over'); });
            for ($yes = false;; $yes = !$yes) {
                filler($parts[0] . 'a', $parts[1] . 'b', $parts[0] . 'c', $parts[1] . 'd', $parts[0] . 'e', $parts[1] . 'f', $parts[0] . 'g');
                two($yes ? $parts[0] . '1' : $parts[1] . '2', $yes ? $parts[1] . '3' : $parts[0] . '4', $yes ? [$parts[0] . '5'] : [$parts[1] . '6']);
                two($yes ?: $parts[1] . '2', $yes ? $parts[1] . '3' : $parts[0] . '4', $yes ? [$parts[0] . '5'] : [$parts[1] . '6']);
            }
        } catch (RuntimeException) {
            $ended++;
        }
        $kept[] = explode(' ', str_repeat("{$i} ", 20));
    }
    echo $ended, ' ', count($kept), ' ', array_sum(array_map(static fn (array $each): int => (int) $each[0], $kept)), "\n";
});
echo "end\n";
?>
--EXPECT--
400 400 79800
end
