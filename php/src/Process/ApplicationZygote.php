<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Application\ApplicationDescriptor;
use Stampede\Application\IsolationMode;
use Stampede\Checkpoint;
use Stampede\Log\ExceptionFormatter;
use Stampede\Log\FailureLog;
use Stampede\Log\ProcessLogger;
use Stampede\Runner\FatalError;
use Stampede\Runner\HeaderVariables;
use Stampede\Runner\NativeHeaders;
use Stampede\Runner\RequestScope;
use Stampede\Runner\Runner;
use Stampede\Runner\RunnerFactory;
use Stampede\Telemetry\Instrumentation;
use Stampede\WebRequest;
use Swoole\Coroutine;
use Throwable;

/**
 * The process that boots the application of a generation. For each worker it forks one that forks the processes of the worker's requests (WorkerZygote), which
 * go back to what they were after the boot when a request has ended. A program of its own, so that what it forks has no connection, listening socket, timer or
 * event loop of a worker.
 */
final class ApplicationZygote
{
    private const BOOT_TIME_MORE = 5; // seconds until it ends itself, when the boot process has not done it

    private const USED_BY_REQUESTS = [
        ChildRunner::class, RequestMessage::class, ChildRequest::class, ChildResponse::class, FrameType::class,
        RequestScope::class, HeaderVariables::class, NativeHeaders::class, FatalError::class,
    ];

    private readonly bool $keeps; // children go back
    private readonly ProcessLogger $logger;
    private readonly Runner $runner;
    private readonly ChildRunner $child;

    /** @param array<string, mixed> $facts of ProcessRunnerFactory */
    private function __construct(private readonly array $facts)
    {
        $this->keeps = !$facts['fresh'] && Checkpoint::obstacle() === null;
        $this->logger = new ProcessLogger();
        $failures = new FailureLog($this->logger);
        $runners = new RunnerFactory(ApplicationDescriptor::from($facts['application']), $facts['environment'], $failures, $this->logger);
        $this->runner = $runners->runner(IsolationMode::Process);
        $this->child = new ChildRunner($this->runner, $failures, $this->logger, $facts['environment'] !== 'prod', $this->keeps);
    }

    /**
     * @param array<string, mixed> $facts
     * @return int exit status
     */
    public static function serve(array $facts): int
    {
        posix_setsid(); // Ctrl-C in a terminal is for the server, which lets its requests end
        chdir($facts['application']['directory']);
        Coroutine::set(['stack_size' => Runner::C_STACK]);
        return (new self($facts))->run();
    }

    private function run(): int
    {
        $bootProcess = posix_getppid();
        $report = BootReport::open($this->facts['report']);
        if ($report === null) {
            return 1;
        }
        $bootTime = (int) $this->facts['bootTime'];
        pcntl_alarm($bootTime + self::BOOT_TIME_MORE);
        try {
            $this->runner->boot();
            (new WarmUp($this->runner, $this->child, $this->logger, $bootTime))->run($this->facts['warmUp']);
            Instrumentation::begin($this->logger, $this->facts['traceValues']);
        } catch (Throwable $failure) {
            $report->failed(ExceptionFormatter::sentence($failure));
            return 1;
        }
        pcntl_alarm(0);
        if ($this->keeps && $this->keep()) {
            $this->child->live(); // in a child that has gone back
            return 0;
        }
        return (new ZygoteListener($this->facts['path'], $this->inChild(...), $this->logger))->serve($report, $bootProcess);
    }

    private function inChild(string $path): void
    {
        WebRequest::endProcessToo();
        if (!Checkpoint::connect($path)) {
            return; // the worker is gone
        }
        if ($this->keeps) {
            Checkpoint::begin(); // goes on where this process called keep()
        }
        $this->child->live();
    }

    /** What every request needs is made before: it is there each time then. */
    private function keep(): bool
    {
        array_map(class_exists(...), self::USED_BY_REQUESTS);
        PatternMemory::makeRoom();
        Coroutine\run(static function (): void {});
        gc_collect_cycles();
        return Checkpoint::keep();
    }
}
