<?php

declare(strict_types=1);

namespace Stampede\Supervisor;

/** Where a running server is with its generations, as its control socket tells it. */
final readonly class GenerationStatus
{
    public string $failure;

    private function __construct(
        public int $present,
        public int $asked,
        public int $settled,
        public bool $loading,
        public bool $replacing,
        string $failure,
        public int $bootProcess,
    ) {
        // Sentences of the launcher stand for themselves.
        $this->failure = (string) preg_replace('/^Stampede\\\\Exception\\\\\w+: (.*) in \S+:\d+$/s', '$1', $failure);
    }

    /** @param array<string, mixed> $facts the response to the command "generation" */
    public static function of(array $facts): self
    {
        return new self($facts['present'], $facts['asked'], $facts['settled'], $facts['loading'], $facts['replacing'], $facts['failure'], $facts['boot_pid']);
    }
}
