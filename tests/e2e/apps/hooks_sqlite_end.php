<?php

declare(strict_types=1);

/* A script that ends while calls of SQLite are under way: HOW FOLDER, see hooks_sqlite_test.php. */

use Swoole\Coroutine;

[, $how, $folder] = $argv;
Swoole\Runtime::enableCoroutine();
$file = "$folder/end-$how.db";
$holder = new PDO("sqlite:$file");
$holder->exec('CREATE TABLE t (a)');
$slow = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
if ($how === 'locked') {
    $holder->exec('BEGIN EXCLUSIVE');
}
$underWay = 0;
foreach ([new PDO("sqlite:$file"), new SQLite3($file)] as $db) {
    go(static function () use ($db, $how, $slow, &$underWay): void {
        if ($db instanceof SQLite3) {
            $db->busyTimeout(60_000);
        }
        $underWay++;
        $db->exec($how === 'locked' ? 'INSERT INTO t VALUES (1)' : $slow);
        echo "not reached\n";
    });
}
echo "under way: $underWay\n";
if ($how === 'fatal') {
    trigger_error('ends here', E_USER_ERROR);
}
if ($how === 'fork') {
    $child = pcntl_fork();
    if ($child === 0) {
        exit(0);
    }
    pcntl_waitpid($child, $status);
    echo 'child: ', pcntl_wexitstatus($status), "\n";
}
exit(255); // otherwise it would wait for its coroutines
