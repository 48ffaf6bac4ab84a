--TEST--
A table with few rows takes the memory of few rows, also when all are looked at and absent keys are asked for
--FILE--
<?php
function shared(): int
{
    preg_match('/RssShmem:\s+(\d+)/', file_get_contents('/proc/self/status'), $match);
    return $match[1] * 1024;
}

foreach ([8, 500, 9000] as $width) {
    $table = new Swoole\Table(1 << 17);
    $table->column('text', Swoole\Table::TYPE_STRING, $width);
    $before = shared();
    $table->create();
    $fits = fn(string $when) => print("$width $when: " . (shared() - $before < $table->getMemorySize() / 20 + (4 << 20) ? 'little' : shared() - $before) . "\n");
    $fits('empty');
    for ($i = 0; $i < 50; $i++) {
        $table->set("key$i", ['text' => "text$i"]);
    }
    for ($i = 0; $i < 100_000; $i++) {
        $table->exist("absent$i") && print("$i\n");
        $table->del("absent$i");
    }
    $sum = 0;
    for ($round = 0; $round < 3; $round++) {
        foreach ($table as $key => $row) {
            $sum += $row['text'] === 'text' . substr($key, 3) ? 1 : 1000;
        }
    }
    $fits("50 rows, $sum seen");
    echo $table->count(), ' ', $table->stats()['available_slice_num'] <=> $table->stats()['total_slice_num'] - 50, "\n";
}

// As many rows as were asked for always fit, and what is removed makes room again.
$table = new Swoole\Table(4096);
$table->column('number', Swoole\Table::TYPE_INT);
$table->create();
for ($round = 0; $round < 3; $round++) {
    for ($i = 0; $i < 4096; $i++) {
        $table->set("$round-$i", ['number' => $i]) || print("refused $i\n");
    }
    $extra = 0;
    while (@$table->set("more$extra", ['number' => -1])) {
        $extra++;
    }
    $seen = 0;
    foreach ($table as $key => $row) {
        $table->del($key);
        $seen++;
    }
    echo $seen - $extra, ' ', $table->count(), ' ', $table->stats()['available_slice_num'] === $table->stats()['total_slice_num'] ? 'all free' : 'not all free', "\n";
}
?>
--EXPECT--
8 empty: little
8 50 rows, 150 seen: little
50 1
500 empty: little
500 50 rows, 150 seen: little
50 1
9000 empty: little
9000 50 rows, 150 seen: little
50 1
4096 0 all free
4096 0 all free
4096 0 all free
