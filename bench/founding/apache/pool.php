<?php

require __DIR__ . '/../app/functions.php';
require __DIR__ . '/connect.php';
header('Content-Type: text/plain');
echo line(...item(connect('p:127.0.0.1'), 42));
