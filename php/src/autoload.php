<?php

declare(strict_types=1);

/* For the entry scripts: in their processes Composer's autoloader is the application's. */

spl_autoload_register(static function (string $class): void {
    $file = str_starts_with($class, 'Stampede\\') ? __DIR__ . '/' . strtr(substr($class, 9), '\\', '/') . '.php' : '';
    if ($file !== '' && is_file($file)) {
        require $file;
    }
});
