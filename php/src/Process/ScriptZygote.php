<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\RequestLoop;

/**
 * The program that forks the processes for scripts of a generation. It loads nothing of the application: what its children share is opcache's memory,
 * and what PHP preloads.
 */
final class ScriptZygote
{
    private const CONNECT_TIME = 5.0; // seconds

    /**
     * @param array<string, string> $facts
     * @return int exit status
     */
    public static function serve(array $facts): int
    {
        posix_setsid(); // Ctrl-C in a terminal is for the server, which lets its requests end
        chdir('/');
        $bootProcess = posix_getppid();
        $report = stream_socket_client("unix://{$facts['report']}", timeout: self::CONNECT_TIME);
        if ($report === false) {
            return 1;
        }
        [$requests, $memory] = [(int) $facts['requests'], (int) $facts['memory']];
        $listener = ZygoteListener::open($facts['path'], static fn (string $path): bool => RequestLoop::run($path, $requests, $memory), RequestLoop::sharePathChanges(...));
        if ($listener === null || @fwrite($report, pack('aN', ApplicationZygote::BOOTED, 0)) !== 5) {
            $listener?->close();
            return 1;
        }
        fclose($report);
        $listener->serve($bootProcess);
        return 0;
    }
}
