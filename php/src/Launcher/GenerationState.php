<?php

declare(strict_types=1);

namespace Stampede\Launcher;

/** Where a running server is with its generations, as its control socket tells it. */
final readonly class GenerationState
{
    public string $failure;

    public function __construct(
        public int $present,
        public int $asked,
        public int $settled,
        public bool $loading,
        public bool $replacing,
        string $failure,
        public int $bootProcess,
    ) {
        // Sentences of the launcher stand for themselves.
        $this->failure = (string) preg_replace('/^' . preg_quote(LaunchException::class, '/') . ': (.*) in \S+:\d+$/s', '$1', $failure);
    }
}
