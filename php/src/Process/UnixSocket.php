<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Exception\BootException;
use Swoole\Coroutine\Socket;

/** Sockets in the folder for temporary files, by which the processes of a server find each other. */
final class UnixSocket
{
    public const NOT_THERE = 2; // ENOENT
    public const REFUSED = 111; // ECONNREFUSED

    private const LONGEST = 107; // bytes of the path of a socket
    private const CONNECT_TIME = 5.0; // seconds

    /** A path that no other process has. */
    public static function newPath(): string
    {
        return sprintf('%s/stampede-%d-%s.sock', sys_get_temp_dir(), getmypid(), bin2hex(random_bytes(6)));
    }

    /** Connections of this user alone. @throws BootException */
    public static function listen(string $path, int $backlog): Socket
    {
        if (strlen($path) > self::LONGEST) {
            throw new BootException("The socket {$path} cannot be made: its path has more than " . self::LONGEST . ' bytes. Name another folder for temporary files, by the variable TMPDIR.');
        }
        $listener = new Socket(AF_UNIX, SOCK_STREAM, 0);
        $mask = umask(0177);
        try {
            if (!$listener->bind($path) || !$listener->listen($backlog)) {
                throw new BootException("The socket {$path} cannot be made: {$listener->errMsg}.");
            }
        } finally {
            umask($mask);
        }
        return $listener;
    }

    /** Processes that were killed leave their sockets, which nobody else would remove. */
    public static function removeAbandoned(): void
    {
        foreach (glob(sys_get_temp_dir() . '/stampede-*.sock*') ?: [] as $path) {
            $pid = (int) explode('-', basename($path))[1];
            if ($pid > 0 && !file_exists("/proc/{$pid}") && @fileowner($path) === posix_geteuid() && self::isRefused($path)) {
                @unlink($path);
            }
        }
    }

    /** Nobody listens: a process with a number of another container might. */
    private static function isRefused(string $path): bool
    {
        $socket = new Socket(AF_UNIX, SOCK_STREAM, 0);
        $isRefused = !$socket->connect($path, 0, self::CONNECT_TIME) && $socket->errCode === self::REFUSED;
        $socket->close();
        return $isRefused;
    }
}
