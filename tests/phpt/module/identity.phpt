--TEST--
The modules stampede and swoole are both there, with the version Composer and applications look for
--FILE--
<?php
var_dump(extension_loaded('stampede'), extension_loaded('Swoole'));
var_dump(phpversion('swoole') === SWOOLE_VERSION, swoole_version() === SWOOLE_VERSION);
var_dump(version_compare(phpversion('swoole'), '6.0', '>='));
var_dump((bool) preg_match('/^\d+\.\d+\.\d+$/', phpversion('stampede')));
$api = new ReflectionExtension('swoole');
var_dump($api->getVersion());
var_dump(count($api->getConstants()) >= 408, isset($api->getFunctions()['swoole_version']));
var_dump((new ReflectionClass(Swoole\Constant::class))->getExtensionName());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
string(5) "6.2.1"
bool(true)
bool(true)
string(6) "swoole"
