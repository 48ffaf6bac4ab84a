<?php

require __DIR__ . '/../app/first.php';
require __DIR__ . '/../app/second.php';
header('Content-Type: text/plain');
echo first_part(), ', ', second_part(), "\n";
