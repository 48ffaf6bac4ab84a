<?php

/* The last five tests: classes, reads of the cache, files and queries in the numbers that the address asks for. */

require getenv('BENCH_AUTOLOAD');
require __DIR__ . '/../app/functions.php';
require __DIR__ . '/connect.php';
header('Content-Type: text/plain');

$loaded = load_classes();
$keys = keys();
if (!apcu_exists($keys[99])) {
    $database = connect('p:127.0.0.1');
    foreach ($keys as $index => $key) {
        apcu_store($key, item($database, $index + 1));
    }
}
$sum = 0;
for ($i = 0, $rounds = (int) $_GET['reads'] / 100; $i < $rounds; $i++) {
    foreach ($keys as $key) {
        $sum += apcu_fetch($key)['id'];
    }
}
$bytes = write_and_read(files_folder($_GET), (int) ($_GET['files'] ?? 0));
$rows = 0;
if (isset($_GET['queries'])) {
    $database ??= connect('p:127.0.0.1');
    $query = $_GET['sleep'] === '0' ? 'SELECT name FROM items WHERE id = 7' : 'SELECT SLEEP(0.01)';
    for ($i = 0, $queries = (int) $_GET['queries']; $i < $queries; $i++) {
        $rows += count($database->query($query)->fetch_all());
    }
}
echo line("$loaded classes,", "sum $sum,", "$bytes bytes,", "$rows rows");
