<?php

declare(strict_types=1);

/* What the comparisons share: classes of this folder, and those of the end-to-end tests that start databases and install packages. */

namespace Stampede\Bench;

require_once __DIR__ . '/processes.php';

spl_autoload_register(static function (string $class): void {
    $folders = ['Stampede\\Bench\\' => __DIR__, 'Stampede\\Tests\\E2e\\' => dirname(__DIR__, 2) . '/tests/e2e/lib'];
    foreach ($folders as $prefix => $folder) {
        $file = $folder . '/' . substr($class, strlen($prefix)) . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
        }
    }
});
set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    if ((error_reporting() & $level) === 0) {
        return true;
    }
    throw new \ErrorException($message, 0, $level, $file, $line);
});
