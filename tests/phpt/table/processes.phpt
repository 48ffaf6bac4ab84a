--TEST--
Table: no count is lost between processes, also when one is killed in the middle
--FILE--
<?php
$table = new Swoole\Table(64);
$table->column('n', Swoole\Table::TYPE_INT);
$table->create();
$acknowledged = new Swoole\Table(64);
$acknowledged->column('n', Swoole\Table::TYPE_INT);
$acknowledged->create();
$pids = [];
for ($child = 0; $child < 4; $child++) {
    if (($pids[] = pcntl_fork()) === 0) {
        $until = time() + 30;
        for ($i = 0; $child < 3 ? $i < 5000 : time() < $until; $i++) {
            $table->incr('all', 'n');
            $acknowledged->incr((string) $child, 'n');
        }
        exit(0);
    }
}
for ($child = 0; $child < 3; $child++) {
    pcntl_waitpid($pids[$child], $status);
}
for ($until = time() + 20; $acknowledged->get('3', 'n') < 100 && time() < $until;) {
}
exec("kill -9 {$pids[3]}");
pcntl_waitpid($pids[3], $status);
$sum = 15000 + $acknowledged->get('3', 'n');
$all = $table->incr('all', 'n') - 1;
var_dump($all === $sum || $all === $sum + 1);
?>
--EXPECT--
bool(true)
