<?php

declare(strict_types=1);

namespace Stampede\Application;

/** What the requests of one worker share with each other. */
enum IsolationMode: string
{
    /** Many at once, each with what PHP keeps for one request. */
    case Coroutine = 'coroutine';
    /** One after another in a worker; waits still let the worker accept and send. */
    case Sequential = 'sequential';
    /** Each in a fresh copy of the booted application. */
    case Process = 'process';

    public static function of(ApplicationKind $kind): self
    {
        return match ($kind) {
            ApplicationKind::Psr15 => self::Coroutine,
            ApplicationKind::Plain => self::Process,
            default => self::Sequential,
        };
    }

    /**
     * How many requests a worker handles at once; 0: any number.
     *
     * @param int $processes of a worker
     */
    public function places(int $processes): int
    {
        return match ($this) {
            self::Coroutine => 0,
            self::Sequential => 1,
            self::Process => $processes,
        };
    }

    /** What the requests of a worker have in common although code may take it for one request's own; null: nothing of that kind. */
    public function shares(): ?string
    {
        return $this === self::Coroutine ? 'static variables, constants, environment variables, and what objects that outlive a request keep in properties' : null;
    }

    public function reason(ApplicationKind $kind): string
    {
        return match (true) {
            $this === self::Coroutine && $kind === ApplicationKind::Psr15 => 'a PSR-15 handler gets everything of a request as an argument',
            $this === self::Sequential && $kind === ApplicationKind::Plain => 'its code was written for one request at a time',
            $this === self::Sequential => 'its services keep the present request',
            $this === self::Process && $kind === ApplicationKind::Plain => 'each request runs in PHP\'s own request life, as under PHP-FPM, in one of the processes of its worker',
            $this === self::Process => 'each request runs in a forked process, whose functions, classes and statics are its own',
            default => 'it was asked for',
        };
    }
}
