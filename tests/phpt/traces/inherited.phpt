--TEST--
A coroutine begins with what its creator has, and what either sets later is its own
--FILE--
<?php
use Swoole\Coroutine;
use function Stampede\inherited;
use function Stampede\set_inherited;

class Value
{
    public function __construct(public readonly string $name) {}
    public function __destruct() { echo "gone: {$this->name}\n"; }
}

function name(): string { return inherited()?->name ?? '-'; }

set_inherited(new Value('main'));
Coroutine\run(function (): void {
    echo 'run: ', name(), "\n";
    foreach (['a', 'b', 'c'] as $own) {
        Coroutine::create(function () use ($own): void {
            echo "{$own} begins with ", name(), "\n";
            set_inherited(new Value($own));
            Coroutine::create(function () use ($own): void {
                Coroutine::sleep(0.01);
                echo "child of {$own}: ", name(), "\n";
                set_inherited(null);
                echo 'then ', name(), "\n";
            });
            Coroutine::sleep(0.001);
            set_inherited(null);
            echo "{$own} has ", name(), "\n";
        });
    }
    echo 'run still has ', name(), "\n";
});
echo 'main still has ', name(), "\n";
set_inherited(null);
echo name(), "\n";
Coroutine\run(function (): void {
    Coroutine::create(function (): void {
        set_inherited(new Value('of one that ends'));
    });
    Coroutine::create(function (): void {
        echo name(), "\n";
    });
});
?>
--EXPECT--
run: main
a begins with main
b begins with main
c begins with main
run still has main
a has -
b has -
c has -
child of a: a
gone: a
then -
child of b: b
gone: b
then -
child of c: c
gone: c
then -
main still has main
gone: main
-
gone: of one that ends
-
