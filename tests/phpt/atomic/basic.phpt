--TEST--
Atomic and Atomic\Long: counting, wrapping, comparing, over processes
--FILE--
<?php
$a = new Swoole\Atomic(5);
var_dump($a->add(), $a->add(10), $a->sub(20), $a->sub(-3), $a->get());
$a->set(7);
var_dump($a->cmpset(8, 1), $a->cmpset(7, 1), $a->get());
$l = new Swoole\Atomic\Long(-1);
var_dump($l->add(3), $l->sub(PHP_INT_MAX), $l->cmpset(2 - PHP_INT_MAX, 9), $l->get());
$children = [];
for ($i = 0; $i < 4; $i++) {
    if (($children[] = pcntl_fork()) === 0) {
        for ($n = 0; $n < 1000; $n++) {
            $a->add();
            $l->add(2);
        }
        exit(0);
    }
}
foreach ($children as $pid) {
    pcntl_waitpid($pid, $status);
}
var_dump($a->get(), $l->get(), new swoole_atomic() instanceof Swoole\Atomic);
?>
--EXPECT--
int(6)
int(16)
int(4294967292)
int(4294967295)
int(4294967295)
bool(false)
bool(true)
int(1)
int(2)
int(-9223372036854775805)
bool(true)
int(9)
int(4001)
int(8009)
bool(true)
