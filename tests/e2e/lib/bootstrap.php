<?php

declare(strict_types=1);

/*
 * What the tests of this folder share. Plain PHP without the extension: the peer must not be made of what it tests.
 */

namespace Stampede\Tests\E2e;

foreach (['posix', 'sockets'] as $extension) {
    if (!extension_loaded($extension)) {
        echo "Bail out! These tests need PHP's $extension extension.\n0 passed, 1 failed\n";
        exit(1);
    }
}
spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/' . substr($class, strlen(__NAMESPACE__) + 1) . '.php';
    if (str_starts_with($class, __NAMESPACE__ . '\\') && is_file($file)) {
        require_once $file;
    }
});
require_once __DIR__ . '/helpers.php';

set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    if ((error_reporting() & $level) === 0) {
        return true;
    }
    throw new \ErrorException($message, 0, $level, $file, $line);
});
