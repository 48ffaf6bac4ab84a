<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use Fiber;
use OpenTelemetry\Context\ContextInterface;
use OpenTelemetry\Context\ContextStorageScopeInterface;

/** A context that was attached, on top of those that were attached before it. */
final class ContextScope implements ContextStorageScopeInterface
{
    /** @var array<array-key, mixed> */
    private array $values = [];
    /** @var Fiber<mixed, mixed, mixed, mixed>|int */
    private readonly Fiber|int $owner;
    private bool $isDetached = false;

    public function __construct(private readonly ContextStorage $storage, private readonly ContextInterface $context, private ?ContextScope $below)
    {
        $this->owner = ContextStorage::owner();
    }

    /** Whether the running coroutine has attached it. */
    public function isOwn(): bool
    {
        return $this->owner === ContextStorage::owner();
    }

    /** This one, or what is below it where another coroutine has detached what the running one has attached. */
    public function firstInForce(): ?self
    {
        for ($scope = $this; $scope !== null && $scope->isDetached && $scope->isOwn(); $scope = $scope->below);
        return $scope;
    }

    public function context(): ContextInterface
    {
        return $this->context;
    }

    /** Another one than the latest is taken out of the middle; that of another coroutine is only marked: coroutines that were created under it keep it. */
    public function detach(): int
    {
        $flags = $this->isOwn() ? 0 : self::INACTIVE;
        if ($this->isDetached) {
            return $flags | self::DETACHED;
        }
        $top = $this->storage->top();
        $this->isDetached = true;
        if ($top === $this) {
            $this->storage->setTop($this->below);
            return $flags;
        }
        for ($above = $top, $depth = 1; $above !== null && $above->below !== $this; $above = $above->below, $depth++);
        if ($above !== null && $above->isOwn()) {
            $above->below = $this->below;
            return $flags | self::MISMATCH | $depth;
        }
        return $flags | self::MISMATCH;
    }

    public function offsetExists(mixed $offset): bool
    {
        return isset($this->values[$offset]);
    }

    public function offsetGet(mixed $offset): mixed
    {
        return $this->values[$offset];
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        $this->values[$offset] = $value;
    }

    public function offsetUnset(mixed $offset): void
    {
        unset($this->values[$offset]);
    }
}
