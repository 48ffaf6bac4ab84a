<?php

declare(strict_types=1);

use Stampede\Server\ServerProcess;

spl_autoload_register(static function (string $class): void {
    $file = str_starts_with($class, 'Stampede\\') ? dirname(__DIR__) . '/' . strtr(substr($class, 9), '\\', '/') . '.php' : '';
    if ($file !== '' && is_file($file)) {
        require $file;
    }
});
exit(ServerProcess::run());
