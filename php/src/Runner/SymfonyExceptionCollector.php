<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;
use Throwable;
use WeakMap;

/** Exceptions that a Symfony application turns into a page of its own: they are in the log of the server, too. */
final class SymfonyExceptionCollector
{
    /** @var WeakMap<object, true> dispatchers that tell them */
    private WeakMap $dispatchers;
    /** @var WeakMap<object, Throwable> by the request of Symfony */
    private WeakMap $failures;

    public function __construct()
    {
        $this->dispatchers = new WeakMap();
        $this->failures = new WeakMap();
    }

    /** @param object $container of the application: a Psr\Container\ContainerInterface */
    public function watch(object $container): void
    {
        // @phpstan-ignore method.notFound, method.notFound (a package of the application)
        $dispatcher = $container->has('event_dispatcher') ? $container->get('event_dispatcher') : null;
        if (!is_object($dispatcher) || isset($this->dispatchers[$dispatcher]) || !method_exists($dispatcher, 'addListener')) {
            return;
        }
        $this->dispatchers[$dispatcher] = true;
        $dispatcher->addListener('kernel.exception', $this->listener(), PHP_INT_MAX);
    }

    public function of(object $request): ?Throwable
    {
        return $this->failures[$request] ?? null;
    }

    private function listener(): Closure
    {
        return function (object $event): void {
            // @phpstan-ignore method.notFound, method.notFound (a Symfony\Component\HttpKernel\Event\ExceptionEvent)
            $this->failures[$event->getRequest()] = $event->getThrowable();
        };
    }
}
