<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Exception\LaunchException;
use Swoole\Atomic;
use Swoole\Coroutine\Socket;

/** The program that has booted the application of a generation (ApplicationZygote): the boot process starts it, its workers connect to it. */
final class ZygoteClient
{
    public const GONE = 'The process that has booted the application is gone.';

    private const REFUSED = 111; // ECONNREFUSED
    private const REFUSALS = [2, self::REFUSED]; // ENOENT
    private const HELLO_TIME = 5.0;
    private const LOOK_EVERY = 0.1; // seconds, whether the program is still there
    private const LONGEST = 107; // bytes of the path of a socket

    private readonly string $path;
    private readonly Atomic $missed;

    /**
     * @param list<string> $command that runs ApplicationZygote::serve()
     * @param array<string, string> $facts for it
     * @param string $variable of the environment that holds them
     * @param float $bootTime seconds
     */
    public function __construct(private readonly array $command, private readonly array $facts, private readonly string $variable, private readonly float $bootTime)
    {
        $this->path = self::newPath();
        $this->missed = new Atomic(0);
    }

    /** A socket that no other process has. */
    public static function newPath(): string
    {
        return sprintf('%s/stampede-%d-%s.sock', sys_get_temp_dir(), getmypid(), bin2hex(random_bytes(6)));
    }

    /** Processes that were killed leave their sockets, which nobody else would remove. */
    private static function removeAbandoned(): void
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
        $isRefused = !$socket->connect($path, 0, self::HELLO_TIME) && $socket->errCode === self::REFUSED;
        $socket->close();
        return $isRefused;
    }

    public static function listenAt(string $path, int $backlog): Socket
    {
        if (strlen($path) > self::LONGEST) {
            throw new LaunchException("The socket {$path} cannot be made: its path has more than " . self::LONGEST . ' bytes. Name another folder for temporary files, by the variable TMPDIR.');
        }
        $listener = new Socket(AF_UNIX, SOCK_STREAM, 0);
        $mask = umask(0177); // no other user may connect
        try {
            if (!$listener->bind($path) || !$listener->listen($backlog)) {
                throw new LaunchException("The socket {$path} cannot be made: {$listener->errMsg}.");
            }
        } finally {
            umask($mask);
        }
        return $listener;
    }

    public static function number(string $head): int
    {
        return (unpack('N', $head, 1) ?: [1 => 0])[1];
    }

    /** In the boot process; nothing of the program stays open in it. @throws LaunchException when the application does not boot */
    public function start(): void
    {
        self::removeAbandoned();
        $report = "{$this->path}.boot";
        $listener = self::listenAt($report, 1);
        $program = null;
        try {
            $facts = ['path' => $this->path, 'report' => $report, 'bootTime' => (string) $this->bootTime] + $this->facts;
            $environment = [$this->variable => json_encode($facts, JSON_THROW_ON_ERROR)] + getenv();
            // @phpstan-ignore argument.type (the number of a descriptor is an integer)
            $program = proc_open($this->command, [['file', '/dev/null', 'r'], ['redirect', 2]], $pipes, null, $environment) ?: null;
            $socket = $program === null ? null : $this->awaitStart($listener, $program);
            if ($socket === null) {
                throw new LaunchException('The program that forks the processes of requests does not start, see the message before.');
            }
            $this->awaitBoot($socket);
        } catch (\Throwable $failure) {
            if ($program !== null) {
                proc_terminate($program, SIGKILL);
            }
            @unlink($this->path);
            throw $failure;
        } finally {
            $listener->close();
            @unlink($report);
        }
    }

    /**
     * PHP itself may take a while to start, when it preloads.
     *
     * @param resource $program
     * @return Socket|null it has ended instead, or takes too long
     */
    private function awaitStart(Socket $listener, $program): ?Socket
    {
        $until = microtime(true) + max($this->bootTime, self::HELLO_TIME);
        do {
            $socket = $listener->accept(self::LOOK_EVERY) ?: null;
        } while ($socket === null && proc_get_status($program)['running'] && microtime(true) < $until);
        return $socket;
    }

    private function awaitBoot(Socket $socket): void
    {
        $head = (string) $socket->recvAll(5, $this->bootTime);
        if (strlen($head) !== 5) {
            throw new LaunchException("The application has ended its process, or booted for more than {$this->bootTime} seconds (--boot-timeout), see the message before.");
        }
        if ($head[0] !== ApplicationZygote::BOOTED) {
            throw new LaunchException((string) $socket->recvAll(self::number($head), self::HELLO_TIME));
        }
        $socket->close();
    }

    /**
     * A connection to a process that forks for the caller alone, those that it forks connect to the path; null when the program is gone.
     *
     * @throws LaunchException when it does not respond, or cannot fork
     */
    public function connect(string $path): ?Socket
    {
        $control = new Socket(AF_UNIX, SOCK_STREAM, 0);
        if (!$control->connect($this->path, 0, self::HELLO_TIME) && in_array($control->errCode, self::REFUSALS, true)) {
            return null;
        }
        $control->sendAll(pack('aN', WorkerZygote::CONTROL, strlen($path)) . $path, self::HELLO_TIME);
        if (!str_starts_with((string) $control->recvAll(5, self::HELLO_TIME), WorkerZygote::READY)) {
            throw new LaunchException('The process that has booted the application does not fork another one for this worker.');
        }
        return $control;
    }

    /** The program is gone. @return bool true for the first one that calls it of the workers that miss it */
    public function miss(): bool
    {
        @unlink($this->path); // it was killed
        return $this->missed->cmpset(0, 1);
    }
}
