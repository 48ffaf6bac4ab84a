<?php

declare(strict_types=1);

/* Watches a folder by looking at its files, as where the kernel tells no changes: a line for each change and each sentence. */

use Stampede\DevTools\PollingNotifier;
use Stampede\DevTools\SourceTree;

spl_autoload_register(static function (string $class): void {
    require dirname(__DIR__, 3) . '/php/src/' . strtr(substr($class, strlen('Stampede\\')), '\\', '/') . '.php';
});
$say = static function (string $text): void {
    echo $text, "\n";
};
Swoole\Coroutine\run(static function () use ($argv, $say): void {
    (new PollingNotifier(new SourceTree($argv[1]), static fn (string $path) => $say("changed: {$path}"), $say))->begin();
    $say('begun');
});
