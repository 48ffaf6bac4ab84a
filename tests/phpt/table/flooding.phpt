--TEST--
Table: keys made to meet under well-known hashes spread like any others, and neighbours keep their rows
--FILE--
<?php
/** Keys with one hash: blocks of two texts that are equal under it, in all orders. */
function meeting(string $one, string $other, int $bits): array
{
    $keys = [''];
    for ($i = 0; $i < $bits; $i++) {
        $keys = array_merge(array_map(static fn (string $key): string => $key . $one, $keys), array_map(static fn (string $key): string => $key . $other, $keys));
    }
    return $keys;
}

$kinds = [
    'times 33' => meeting('Ez', 'FY', 12),
    'times 31' => meeting('Aa', 'BB', 12),
    'sums' => array_map(static fn (int $i): string => chr(33 + $i % 64) . chr(97 - $i % 64) . str_repeat('x', 1 + intdiv($i, 64)), range(0, 2000)),
    'one byte' => array_map(static fn (int $i): string => str_repeat("\0", $i % 60) . chr($i & 255) . chr($i >> 8) . "\1", range(0, 4095)),
];
foreach ($kinds as $kind => $keys) {
    $keys = array_values(array_unique(array_filter($keys, static fn (string $key): bool => strlen($key) < 64)));
    $table = new Swoole\Table(16384, 1.0);
    $table->column('n', Swoole\Table::TYPE_INT);
    $table->create();
    for ($i = 0; $i < 100; $i++) {
        $table->set("neighbour$i", ['n' => $i]);
    }
    foreach ($keys as $n => $key) {
        $table->set($key, ['n' => $n]);
    }
    $right = 0;
    foreach ($keys as $n => $key) {
        $right += $table->get($key, 'n') === $n ? 1 : 0;
    }
    $deepest = $table->stats()['conflict_max_level'];
    foreach ($keys as $key) {
        $table->del($key);
    }
    $kept = 0;
    for ($i = 0; $i < 100; $i++) {
        $kept += $table->get("neighbour$i", 'n') === $i ? 1 : 0;
    }
    echo $kind, ': ', $right === count($keys) ? 'all there' : "$right of " . count($keys), ', ', $deepest < 12 ? 'spread' : "$deepest in one place", ', ', $kept, ' of ', $table->count(), " neighbours\n";
}
?>
--EXPECT--
times 33: all there, spread, 100 of 100 neighbours
times 31: all there, spread, 100 of 100 neighbours
sums: all there, spread, 100 of 100 neighbours
one byte: all there, spread, 100 of 100 neighbours
