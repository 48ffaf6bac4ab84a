<?php

declare(strict_types=1);

namespace Stampede\Health;

use Stampede\Supervisor\GenerationStatus;

/** Whether a balancer should send requests to the server, and why not. */
final readonly class Readiness
{
    private function __construct(public bool $isReady, public string $because) {}

    /**
     * @param list<array<string, mixed>>|null $places what the supervisor says of the processes; null: nothing
     * @param string $state serving, draining or stopping; empty: unknown
     */
    public static function of(?array $places, ?GenerationStatus $generation, string $state): self
    {
        if (in_array($state, ['draining', 'stopping'], true)) {
            return new self(false, 'the server is being stopped');
        }
        if ($places === null) {
            return new self(false, 'the supervisor does not say how the workers are');
        }
        $workers = array_filter($places, static fn (array $place): bool => $place['kind'] === 'worker');
        $serving = count(array_filter($workers, static fn (array $place): bool => $place['state'] === 'serving'));
        return match (true) {
            $serving > 0 => new self(true, "{$serving} of " . count($workers) . ' workers serve'),
            $generation !== null && $generation->failure !== '' => new self(false, "the application does not boot: {$generation->failure}"),
            default => new self(false, 'no worker serves yet'),
        };
    }
}
