--TEST--
Table: columns, rows, counting, comparing, iteration
--FILE--
<?php
use Swoole\Table;

$table = new Table(100);
var_dump($table->size, $table->column('id', Table::TYPE_INT), $table->column('name', Table::TYPE_STRING, 10), $table->column('price', Table::TYPE_FLOAT));
var_dump($table->create(), $table->size, $table->memorySize === $table->getMemorySize(), $table->column('late', Table::TYPE_INT));
var_dump($table->set('a', ['id' => '7', 'name' => 'apple', 'price' => 1.5, 'unknown' => 1]));
var_dump($table->set('b', ['name' => new class { function __toString() { return 'banana'; } }]));
var_dump($table->get('a'), $table->get('a', 'name'), $table->get('b', 'id'), $table->get('c'), $table->get('c', 'id'));
var_dump($table->get('a', 'nothing'));
var_dump($table->incr('a', 'id'), $table->decr('a', 'id', 10), $table->incr('a', 'price', 0.25), $table->incr('new', 'id', 5));
var_dump($table->incr('a', 'name'));
var_dump($table->exists('a'), $table->exist('z'), $table->count(), count($table));
var_dump($table->add('a', ['id' => 1]), $table->update('z', ['id' => 1]), $table->update('b', ['id' => 3]), $table->add('z', ['id' => 9]));
var_dump($table->cmpset('b', ['id' => 4], ['id' => 5]), $table->cmpset('b', ['id' => 3, 'name' => 'banana'], ['id' => 5]), $table->get('b', 'id'));
var_dump($table->cmpdel('b', ['id' => 3]), $table->cmpdel('b', ['id' => 5]), $table->getdel('z', 'id'), $table->exists('z'));
$keys = [];
foreach ($table as $key => $row) {
    $keys[] = "$key=$row[id]";
    $table->set('during', ['id' => 1]);
}
sort($keys);
echo implode(' ', array_diff($keys, ['during=1'])), "\n";
var_dump($table->del('a'), $table->del('a'), $table->delete('new'), $table->delete('during'), $table->count());
var_dump($table->destroy(), $table->destroy());
try {
    $table->get('a');
} catch (Swoole\Error $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECTF--
NULL
bool(true)
bool(true)
bool(true)

Warning: Swoole\Table::column(): unable to add column after table has been created in %s on line %d
bool(true)
int(128)
bool(true)
bool(false)
bool(true)
bool(true)
array(3) {
  ["id"]=>
  int(7)
  ["name"]=>
  string(5) "apple"
  ["price"]=>
  float(1.5)
}
string(5) "apple"
int(0)
bool(false)
bool(false)
bool(false)
int(8)
int(-2)
float(1.75)
int(5)

Warning: Swoole\Table::incr(): the column 'name' holds strings, which cannot be counted in %s on line %d
bool(false)
bool(true)
bool(false)
int(3)
int(3)
bool(false)
bool(false)
bool(true)
bool(true)
bool(false)
bool(true)
int(5)
bool(false)
bool(true)
int(9)
bool(false)
a=-2 new=5
bool(true)
bool(false)
bool(true)
bool(true)
int(0)
bool(true)
bool(false)
table is not created or has been destroyed: call create() first
