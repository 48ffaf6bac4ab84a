--TEST--
A time limit that ends code before it puts a string together releases nothing
--SKIPIF--
<?php if (getenv('USE_ZEND_ALLOC') === '0') { die("skip where an exception comes between two instructions, the engine forgets what the next one was to use up"); }
?>
--FILE--
<?php
use Swoole\Coroutine;
use function Stampede\limit_computing;

// The first instruction of each stores the first part of a string, in a place where the code before it has left others.
function first(array $parts): string { return "{$parts[0]} <span {$parts[1]}> {$parts[0]}"; }
function filler(array $parts): string { return strrev("a {$parts[0]} b") . strrev("c {$parts[1]} d"); }

Coroutine\run(static function (): void {
    $parts = [str_repeat('x', 100), str_repeat('y', 150)];
    $first = static fn ($m) => "<span $m[1]>" . strtoupper("<b $m[0]>");
    $ended = 0;
    for ($i = 0; $i < 400; $i++) {
        try {
            limit_computing(0.0005, static function (): never { throw new RuntimeException('over'); });
            while (true) {
                filler($parts);
                array_map($first, [$parts, $parts, $parts, $parts]);
                first($parts);
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
