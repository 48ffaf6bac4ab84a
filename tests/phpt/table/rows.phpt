--TEST--
Rows that were read are arrays of their own
--FILE--
<?php
$table = new Swoole\Table(64);
$table->column('id', Swoole\Table::TYPE_INT);
$table->column('text', Swoole\Table::TYPE_STRING, 2000);
$table->column('ratio', Swoole\Table::TYPE_FLOAT);
$table->create();
$table->set('a', ['id' => 1, 'text' => str_repeat('a', 2000), 'ratio' => 0.5]);
$table->set('b', ['id' => 2]);

$first = $table->get('a');
$first['text'] = 'changed';
unset($first['ratio']);
$first[] = 'more';
$second = $table->get('b');
$reference = &$second['text'];
$reference = 'through a reference';
echo json_encode($first), "\n", json_encode($second), "\n", json_encode($table->get('b')), "\n";
$again = $table->get('a');
echo strlen($again['text']), ' ', json_encode(array_map(gettype(...), $again)), ' ', json_encode(array_map(gettype(...), array_keys($again))), "\n";
foreach ($table as $key => $row) {
    $rows[$key] = $row;
    $row['text'] = '';
}
ksort($rows);
$table->destroy();
echo json_encode(array_map(static fn (array $row): array => [array_keys($row), strlen($row['text'])], $rows)), "\n";
$other = new Swoole\Table(64);
$other->column('name', Swoole\Table::TYPE_STRING, 8);
$other->create();
$other->set('a', ['name' => 'other']);
echo json_encode($other->get('a')), "\n";
?>
--EXPECT--
{"id":1,"text":"changed","0":"more"}
{"id":2,"text":"through a reference","ratio":0}
{"id":2,"text":"","ratio":0}
2000 {"id":"integer","text":"string","ratio":"double"} ["string","string","string"]
{"a":[["id","text","ratio"],2000],"b":[["id","text","ratio"],0]}
{"name":"other"}
