<?php

declare(strict_types=1);

namespace Stampede\Launcher;

/** What the requests of one worker share with each other. */
enum Isolation: string
{
    /** Many at once, each with what PHP keeps for one request. */
    case Coroutine = 'coroutine';
    /** One after another in a worker; waits still let the worker accept and send. */
    case Sequential = 'sequential';
    /** Each in a fresh copy of the booted application. */
    case Process = 'process';

    public static function of(Kind $kind): self
    {
        return match ($kind) {
            Kind::Psr15 => self::Coroutine,
            Kind::Plain => self::Process,
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

    public function reason(Kind $kind): string
    {
        return match (true) {
            $this === self::Coroutine && $kind === Kind::Psr15 => 'a PSR-15 handler gets everything of a request as an argument',
            $this === self::Sequential && $kind === Kind::Plain => 'its code was written for one request at a time',
            $this === self::Sequential => 'its services keep the present request',
            $this === self::Process && $kind === Kind::Plain => 'each request runs in PHP\'s own request life, as under PHP-FPM, in one of the processes of its worker',
            $this === self::Process => 'each request runs in a forked process, whose functions, classes and statics are its own',
            default => 'it was asked for',
        };
    }
}
