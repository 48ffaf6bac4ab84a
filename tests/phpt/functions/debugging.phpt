--TEST--
swoole_get_objects(), swoole_get_vm_status(), swoole_get_object_by_handle(), library options, array default
--FILE--
<?php
$one = new stdClass();
$two = new ArrayObject();
$found = swoole_get_objects();
var_dump(in_array($one, $found, true), in_array($two, $found, true));
unset($found);
$before = swoole_get_vm_status()['object_num'];
$three = new stdClass();
var_dump(swoole_get_vm_status()['object_num'] - $before);
var_dump(swoole_get_object_by_handle(spl_object_id($two)) === $two);
$freed = spl_object_id($three);
unset($three);
var_dump(swoole_get_object_by_handle($freed), swoole_get_object_by_handle(0), swoole_get_object_by_handle(-1),
    swoole_get_object_by_handle(PHP_INT_MAX));
swoole_library_set_option('a', $one);
swoole_library_set_option('b', [1]);
var_dump(swoole_library_get_option('a') === $one, swoole_library_get_option('none'), array_keys(swoole_library_get_options()));
swoole_library_set_options(['c' => 1]);
swoole_library_set_option('d', 2);
var_dump(swoole_library_get_options());
var_dump(swoole_array_default_value(['k' => null], 'k', 1), swoole_array_default_value([5 => 'x'], '5'),
    swoole_array_default_value([], 'k', 'fallback'), swoole_array_default_value([], 'k'));
var_dump(swoole_internal_call_user_shutdown_begin(), @swoole_internal_call_user_shutdown_begin());
?>
--EXPECT--
bool(true)
bool(true)
int(1)
bool(true)
bool(false)
bool(false)
bool(false)
bool(false)
bool(true)
NULL
array(2) {
  [0]=>
  string(1) "a"
  [1]=>
  string(1) "b"
}
array(2) {
  ["c"]=>
  int(1)
  ["d"]=>
  int(2)
}
NULL
string(1) "x"
string(8) "fallback"
NULL
bool(true)
bool(false)
