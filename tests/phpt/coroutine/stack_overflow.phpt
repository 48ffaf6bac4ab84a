--TEST--
A C stack that is full ends its coroutine: by an Error where PHP code runs, by a fatal error elsewhere
--ENV--
USE_TRACKED_ALLOC=1
--FILE--
<?php

use Swoole\Coroutine as Co;

use function Swoole\Coroutine\run;

$nest = function ($value) use (&$nest) { return array_map($nest, [$value]); };
$compare = function () use (&$compare) { $pair = [1, 2]; usort($pair, $compare); return 0; };
final class Endless
{
    public function __toString(): string
    {
        return (string) $this;
    }
}

Co::set(['stack_size' => 262144]);
run(function () use ($nest, $compare) {
    foreach (['array_map' => fn () => $nest(1), 'usort' => $compare, '__toString' => fn () => (string) new Endless()] as $name => $code) {
        for ($i = 0; $i < 3; $i++) {
            try {
                $code();
            } catch (Error $error) {
                $matches = preg_match('/^The C stack of 256 KiB is full: |^Maximum call stack size/', $error->getMessage());
                echo "{$name}: ", $matches === 1 ? 'Error' : $error->getMessage(), "\n";
            }
        }
    }
    $deep = function (int $depth) use (&$deep) { return $depth === 0 ? 'the bottom' : array_map($deep, [$depth - 1])[0]; };
    echo $deep(100), "\n";
    go(function () { Co::sleep(0.001); echo "a neighbour\n"; });
});

Co::set(['stack_size' => 2 << 20]);
run(function () {
    $first = null;
    for ($i = 0; $i < 8000; $i++) {
        $object = new stdClass();
        $object->next = $first;
        $first = $object;
    }
    unset($object, $first);
    echo "8000 objects\n";
    unserialize(str_repeat('a:1:{i:0;', 3000) . 'i:1;' . str_repeat('}', 3000));
    echo "3000 levels\n";
    for ($i = 0, $array = []; $i < 60000; $i++) {
        $array = [$array];
    }
    unset($array);
    echo "60000 levels\n";
    $replace = function (int $depth) use (&$replace) { return $depth === 0 ? '' : preg_replace_callback('/a/', fn () => $replace($depth - 1), 'a'); };
    $replace(700);
    echo "700 callbacks\n";
});

Co::set(['stack_size' => 262144]);
run(function () {
    $first = null;
    for ($i = 0; $i < 20000; $i++) {
        $object = new stdClass();
        $object->next = $first;
        $first = $object;
    }
    unset($object);
    $first = null;
    echo "not reached\n";
});
--EXPECTF--
array_map: Error
array_map: Error
array_map: Error
usort: Error
usort: Error
usort: Error
__toString: Error
__toString: Error
__toString: Error
the bottom
a neighbour
8000 objects
3000 levels
60000 levels
700 callbacks

Fatal error: Coroutine #%d has filled its C stack of 256 KiB: endless recursion, or values nested too deep; the option stack_size gives it more in %s on line %d
