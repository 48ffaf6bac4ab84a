<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Log\ProcessLogger;
use Stampede\RequestLoop;

/**
 * The program that forks the processes for scripts of a generation. It loads nothing of the application: what its children share is opcache's memory, and what
 * PHP preloads.
 */
final class ScriptZygote
{
    /**
     * @param array<string, mixed> $facts of ProcessRunnerFactory
     * @return int exit status
     */
    public static function serve(array $facts): int
    {
        posix_setsid(); // Ctrl-C in a terminal is for the server, which lets its requests end
        chdir('/');
        $bootProcess = posix_getppid();
        $report = BootReport::open($facts['report']);
        if ($report === null) {
            return 1;
        }
        $inChild = static fn (string $path): bool => RequestLoop::run($path, $facts['requests'], $facts['memory']);
        return (new ZygoteListener($facts['path'], $inChild, new ProcessLogger(), RequestLoop::sharePathChanges(...)))->serve($report, $bootProcess);
    }
}
