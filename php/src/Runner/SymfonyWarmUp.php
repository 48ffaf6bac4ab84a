<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;
use ReflectionClass;
use ReflectionFunction;
use RuntimeException;
use Symfony\Component\EventDispatcher\EventDispatcher;
use Symfony\Component\HttpFoundation\BinaryFileResponse;
use Symfony\Component\HttpFoundation\Cookie;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\RedirectResponse;
use Symfony\Component\HttpFoundation\Request as SymfonyRequest;
use Symfony\Component\HttpFoundation\Response as SymfonyResponse;
use Symfony\Component\HttpFoundation\StreamedResponse;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\HttpKernel\Kernel;
use Symfony\Component\HttpKernel\KernelEvents;

/**
 * Requests that no client has sent, for a kernel whose memory is about to be kept: Symfony's own code has run then. Listeners of the application
 * and of other packages are not there meanwhile, since nobody has asked for what they do.
 */
final class SymfonyWarmUp
{
    private const OWN = ['Symfony\Component\HttpKernel\\', 'Symfony\Component\HttpFoundation\\', 'Symfony\Component\ErrorHandler\\', 'Symfony\Bundle\FrameworkBundle\\'];
    private const RESPONSES = [BinaryFileResponse::class, Cookie::class, JsonResponse::class, RedirectResponse::class, StreamedResponse::class];
    private const ROUTERS = ['Symfony\Bundle\FrameworkBundle\Routing\Router'];
    public const PATH = '/stampede/rehearsal/of/a/request';

    /** @param array<string, array<int, array<mixed>>> $listeners by event and priority, of the events that lack some meanwhile */
    private function __construct(private readonly EventDispatcher $dispatcher, private readonly array $listeners, private readonly ?object $router) {}

    /** Null when code of the application would be called all the same, or when that is not known. */
    public static function of(HttpKernelInterface $kernel): ?self
    {
        if (!$kernel instanceof Kernel || $kernel->isDebug() || (new \ReflectionMethod($kernel, 'handle'))->class !== Kernel::class) {
            return null;
        }
        $dispatcher = SymfonyRunner::service($kernel, 'event_dispatcher');
        if (!$dispatcher instanceof EventDispatcher || $dispatcher::class !== EventDispatcher::class || !self::isKnown()) {
            return null;
        }
        $listeners = Closure::bind(static fn (EventDispatcher $dispatcher): array => $dispatcher->listeners, null, EventDispatcher::class)($dispatcher);
        $own = self::ownWhereOthersAre($listeners);
        self::setListeners($dispatcher, $own);
        array_map(class_exists(...), self::RESPONSES);
        $router = SymfonyRunner::service($kernel, 'router');
        return new self($dispatcher, array_intersect_key($listeners, $own), $router !== null && in_array($router::class, self::ROUTERS, true) ? $router : null); // @phpstan-ignore function.impossibleType (a class of the application's packages)
    }

    /** All listeners are there again. */
    public function end(): void
    {
        self::setListeners($this->dispatcher, $this->listeners);
    }

    /** @return array<string, mixed> attributes of its request: what finds a route or a controller of the application has nothing to do then */
    public function attributes(): array
    {
        try {
            $this->router?->matchRequest(SymfonyRequest::create(self::PATH)); // @phpstan-ignore method.notFound (one of ROUTERS, of the application's packages)
        } catch (RuntimeException) {
            // There is no such route, as expected.
        }
        return ['_controller' => static fn (SymfonyRequest $request, string $name): SymfonyResponse => new JsonResponse([$name]), 'name' => 'nobody'];
    }

    /** Whether this version of the dispatcher has its listeners where they are looked for. */
    private static function isKnown(): bool
    {
        return array_filter(['listeners', 'sorted', 'optimized'], static fn (string $property): bool => !property_exists(EventDispatcher::class, $property)) === [];
    }

    /**
     * Without addListener() and removeListener(): those would make the services of the listeners.
     *
     * @param array<string, array<int, array<mixed>>> $listeners by event and priority
     */
    private static function setListeners(EventDispatcher $dispatcher, array $listeners): void
    {
        Closure::bind(static function (EventDispatcher $dispatcher) use ($listeners): void {
            foreach ($listeners as $event => $byPriority) {
                $dispatcher->listeners[$event] = $byPriority;
                unset($dispatcher->sorted[$event], $dispatcher->optimized[$event]); // what it has made of those before
            }
        }, null, EventDispatcher::class)($dispatcher);
    }

    /**
     * @param array<string, array<int, array<mixed>>> $listeners
     * @return array<string, array<int, array<mixed>>> Symfony's own, of those events of the kernel that have others, too
     */
    private static function ownWhereOthersAre(array $listeners): array
    {
        $changed = [];
        foreach ((new ReflectionClass(KernelEvents::class))->getConstants() as $event) {
            $all = is_string($event) ? $listeners[$event] ?? [] : [];
            $own = array_map(static fn (array $some): array => array_values(array_filter($some, static fn (mixed $listener): bool => self::isOwn(self::classOf($listener)))), $all);
            if ($own !== $all) {
                $changed[$event] = $own;
            }
        }
        return $changed;
    }

    /** A compiled container says which class it will make for a listener. */
    private static function classOf(mixed $listener): string
    {
        $target = is_array($listener) ? $listener[0] ?? null : $listener;
        if (!$target instanceof Closure) {
            return is_object($target) ? $target::class : '';
        }
        $attributes = (new ReflectionFunction($target))->getAttributes(Closure::class);
        return $attributes === [] ? '' : (string) ($attributes[0]->getArguments()['class'] ?? '');
    }

    private static function isOwn(string $class): bool
    {
        return array_filter(self::OWN, static fn (string $prefix): bool => str_starts_with($class, $prefix)) !== [];
    }
}
