<?php

declare(strict_types=1);

namespace Stampede\Diagnostics;

use Stampede\Exception\LaunchException;
use Stampede\Log\ExceptionFormatter;
use Stampede\Runner\FrontControllerRunner;
use Stampede\Runner\InMemoryRequest;
use Stampede\Runner\InMemoryResponse;
use Stampede\Runner\Runner;
use Swoole\Coroutine\CanceledException;
use Swoole\ExitException;
use Throwable;

/** Requests of a booted application, in a process that serves nothing else. A status below 500 is good. */
final class HealthCheck
{
    private const FATAL = E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_RECOVERABLE_ERROR;

    private int $time = 1;

    public function __construct(
        private readonly Runner $bridge,
        private readonly string $path,
        private readonly BootFailure $fault,
        private readonly string $name = 'health check',
    ) {}

    /**
     * @param int $times one after another: what a request leaves behind may break the next one
     * @throws LaunchException when it is not healthy
     */
    public function run(int $times = 1): void
    {
        if ($this->bridge instanceof FrontControllerRunner) {
            $this->bridge->atShutdown($this->noteFatalError(...));
        }
        for ($this->time = 1; $this->time <= $times; $this->time++) {
            $why = $this->fault();
            if ($why !== '') {
                throw new LaunchException($this->note($why));
            }
            $this->bridge->reset();
        }
    }

    private function fault(): string
    {
        try {
            $status = $this->bridge->handle(InMemoryRequest::get($this->path, "stampede {$this->name}"), new InMemoryResponse());
        } catch (ExitException) {
            return '';
        } catch (CanceledException) {
            return 'there was no response before --boot-timeout was over.';
        } catch (Throwable $failure) {
            return ExceptionFormatter::sentence($failure);
        }
        return $status < 500 ? '' : "it has status {$status}.";
    }

    private function noteFatalError(): void
    {
        $error = error_get_last();
        if ($error !== null && ($error['type'] & self::FATAL) !== 0) {
            $this->note("{$error['message']} ({$error['file']}:{$error['line']})");
        }
    }

    private function note(string $why): string
    {
        $sentence = "The {$this->name} GET {$this->path} failed" . ($this->time > 1 ? " at time {$this->time}" : '') . ": {$why}";
        $this->fault->set($sentence);
        return $sentence;
    }
}
