<?php

declare(strict_types=1);

namespace Stampede\Server;

use Closure;
use Stampede\DevTools\ChangedSources;
use Stampede\Diagnostics\BootFailure;
use Stampede\Diagnostics\HealthCheck;
use Stampede\Exception\LaunchException;
use Stampede\Log\ExceptionFormatter;
use Stampede\Process\ProcessRunner;
use Stampede\Process\ZygoteClient;
use Stampede\Runner\Runner;
use Throwable;

/** The application as the boot process of a generation has loaded it, or a program that it has started: the workers that are forked from that have it, too. */
final class Generation
{
    public const CHECK_TIME = 1.0; // seconds that a health check has at least

    private ?Runner $bridge = null;
    private ?ZygoteClient $program = null;
    private float $until = 0.0; // what was begun in the boot process must have ended

    /**
     * @param float $bootTime seconds for the boot and the check
     * @param Closure(ZygoteClient): ProcessRunner $runner for requests in processes of their own
     * @param ChangedSources|null $sources to be checked before each boot; null: the boot loads them
     */
    public function __construct(
        private readonly string $directory,
        private readonly BootFailure $fault,
        private readonly float $bootTime,
        private readonly Closure $runner,
        private readonly ?ChangedSources $sources,
    ) {}

    /**
     * In the boot process.
     *
     * @param Runner|null $bridge for the requests of the workers themselves
     * @param ZygoteClient|null $program for those in processes of their own
     * @throws Throwable when the application does not boot
     */
    public function boot(?Runner $bridge, ?ZygoteClient $program): void
    {
        $this->until = microtime(true) + $this->bootTime;
        clearstatcache(true);
        chdir($this->directory);
        try {
            $this->sources?->check();
            $bridge?->boot();
            $program?->start();
        } catch (Throwable $failure) {
            $this->fault->set(ExceptionFormatter::sentence($failure));
            throw $failure;
        }
        $this->bridge = $bridge;
        $this->program = $program;
    }

    /** In a process forked from the boot process. @throws LaunchException when a request for the path fails */
    public function check(string $path): void
    {
        $this->ask($path, 'health check', 1);
    }

    /** The same twice: what the first request has left behind must not break the second one. @throws LaunchException */
    public function warmUp(string $path): void
    {
        $this->ask($path, 'warm-up', 2);
    }

    private function ask(string $path, string $name, int $times): void
    {
        if ($this->bridge !== null) {
            (new HealthCheck($this->bridge, $path, $this->fault, $name))->run($times);
        } elseif ($this->program !== null) {
            $this->askProcesses($this->program, $path, $name, $times);
        }
    }

    private function askProcesses(ZygoteClient $program, string $path, string $name, int $times): void
    {
        $runner = ($this->runner)($program);
        $limit = new TimeLimit(max(self::CHECK_TIME, $this->until - microtime(true)), static function (): void {}, static function (): void {});
        try {
            if (!$runner->open()) {
                throw new LaunchException(ZygoteClient::GONE);
            }
            (new HealthCheck($runner, $path, $this->fault, $name))->run($times);
        } finally {
            $limit->lift();
            $runner->close();
        }
    }

    public function program(): ?ZygoteClient
    {
        return $this->program;
    }

    /** Null in a process that has not been forked from a boot process, or where no worker handles requests itself. */
    public function bridge(): ?Runner
    {
        return $this->bridge;
    }
}
