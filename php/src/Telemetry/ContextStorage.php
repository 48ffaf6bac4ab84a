<?php

declare(strict_types=1);

namespace Stampede\Telemetry;

use Fiber;
use OpenTelemetry\Context\Context;
use OpenTelemetry\Context\ContextInterface;
use OpenTelemetry\Context\ContextStorageInterface;
use OpenTelemetry\Context\ContextStorageScopeInterface;
use OpenTelemetry\Context\ExecutionContextAwareInterface;
use Swoole\Coroutine;
use WeakMap;

use function Stampede\inherited;
use function Stampede\set_inherited;

/**
 * The current context of OpenTelemetry for each coroutine. A new coroutine begins with that of its creator, as it was then; what one of the two attaches later is its
 * own. Fibers of PHP inside of a coroutine begin with that of the coroutine. Loaded only where the package open-telemetry/context is.
 */
final class ContextStorage implements ContextStorageInterface, ExecutionContextAwareInterface
{
    /** @var WeakMap<object, ContextScope|false> by Fibers; false: of one that has detached everything, what it began with included */
    private WeakMap $ofFibers;

    public function __construct()
    {
        $this->ofFibers = new WeakMap();
    }

    /**
     * @internal who attaches and detaches: a Fiber of PHP, or the number of a coroutine
     *
     * @return Fiber<mixed, mixed, mixed, mixed>|int
     */
    public static function owner(): Fiber|int
    {
        return Fiber::getCurrent() ?? Coroutine::getCid();
    }

    public function current(): ContextInterface
    {
        return $this->top()?->context() ?? Context::getRoot();
    }

    /** Null where the running coroutine has attached nothing: what it has from its creator is not its own to detach. */
    public function scope(): ?ContextStorageScopeInterface
    {
        $top = $this->top();
        return $top !== null && $top->isOwn() ? $top : null;
    }

    public function attach(ContextInterface $context): ContextStorageScopeInterface
    {
        $scope = new ContextScope($this, $context, $this->top());
        $this->setTop($scope);
        return $scope;
    }

    /** @internal */
    public function top(): ?ContextScope
    {
        $fiber = Fiber::getCurrent();
        $scope = $fiber !== null && isset($this->ofFibers[$fiber]) ? $this->ofFibers[$fiber] : inherited();
        return $scope instanceof ContextScope ? $scope->firstInForce() : null;
    }

    /** @internal */
    public function setTop(?ContextScope $scope): void
    {
        $fiber = Fiber::getCurrent();
        if ($fiber === null) {
            set_inherited($scope);
            return;
        }
        $this->ofFibers[$fiber] = $scope ?? false;
    }

    /**
     * Coroutines are told apart without being announced.
     *
     * @param int|string $id
     */
    public function fork($id): void {}

    /** @param int|string $id */
    public function switch($id): void {}

    /** @param int|string $id */
    public function destroy($id): void {}
}
