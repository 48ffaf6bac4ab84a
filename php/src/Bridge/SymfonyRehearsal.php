<?php

declare(strict_types=1);

namespace Stampede\Bridge;

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
 * Requests that no client has sent, for a kernel whose memory is about to be kept: Symfony's own code has run then. Only where no listener of the
 * application would be called with it, since nobody has asked for that.
 */
final class SymfonyRehearsal
{
    private const OWN = ['Symfony\Component\HttpKernel\\', 'Symfony\Component\HttpFoundation\\', 'Symfony\Component\ErrorHandler\\', 'Symfony\Bundle\FrameworkBundle\\'];
    private const RESPONSES = [BinaryFileResponse::class, Cookie::class, JsonResponse::class, RedirectResponse::class, StreamedResponse::class];
    private const ROUTERS = ['Symfony\Bundle\FrameworkBundle\Routing\Router'];
    public const PATH = '/stampede/rehearsal/of/a/request';

    private function __construct(private readonly ?object $router) {}

    /** Null when listeners of the application would be called, or when that is not known. */
    public static function of(HttpKernelInterface $kernel): ?self
    {
        if (!$kernel instanceof Kernel || $kernel->isDebug() || (new \ReflectionMethod($kernel, 'handle'))->class !== Kernel::class) {
            return null;
        }
        $dispatcher = SymfonyBridge::service($kernel, 'event_dispatcher');
        if (!$dispatcher instanceof EventDispatcher || $dispatcher::class !== EventDispatcher::class || !self::hasOnlyOwnListeners($dispatcher)) {
            return null;
        }
        array_map(class_exists(...), self::RESPONSES);
        $router = SymfonyBridge::service($kernel, 'router');
        return new self($router !== null && in_array($router::class, self::ROUTERS, true) ? $router : null); // @phpstan-ignore function.impossibleType (a class of the application's packages)
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

    private static function hasOnlyOwnListeners(EventDispatcher $dispatcher): bool
    {
        $listeners = Closure::bind(static fn (EventDispatcher $dispatcher): array => $dispatcher->listeners, null, EventDispatcher::class)($dispatcher);
        foreach ((new ReflectionClass(KernelEvents::class))->getConstants() as $event) {
            foreach (is_string($event) ? array_merge(...$listeners[$event] ?? []) : [] as $listener) {
                if (!self::isOwn(self::classOf($listener))) {
                    return false;
                }
            }
        }
        return true;
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
