<?php

declare(strict_types=1);

namespace Stampede\Diagnostics;

use Stampede\Exception\BootException;
use Stampede\Log\ExceptionFormatter;
use Stampede\Runner\FatalError;
use Stampede\Runner\InMemoryRequest;
use Stampede\Runner\InMemoryResponse;
use Stampede\Runner\Runner;
use Swoole\Coroutine\CanceledException;
use Swoole\ExitException;
use Throwable;

/** Requests of a booted application, in a process that serves nothing else. A status below 500 is good. */
final class HealthCheck
{
    private int $time = 1;

    public function __construct(
        private readonly Runner $runner,
        private readonly string $path,
        private readonly BootFailure $fault,
        private readonly string $name = 'health check',
    ) {}

    /**
     * @param int $times one after another: what a request leaves behind may break the next one
     * @throws BootException when it is not healthy
     */
    public function run(int $times = 1): void
    {
        $this->runner->atShutdown($this->noteFatalError(...));
        for ($this->time = 1; $this->time <= $times; $this->time++) {
            $why = $this->fault();
            if ($why !== '') {
                throw new BootException($this->note($why));
            }
            $this->runner->reset();
        }
    }

    private function fault(): string
    {
        try {
            $status = $this->runner->handle(InMemoryRequest::get($this->path, "stampede {$this->name}"), new InMemoryResponse());
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
        $error = FatalError::last();
        if ($error !== null) {
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
