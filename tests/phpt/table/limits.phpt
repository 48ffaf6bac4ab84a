--TEST--
Table: keys and values over their limits, a full table, bad declarations
--FILE--
<?php
use Swoole\Table;

$table = new Table(64);
var_dump($table->create());
var_dump($table->column('s', Table::TYPE_STRING), $table->column('s', 9), $table->column('s', Table::TYPE_STRING, 4), $table->column('s', Table::TYPE_INT));
$table->create();
var_dump($table->set(str_repeat('k', 64), ['s' => 'x']), $table->set('', ['s' => 'x']), $table->set(str_repeat('k', 63), ['s' => 'x']));
var_dump($table->set("with\0nul", ['s' => 'n']), $table->get("with\0nul", 's'), $table->get('with'));
var_dump($table->set('a', ['s' => '12345']), $table->get('a'), $table->set('a', ['s' => '1234']), $table->get('a', 's'));
set_error_handler(fn () => true);
$stored = $table->count();
for ($i = 0; $i < 500; $i++) {
    $stored += (int) $table->set("key$i", ['s' => (string) $i]);
}
restore_error_handler();
var_dump($stored === $table->count(), $stored >= 64, $stored < 200, $table->stats()['num'] === $stored);
var_dump($table->set('another', ['s' => '']));
$table->del('a');
foreach ($table as $key => $row) {
    $table->del($key);
}
var_dump($table->count(), $table->set('another', ['s' => 'fits']));
foreach ([0, -1] as $size) {
    try {
        new Table($size);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--EXPECTF--
Warning: Swoole\Table::create(): the table needs a column in %s on line %d
bool(false)

Warning: Swoole\Table::column(): the length of the string column 's' must be 1 to 67108864 in %s on line %d

Warning: Swoole\Table::column(): the type of the column 's' is not one of Table::TYPE_* in %s on line %d

Warning: Swoole\Table::column(): the table has a column 's' already in %s on line %d
bool(false)
bool(false)
bool(true)
bool(false)

Warning: Swoole\Table::set(): a key has 1 to 63 bytes, this one has 64 in %s on line %d

Warning: Swoole\Table::set(): a key has 1 to 63 bytes, this one has 0 in %s on line %d
bool(false)
bool(false)
bool(true)
bool(true)
string(1) "n"
bool(false)

Warning: Swoole\Table::set(): the value of the column 's' has 5 bytes, it holds 4 in %s on line %d
bool(false)
bool(false)
bool(true)
string(4) "1234"
bool(true)
bool(true)
bool(true)
bool(true)

Warning: Swoole\Table::set(): failed to set('another'): the table is full, unable to allocate memory in %s on line %d
bool(false)
int(0)
bool(true)
Swoole\Table::__construct(): Argument #1 ($table_size) must be between 1 and 268435456
Swoole\Table::__construct(): Argument #1 ($table_size) must be between 1 and 268435456
