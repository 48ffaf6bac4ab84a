<?php

/*
 * Prepended to each script of PHP's tests by tools/php-suite: runs it within a function, or, with PHP_SUITE=coroutine, in a coroutine with all hooks, beside one that ticks.
 */

(static function (): void {
    $script = realpath($_SERVER['SCRIPT_FILENAME'] ?? '');
    if ($script === false || !str_ends_with($script, '.php') || preg_match('/\.(skip|clean)\.php$/', $script) || $script === __FILE__) {
        return;
    }
    chdir(dirname($script));
    $run = static function () use ($script): void {
        require $script;
    };
    if (getenv('PHP_SUITE') !== 'coroutine') {
        $run();
        exit;
    }
    Swoole\Runtime::enableCoroutine(SWOOLE_HOOK_ALL);
    Swoole\Coroutine\run(static function () use ($run): void {
        $ended = false;
        Swoole\Coroutine::create(static function () use (&$ended): void {
            while (!$ended) {
                Swoole\Coroutine::sleep(0.001);
            }
        });
        Swoole\Coroutine::defer(static function () use (&$ended): void {
            $ended = true;
        });
        $run();
    });
    exit;
})();
