--TEST--
swoole_hashcode(), swoole_substr_unserialize(), swoole_substr_json_decode()
--FILE--
<?php
var_dump(swoole_hashcode('stampede') === swoole_hashcode('stampede'), swoole_hashcode('a') !== swoole_hashcode('b'));
var_dump(swoole_hashcode('stampede', 1) === crc32('stampede'), swoole_hashcode('x', 9));
$data = 'head' . serialize([1, 'two' => 3.5]) . 'tail';
var_dump(swoole_substr_unserialize($data, 4, strlen($data) - 8));
var_dump(swoole_substr_unserialize($data, 99), swoole_substr_unserialize('', 0));
$object = serialize(new ArrayObject());
var_dump(get_class(swoole_substr_unserialize('__' . $object, 2, strlen($object), ['allowed_classes' => false])));
var_dump(swoole_substr_json_decode('xx{"a":[1,2]}yy', 2, 11));
var_dump(swoole_substr_json_decode('xx{"a":[1,2]}', 2, 0, true));
var_dump(swoole_substr_json_decode('xx{"a":1}', -7, 0, true), swoole_substr_json_decode('{}', 5));
try {
    swoole_substr_json_decode('x{', 1, 0, true, 512, JSON_THROW_ON_ERROR);
} catch (JsonException $e) {
    echo get_class($e), "\n";
}
try {
    swoole_substr_json_decode('{}', 0, 0, true, 0);
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(false)
array(2) {
  [0]=>
  int(1)
  ["two"]=>
  float(3.5)
}
bool(false)
bool(false)
string(22) "__PHP_Incomplete_Class"
object(stdClass)#1 (1) {
  ["a"]=>
  array(2) {
    [0]=>
    int(1)
    [1]=>
    int(2)
  }
}
array(1) {
  ["a"]=>
  array(2) {
    [0]=>
    int(1)
    [1]=>
    int(2)
  }
}
array(1) {
  ["a"]=>
  int(1)
}
bool(false)
JsonException
swoole_substr_json_decode(): Argument #5 ($depth) must be between 1 and 2147483647
