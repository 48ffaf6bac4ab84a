<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Closure;
use Stampede\Launcher\LaunchException;
use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\Socket;
use Swoole\Timer;

/** The worker's side of its ForkServer: forked processes that wait for requests. */
final class ForkStock
{
    public const CONTROL = 'Z';
    public const CHILD = 'C'; // and its number: ready for a request
    public const SHORT = 'S'; // the same, and the request before was little work that waited for nothing
    public const LAST = 'L'; // and the length of the text that follows: why the process ends after its request
    public const MOST = 16; // processes of one worker

    private const WAITING = 3;
    private const HELLO_TIME = 5.0;
    private const TAKE_TIME = 30.0;
    private const PAUSE = 200; // milliseconds, after a process has ended that never had a request
    private const PATIENCE = 0.001;
    private const PATIENCE_WITH_SHORT = 0.01; // one that waits for nothing gives its process back soon
    private const MOSTLY = 0.5; // of the requests are short
    private const TRIM = 1000; // milliseconds that more processes than WAITING may be idle

    private Socket $listener;
    private ?Socket $control = null;
    /** @var list<array{int, Socket}> the last one first: its memory is in the processor's caches */
    private array $idle = [];
    private int $leastIdle = 0; // since the last trim()
    private ?int $trimming = null; // a timer
    private Channel $asked; // of requests that wait for a process
    private string $path;
    /** @var resource|null */
    private $program = null;
    private int $total = 0;
    private int $busy = 0;
    private float $short = 0.0; // which share of the last requests was
    /** @var array<int, array{Socket, float}> by number, with the time; the last one last */
    private array $taken = [];
    private bool $closed = false;
    /** @var array<string, true> */
    private array $told = [];

    /**
     * @param list<string> $command that runs ForkServer::serve()
     * @param array<string, string> $facts for it
     * @param int $atOnce requests that have a processor each
     * @param Closure(): void $lost the program has ended
     * @param float $bootTime seconds
     */
    public function __construct(
        private readonly array $command,
        private readonly array $facts,
        private readonly string $variable,
        private readonly int $atOnce,
        private readonly Closure $lost,
        private readonly float $bootTime,
    ) {
        $this->asked = new Channel();
    }

    /** @throws LaunchException when the application does not boot */
    public function open(): void
    {
        $this->path = sprintf('%s/stampede-%d-%s.sock', sys_get_temp_dir(), getmypid(), bin2hex(random_bytes(6)));
        $this->listener = new Socket(AF_UNIX, SOCK_STREAM, 0);
        $mask = umask(0177); // no other user may connect
        try {
            if (!$this->listener->bind($this->path) || !$this->listener->listen(self::MOST * 2)) {
                throw new LaunchException("The socket {$this->path} cannot be made: {$this->listener->errMsg}.");
            }
        } finally {
            umask($mask);
        }
        try {
            $this->start();
        } catch (\Throwable $failure) {
            $this->close();
            throw $failure;
        }
        Coroutine::create($this->listenToProgram(...));
        Coroutine::create($this->accept(...));
        $this->refill();
    }

    /** @return array{int, Socket} number and connection of a process, for give() or lose() */
    public function take(): array
    {
        $until = microtime(true) + self::TAKE_TIME;
        do {
            $child = $this->closed ? false : $this->soonFree() ?? $this->idle() ?? $this->asked->pop(max(0.001, $until - microtime(true)));
            if ($child === false) {
                throw new LaunchException('No process for this request: ' . ($this->closed ? 'the worker is ending.' : 'none was free in time.'));
            }
        } while (!$child[1]->checkLiveness());
        $this->busy++;
        $this->taken[$child[0]] = [$child[1], microtime(true)];
        $this->refill();
        return $child;
    }

    /** After its request the process is as it was before. */
    public function give(int $pid, Socket $socket): void
    {
        unset($this->taken[$pid]);
        $this->busy--;
        $this->offer($pid, $socket);
    }

    /** The process ends. */
    public function lose(Socket $socket): void
    {
        $socket->close();
        $this->busy--;
        $this->refill();
    }

    public function note(bool $wasShort): void
    {
        $this->short += ((int) $wasShort - $this->short) / 16;
    }

    /** Each reason once: requests of one kind have the same. */
    public function tell(string $obstacle): void
    {
        if ($obstacle !== '' && !isset($this->told[$obstacle]) && count($this->told) < self::MOST) {
            $this->told[$obstacle] = true;
            fwrite(STDERR, "A request needs a process of its own, which costs more than one that is put back after its request: {$obstacle}.\n");
        }
    }

    public function kill(int $pid): void
    {
        $this->command(ForkServer::KILL, $pid);
    }

