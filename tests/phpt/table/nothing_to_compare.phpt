--TEST--
Table: a comparison with nothing changes nothing, a column that is not there is false without a word
--FILE--
<?php
$table = new Swoole\Table(8);
$table->column('n', Swoole\Table::TYPE_INT);
$table->create();
$table->set('row', ['n' => 1]);
var_dump($table->cmpset('row', [], ['n' => 2]), $table->cmpdel('row', []), $table->get('row', 'n'));
var_dump($table->get('row', 'nothing'), $table->get('no row', 'nothing'), $table->getdel('row', 'nothing'), $table->exists('row'));
?>
--EXPECTF--
Warning: Swoole\Table::cmpset(): the values to compare with must not be empty in %s on line %d

Warning: Swoole\Table::cmpdel(): the values to compare with must not be empty in %s on line %d
bool(false)
bool(false)
int(1)
bool(false)
bool(false)
bool(false)
bool(true)
