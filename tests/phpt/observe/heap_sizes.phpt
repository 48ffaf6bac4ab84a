--TEST--
Stampede\heap_sizes() and heap_paths(): what holds what, by static properties and variables, globals, closures, containers and coroutines that wait
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Coroutine\Channel;

class Item { public string $text = ''; private ?Item $inner = null; public function fill(): static { $this->inner = new Item(); return $this; } }
#[AllowDynamicProperties]
class InChild extends Item {}
class InClosure {}
class InMap {}
class InGenerator {}
class InCoroutine {}
class InStorage {}
class InReference {}
class InCycle { public ?InCycle $self = null; }
class Registry
{
    public static array $all = [];
    private static ?Registry $instance = null;
    protected array $services = [];
    public static function get(): self { return self::$instance ??= new self(); }
    public function add(string $name, array $values): void { $this->services[$name] = $values; }
}
function remember(int $value): void { static $seen = []; $seen[] = $value; }
function produce() { $held = new InGenerator(); yield $held; yield 2; }

for ($i = 0; $i < 100; $i++) {
    Registry::$all[] = (new Item())->fill();
    remember($i);
}
Registry::get()->add('users', range(1, 70));
Registry::get()->add('names', ['a' => ['b' => range(1, random_int(3, 3))]]);
$listener = (function () { $inside = new InClosure(); return static fn () => $inside; })();
$map = new WeakMap();
$map[$listener] = new InMap();
$storage = new SplObjectStorage();
$storage[new InStorage()] = [1, 2];
$generator = produce();
$generator->current();
$value = new InReference();
$references = [&$value];
unset($value);
$child = new InChild();
$child->dynamic = str_repeat('x', random_int(1000, 1000)); // what opcache has worked out is shared by all, and not counted
$self = new InCycle();
$self->self = $self;
unset($self); // a cycle that nobody holds

$sizes = Stampede\heap_sizes(10);
foreach (['class Item', 'class InChild', 'Registry::$all', "Registry::\$instance->services['users']", "Registry::\$instance->services['names']['a']['b']", 'remember() static $seen', '$storage', '$child->dynamic', 'class InCycle'] as $name) {
    echo "$name: ", implode(' ', array_reverse($sizes[$name] ?? ['missing'])), "\n";
}
echo 'elements of collections have no name: ', count(preg_grep('/^Registry::\$all\[/', array_keys($sizes))), "\n";

Coroutine\run(static function (): void {
    $channel = new Channel(1);
    Coroutine::create(static function () use ($channel): void {
        $local = new InCoroutine();
        $channel->pop();
        unset($local);
    });
    Coroutine::create(static function (): void {
        foreach ((static function () { $held = new InGenerator(); Coroutine::sleep(0.01); yield $held; })() as $ignored) {
        }
    });
    foreach (Stampede\heap_paths(['Item', 'InClosure', 'InMap', 'InGenerator', 'InCoroutine', 'InStorage', 'InReference', 'InCycle', 'Unknown'], 10) as $class => $path) {
        echo "$class: $path\n";
    }
    $channel->push(1);
});
echo 'too little time: ';
for ($i = 0; $i < 300_000; $i++) {
    Registry::$all[] = [$i];
}
var_dump(Stampede\heap_sizes(0));
gc_collect_cycles();
?>
--EXPECTF--
class Item: 200 instances
class InChild: 1 instances
Registry::$all: 100 entries
Registry::$instance->services['users']: 70 entries
Registry::$instance->services['names']['a']['b']: 3 entries
remember() static $seen: 100 entries
$storage: 1 entries
$child->dynamic: 1000 bytes
class InCycle: 1 instances
elements of collections have no name: 0
Item: Registry::$all[99]->inner
InClosure: $listener uses $inside
InMap: $map{%d}
InGenerator: coroutine %d: {closure%S}() $held
InCoroutine: coroutine %d: {closure%S}() $local
InStorage: $storage{%d}
InReference: $references[0]
InCycle: an object of InCycle
too little time: NULL
