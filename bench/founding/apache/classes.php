<?php

require getenv('BENCH_AUTOLOAD');
require __DIR__ . '/../app/functions.php';
header('Content-Type: text/plain');
echo line((string) load_classes(), 'classes');
