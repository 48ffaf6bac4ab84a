<?php

require __DIR__ . '/../app/functions.php';
header('Content-Type: text/plain');
$item = apcu_fetch('item:42');
if ($item === false) {
    require __DIR__ . '/connect.php';
    $item = item(connect('p:127.0.0.1'), 42);
    apcu_store('item:42', $item);
}
echo line(...$item);
