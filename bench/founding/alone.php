<?php

declare(strict_types=1);

/*
 * The work of a request that needs no server, over and over in one process: what is left when requests, responses and clients cost nothing.
 * usage: alone.php reads|files|memory SECONDS     memory: files there. Prints how many times a second
 */

require __DIR__ . '/app/functions.php';
require __DIR__ . '/Cache.php';

[, $what, $seconds] = $argv;

$table = new Swoole\Table(1024);
$table->column('id', Swoole\Table::TYPE_INT);
$table->column('name', Swoole\Table::TYPE_STRING, 64);
$table->column('price', Swoole\Table::TYPE_FLOAT);
$table->create();
$cache = new CopiedCache($table, new Swoole\Atomic(1));
$keys = keys();
foreach ($keys as $index => $key) {
    $cache->set($key, ['id' => $index + 1, 'name' => "item-$index", 'price' => $index / 10]);
}
$folder = files_folder(['in' => $what]);
[$work, $expected] = $what === 'reads' ? [static fn (): int => $cache->sum($keys, 10_000), 505_000] : [static fn (): int => write_and_read($folder, 10), 10_240];

$done = 0;
for ($began = hrtime(true), $end = $began + (int) ((float) $seconds * 1e9); ($now = hrtime(true)) < $end; $done++) {
    if ($work() !== $expected) {
        fwrite(STDERR, "The work alone gives a wrong result.\n");
        exit(1);
    }
}
echo $done / (($now - $began) / 1e9), "\n";