    /** Ends all processes. */
    public function close(): void
    {
        if ($this->closed) {
            return;
        }
        $this->closed = true;
        if ($this->trimming !== null) {
            Timer::clear($this->trimming);
        }
        @unlink($this->path);
        $this->listener->close();
        $this->control?->close();
        foreach (array_splice($this->idle, 0) as [, $socket]) {
            $socket->close();
        }
        $this->asked->close();
        $this->program = null;
    }

    private function start(): void
    {
        $environment = [$this->variable => json_encode(['path' => $this->path] + $this->facts, JSON_THROW_ON_ERROR)] + getenv();
        $this->program = proc_open($this->command, [['file', '/dev/null', 'r'], STDERR, STDERR], $pipes, null, $environment) ?: null;
        $this->control = $this->program === null ? null : ($this->listener->accept(self::HELLO_TIME) ?: null);
        if ($this->control === null || !str_starts_with((string) $this->control->recvAll(5, self::HELLO_TIME), self::CONTROL)) {
            throw new LaunchException('The program that forks the processes of requests does not start.');
        }
        $head = (string) $this->control->recvAll(5, $this->bootTime);
        if (strlen($head) !== 5) {
            throw new LaunchException("The application has ended its process, or booted for more than {$this->bootTime} seconds (--boot-timeout), see the message before.");
        }
        if ($head[0] !== ForkServer::BOOTED) {
            throw new LaunchException((string) $this->control->recvAll(self::number($head), self::HELLO_TIME));
        }
    }

    private function accept(): void
    {
        while (!$this->closed && ($socket = $this->listener->accept(-1)) !== false) {
            $hello = (string) $socket->recvAll(5, self::HELLO_TIME);
            if (strlen($hello) === 5 && $hello[0] === self::CHILD) {
                $this->offer(self::number($hello), $socket);
            } else {
                $socket->close();
            }
        }
    }

    private function listenToProgram(): void
    {
        while (strlen($head = (string) $this->control?->recvAll(5, -1)) === 5) {
            $pid = self::number($head);
            $this->total--;
            if (isset($this->taken[$pid])) {
                // A program that the application has started may hold the other side open: what was sent is read, then comes the end.
                $this->taken[$pid][0]->shutdown(STREAM_SHUT_RD);
                unset($this->taken[$pid]);
                $this->refill();
            } else {
                Timer::after(self::PAUSE, $this->refill(...));
            }
        }
        if (!$this->closed) {
            $this->close();
            ($this->lost)();
        }
    }

    private function refill(): void
    {
        while (!$this->closed && $this->total < self::MOST && $this->total - $this->busy < self::WAITING) {
            $this->total++;
            $this->command(ForkServer::FORK, 0);
        }
    }

    private function offer(int $pid, Socket $socket): void
    {
        if ($this->closed) {
            $socket->close();
        } elseif ($this->asked->stats()['consumer_num'] > 0) {
            $this->asked->push([$pid, $socket]);
        } else {
            $this->idle[] = [$pid, $socket];
            if (count($this->idle) > self::WAITING) {
                $this->trimming ??= Timer::after(self::TRIM, $this->trim(...)) ?: null;
            }
        }
    }

    /**
     * While a process works, waits a moment for it: short requests are faster one after another in one process, whose memory is in the
     * processor's caches, than side by side in many. One that works for longer than that is not waited for.
     *
     * @return array{int, Socket}|null
     */
    private function soonFree(): ?array
    {
        if ($this->busy < $this->atOnce || $this->taken === []) {
            return null;
        }
        $patience = self::PATIENCE;
        if ($this->short > self::MOSTLY) {
            $patience = $this->taken[array_key_last($this->taken)][1] + self::PATIENCE_WITH_SHORT - microtime(true);
        }
        return $patience < self::PATIENCE ? null : ($this->asked->pop($patience) ?: null);
    }

    /** @return array{int, Socket}|null */
    private function idle(): ?array
    {
        $child = array_pop($this->idle);
        $this->leastIdle = min($this->leastIdle, count($this->idle));
        return $child;
    }

    /** After a peak: what was not needed since the last time ends. */
    private function trim(): void
    {
        $this->trimming = null;
        for ($spare = min($this->leastIdle, count($this->idle)) - self::WAITING; $spare > 0; $spare--) {
            array_shift($this->idle)[1]->close();
        }
        $this->leastIdle = count($this->idle);
        if (!$this->closed && $this->leastIdle > self::WAITING) {
            $this->trimming = Timer::after(self::TRIM, $this->trim(...)) ?: null;
        }
    }

    private function command(string $command, int $pid): void
    {
        if (!$this->closed) {
            $this->control?->sendAll(pack('aN', $command, $pid));
        }
    }

    private static function number(string $head): int
    {
        return (unpack('N', $head, 1) ?: [1 => 0])[1];
    }
}
