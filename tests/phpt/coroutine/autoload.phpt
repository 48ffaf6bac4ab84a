--TEST--
Two coroutines that need the same class load it once
--FILE--
<?php

spl_autoload_register(function ($class) {
    echo "loading $class in ", Co::getCid(), "\n";
    Co::sleep(0.005);
    if ($class === 'Missing') return;
    eval("class $class { const X = '$class'; }");
});
Co\run(function () {
    for ($i = 0; $i < 3; $i++) go(function () { echo Shared::X, ' in ', Co::getCid(), "\n"; });
    go(function () { echo Other::X, ' in ', Co::getCid(), "\n"; });
    go(function () { var_dump(class_exists('Missing')); });
    go(function () { var_dump(class_exists('Missing')); });
});
var_dump(class_exists('Shared', false));
--EXPECT--
loading Shared in 2
loading Other in 5
loading Missing in 6
Shared in 2
Shared in 3
Shared in 4
Other in 5
bool(false)
bool(false)
bool(true)
