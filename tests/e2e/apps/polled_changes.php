<?php

declare(strict_types=1);

/* Watches a folder by looking at its files, as where the kernel tells no changes: a line for each change and each sentence. */

use Stampede\DevTools\PollingNotifier;
use Stampede\DevTools\SourceTree;
use Stampede\Log\AbstractLogger;
use Stampede\Log\LogLevel;

spl_autoload_register(static function (string $class): void {
    require dirname(__DIR__, 3) . '/php/src/' . strtr(substr($class, strlen('Stampede\\')), '\\', '/') . '.php';
});
$logger = new class extends AbstractLogger {
    protected function log(LogLevel $level, string $message, array $facts = []): void
    {
        echo $message, "\n";
    }
};
Swoole\Coroutine\run(static function () use ($argv, $logger): void {
    (new PollingNotifier(new SourceTree($argv[1]), static fn (string $path) => $logger->notice("changed: {$path}"), $logger))->begin();
    $logger->notice('begun');
});
