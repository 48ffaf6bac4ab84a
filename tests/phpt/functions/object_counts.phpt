--TEST--
How many objects of each class there are
--FILE--
<?php
class Kept {}
$before = Stampede\object_counts();
var_dump(isset($before['Kept']));
$kept = [new Kept(), new Kept(), new ArrayObject()];
$after = Stampede\object_counts();
var_dump($after['Kept'], $after['ArrayObject'] - ($before['ArrayObject'] ?? 0));
array_pop($kept);
array_pop($kept);
var_dump(Stampede\object_counts()['Kept']);
?>
--EXPECT--
bool(false)
int(2)
int(1)
int(1)
