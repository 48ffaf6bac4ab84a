--TEST--
swoole.use_shortname=Off is visible to code that asks before it defines names of its own
--INI--
swoole.use_shortname=Off
--FILE--
<?php
var_dump(SWOOLE_USE_SHORTNAME, (bool) ini_get_all('swoole')['swoole.use_shortname']['local_value']);
var_dump(class_exists('Co', false), class_exists('Chan', false), function_exists('go'));
?>
--EXPECT--
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
