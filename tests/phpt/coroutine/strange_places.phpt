--TEST--
Waiting in iterators, casts, magic methods, static initialisers and includes
--FILE--
<?php

class M implements IteratorAggregate, ArrayAccess, JsonSerializable, Countable {
    function getIterator(): Iterator { Co::sleep(0.001); yield 1; Co::sleep(0.001); yield 2; }
    function __get($n) { Co::sleep(0.001); return "got $n"; }
    function __toString(): string { Co::sleep(0.001); return 'string'; }
    function offsetGet($o): mixed { Co::sleep(0.001); return "at $o"; }
    function offsetSet($o, $v): void {} function offsetExists($o): bool { return true; } function offsetUnset($o): void {}
    function jsonSerialize(): mixed { Co::sleep(0.001); return ['json' => 1]; }
    function count(): int { Co::sleep(0.001); return 5; }
    function __serialize(): array { Co::sleep(0.001); return ['a' => 1]; }
    function __unserialize(array $d): void { Co::sleep(0.001); }
}
$file = tempnam(sys_get_temp_dir(), 'st');
file_put_contents($file, '<?php Co::sleep(0.001); return "included";');
Co\run(function () use ($file) {
    $work = function ($n) use ($file) {
        $m = new M;
        $out = [];
        foreach ($m as $v) $out[] = $v;
        $out[] = $m->prop; $out[] = (string) $m; $out[] = $m['k']; $out[] = json_encode([$m]); $out[] = count($m);
        $out[] = strlen(serialize($m)); $out[] = get_class(unserialize(serialize($m)));
        $out[] = include $file;
        $out[] = match (true) { Co::sleep(0.001) => 'matched' };
        $out[] = sprintf('%s', $m);
        echo "$n ", implode(' ', $out), "\n";
    };
    for ($i = 0; $i < 3; $i++) go($work, $i);
});
unlink($file);
--EXPECT--
0 1 2 got prop string at k [{"json":1}] 5 24 M included matched string
1 1 2 got prop string at k [{"json":1}] 5 24 M included matched string
2 1 2 got prop string at k [{"json":1}] 5 24 M included matched string
