<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Application\IsolationMode;
use Stampede\DevTools\ChangedSources;
use Stampede\DevTools\SourceTree;
use Stampede\Diagnostics\HealthCheck;
use Stampede\Exception\ServerException;
use Stampede\Log\ExceptionFormatter;
use Stampede\Middleware\TimeLimit;
use Stampede\Process\ProcessRunnerFactory;
use Stampede\Process\ZygoteClient;
use Stampede\Runner\Runner;
use Stampede\Runner\RunnerFactory;
use Throwable;

/** The application as the boot process of a generation has loaded it, or a zygote that it has started: the workers that are forked from that have both, too. */
final class Generation
{
    public const CHECK_TIME = 1.0; // seconds that a health check has at least

    private ?Runner $runner = null;
    private ?ZygoteClient $zygote = null;
    private float $until = 0.0; // what was begun in the boot process must have ended
    /** Scripts are compiled when a request needs them, so their changes are checked before each boot; null: the boot loads all code. */
    private readonly ?ChangedSources $sources;

    public function __construct(
        private readonly ServedApplication $application,
        private readonly SharedState $shared,
        private readonly RunnerFactory $runners,
        private readonly ProcessRunnerFactory $processes,
    ) {
        $this->sources = $application->isPlain() ? new ChangedSources(new SourceTree($application->project->directory)) : null;
    }

    /** In the boot process. @throws Throwable when the application does not boot */
    public function boot(): void
    {
        $this->until = microtime(true) + $this->application->bootTimeout();
        clearstatcache(true);
        chdir($this->application->project->directory);
        try {
            $this->sources?->check();
            $this->runner = $this->bootRunner();
            $this->zygote = $this->startZygote();
        } catch (Throwable $failure) {
            $this->shared->failure->set(ExceptionFormatter::sentence($failure));
            throw $failure;
        }
    }

    private function bootRunner(): ?Runner
    {
        $isolation = $this->application->isolationInWorkers();
        $runner = $isolation === null ? null : $this->runners->runner($isolation);
        $runner?->boot();
        return $runner;
    }

    /** What handles requests in processes of their own is forked from a program that has no socket or event loop of the server. */
    private function startZygote(): ?ZygoteClient
    {
        if (!$this->application->routes->uses(IsolationMode::Process)) {
            return null;
        }
        $zygote = $this->processes->zygote();
        $zygote->start();
        return $zygote;
    }

    /** In a process forked from the boot process. @throws ServerException when a request for the path fails */
    public function check(string $path): void
    {
        $this->request($path, 'health check', 1);
    }

    /** The same twice: what the first request has left behind must not break the second one. @throws ServerException */
    public function warmUp(string $path): void
    {
        $this->request($path, 'warm-up', 2);
    }

    private function request(string $path, string $name, int $times): void
    {
        if ($this->runner !== null) {
            (new HealthCheck($this->runner, $path, $this->shared->failure, $name))->run($times);
        } elseif ($this->zygote !== null) {
            $this->requestInProcesses($this->zygote, $path, $name, $times);
        }
    }

    private function requestInProcesses(ZygoteClient $zygote, string $path, string $name, int $times): void
    {
        $runner = $this->processes->runner($zygote, static function (): void {});
        $limit = new TimeLimit(max(self::CHECK_TIME, $this->until - microtime(true)), static function (): void {}, static function (): void {});
        try {
            if (!$runner->open()) {
                throw new ServerException(ZygoteClient::GONE);
            }
            (new HealthCheck($runner, $path, $this->shared->failure, $name))->run($times);
        } finally {
            $limit->lift();
            $runner->close();
        }
    }

    /** Of requests in processes of their own; null: there are none. */
    public function zygote(): ?ZygoteClient
    {
        return $this->zygote;
    }

    /** Null in a process that has not been forked from a boot process, or where no worker handles requests itself. */
    public function runner(): ?Runner
    {
        return $this->runner;
    }
}
