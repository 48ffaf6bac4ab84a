<?php

declare(strict_types=1);

namespace Stampede\Server;

use Swoole\Atomic;

/** The phase of the server, in memory that all its processes share. */
final readonly class SharedPhase
{
    private Atomic $phase;

    public function __construct()
    {
        $this->phase = new Atomic(Phase::Starting->value);
    }

    public function get(): Phase
    {
        return Phase::from($this->phase->get());
    }

    /** From Starting. @return bool true for the one caller who brings it about */
    public function become(Phase $next): bool
    {
        return $this->phase->cmpset(Phase::Starting->value, $next->value);
    }

    /** Whatever it was. */
    public function fail(): void
    {
        $this->phase->set(Phase::Failed->value);
    }
}
