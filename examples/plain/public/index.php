<?php

session_start();
$_SESSION['visits'] = ($_SESSION['visits'] ?? 0) + 1;
header('Content-Type: text/plain; charset=utf-8');
echo "Visit {$_SESSION['visits']} of {$_SERVER['REQUEST_URI']}\n";
