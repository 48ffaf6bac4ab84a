<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Exception\BootException;
use Stampede\Metrics\Inheritance;
use Stampede\Php\PhpProgram;
use Swoole\Atomic;
use Swoole\Coroutine\Socket;
use Throwable;

/** The zygote of a generation, a program of its own: the boot process starts it, the workers of the generation connect to it. */
final class ZygoteClient
{
    public const GONE = 'The process that has booted the application is gone.';

    private const HELLO_TIME = 5.0; // seconds
    private const LOOK_EVERY = 0.1; // seconds, whether the program is still there

    private readonly string $path;
    private readonly Atomic $missed;

    /**
     * @param array<string, mixed> $facts for the program
     * @param float $bootTime seconds
     */
    public function __construct(private readonly PhpProgram $program, private readonly array $facts, private readonly float $bootTime)
    {
        $this->path = UnixSocket::newPath();
        $this->missed = new Atomic(0);
    }

    /** In the boot process; nothing of the program stays open in it. @throws BootException when the application does not boot */
    public function start(): void
    {
        UnixSocket::removeAbandoned();
        $report = "{$this->path}.boot";
        $listener = UnixSocket::listen($report, 1);
        $program = null;
        try {
            $environment = PhpProgram::environment(['path' => $this->path, 'report' => $report, 'bootTime' => $this->bootTime] + $this->facts);
            [$descriptors, $variables] = Inheritance::of();
            // @phpstan-ignore argument.type (the number of a descriptor is an integer)
            $program = proc_open($this->program->command, [['file', '/dev/null', 'r'], ['redirect', 2]] + $descriptors, $pipes, null, $variables + $environment) ?: null;
            $socket = $program === null ? null : $this->awaitStart($listener, $program);
            if ($socket === null) {
                throw new BootException('The program that forks the processes of requests does not start, see the message before.');
            }
            $this->awaitBoot($socket);
        } catch (Throwable $failure) {
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
        $head = (string) $socket->recvAll(FrameReader::HEAD, $this->bootTime);
        if (strlen($head) !== FrameReader::HEAD) {
            throw new BootException("The application has ended its process, or booted for more than {$this->bootTime} seconds (--boot-timeout), see the message before.");
        }
        if ($head[0] !== FrameType::BOOTED) {
            throw new BootException((string) $socket->recvAll(FrameReader::number($head), self::HELLO_TIME));
        }
        $socket->close();
    }

    /**
     * A connection to a process that forks for the caller alone, those that it forks connect to the path; null when the program is gone.
     *
     * @throws BootException when it does not respond, or cannot fork
     */
    public function connect(string $path): ?Socket
    {
        $control = new Socket(AF_UNIX, SOCK_STREAM, 0);
        if (!$control->connect($this->path, 0, self::HELLO_TIME) && in_array($control->errCode, [UnixSocket::NOT_THERE, UnixSocket::REFUSED], true)) {
            return null;
        }
        $control->sendAll(pack('aN', FrameType::OPEN, strlen($path)) . $path, self::HELLO_TIME);
        if (!str_starts_with((string) $control->recvAll(FrameReader::HEAD, self::HELLO_TIME), FrameType::OPENED)) {
            throw new BootException('The process that has booted the application does not fork another one for this worker.');
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
