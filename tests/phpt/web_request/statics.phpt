--TEST--
Stampede\WebRequest::isolateStatics(): static properties that each request has to itself
--FILE--
<?php
use Stampede\WebRequest;
use Swoole\Coroutine;

class Holder
{
    public static ?Holder $instance = null;
    protected static array $made = ['process'];
    public static int $count = 1;
    public static ?string $shared = null;

    public function __construct(public string $name) {}

    public function __destruct()
    {
        echo "{$this->name} goes, ", self::$instance?->name, " there\n";
    }

    public static function make(string $name): void
    {
        static::$instance = new self($name);
        static::$made[] = $name;
        $count = &self::$count; // typed, by reference
        $count += 10;
    }

    public static function facts(): string
    {
        return static::$instance?->name . ' ' . implode('+', static::$made) . ' ' . self::$count;
    }
}

final class Child extends Holder {}

function request(callable $code): void
{
    WebRequest::begin([], [], [], [], [], '');
    try {
        $code();
    } finally {
        WebRequest::end();
    }
}

foreach ([['Holder::$nothing'], ['Holder'], ['Unknown::$made'], [7]] as $wrong) {
    try {
        WebRequest::isolateStatics($wrong);
    } catch (Throwable $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}
WebRequest::isolateStatics(['Holder::$instance', 'Child::$made', 'Holder::$made', 'Holder::$count']);

Coroutine\run(static function (): void {
    $all = [];
    for ($i = 0; $i < 3; $i++) {
        $all[] = go(static fn () => request(static function () use ($i): void {
            Holder::make("request {$i}");
            Holder::$shared .= $i;
            Coroutine::sleep(0.01 * (3 - $i));
            $own = Holder::facts();
            $inner = '';
            Coroutine::join([go(static function () use (&$inner): void {
                Coroutine::sleep(0.001);
                $inner = Child::facts();
                Holder::$count++;
            })]);
            echo $own, $own === $inner ? ', its coroutine too' : ", its coroutine: {$inner}", ', then ', Holder::$count, "\n";
        }));
    }
    try {
        WebRequest::isolateStatics(['Holder::$count', 'Holder::$shared']); // the first one is known
    } catch (Swoole\Exception $error) {
        echo $error->getMessage(), "\n";
    }
    Coroutine::join($all);
    go(static function (): void { // ends without end()
        WebRequest::begin([], [], [], [], [], '');
        Holder::make('dropped');
    });
    request(static fn () => print(Holder::facts() . "\n"));
});
echo 'the process: ', Holder::facts(), ', shared ', Holder::$shared, "\n";
Holder::make('of the process');
request(static fn () => print(Holder::facts() . "\n"));
echo Holder::facts(), "\n";
Holder::$instance = null;
?>
--EXPECT--
Swoole\Exception: there is no static property Holder::$nothing
ValueError: Stampede\WebRequest::isolateStatics(): Argument #1 ($properties) must be a list of texts like "Class::$name"
Swoole\Exception: there is no static property Unknown::$made
ValueError: Stampede\WebRequest::isolateStatics(): Argument #1 ($properties) must be a list of texts like "Class::$name"
requests are under way: say before the first of them which static properties are a request's own
request 2 process+request 2 11, its coroutine too, then 12
request 2 goes,  there
request 1 process+request 1 11, its coroutine too, then 12
request 1 goes,  there
request 0 process+request 0 11, its coroutine too, then 12
request 0 goes,  there
dropped goes,  there
 process 1
the process:  process 1, shared 012
of the process process+of the process 11
of the process process+of the process 11
of the process goes,  there
