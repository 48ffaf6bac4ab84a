<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;
use Illuminate\Container\Container;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Database\Connection;
use Illuminate\Http\Request as LaravelRequest;
use Illuminate\Routing\AbstractRouteCollection;
use Illuminate\Routing\Route;
use Illuminate\Support\Facades\Facade;
use Laravel\SerializableClosure\Support\ClosureStream;
use ReflectionFunction;
use ReflectionProperty;
use Stampede\Exception\BootException;
use Stampede\Log\FailureLog;
use Stampede\Metrics;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Symfony\Component\HttpFoundation\Request as SymfonyRequest;
use Symfony\Component\HttpFoundation\Response as SymfonyResponse;
use Throwable;

/** One booted Laravel application, which handles one request at a time and is then put back. */
final class LaravelApplication
{
    /** Whose objects are put back, and those that the container makes anew for each request (scoped()). What others keep is their own affair. */
    private const OF_REQUESTS = ['Illuminate\\', 'Laravel\\'];
    /** Connections stay open from one request to the next. */
    private const OF_WORKERS = ['Illuminate\\Database\\', 'Illuminate\\Redis\\'];

    private const LISTENERS = ['beforeExecutingCallbacks', 'queryDurationHandlers']; // of a connection

    private readonly Closure $putBack;
    /** @var array<string, array<string, mixed>> of the connections that the boot has opened */
    private readonly array $listeners;
    private readonly ErrorHandler $errors;
    private readonly HttpFoundationResponder $responder;
    private ?LaravelRequest $asked = null;

    private function __construct(private readonly Application $application, private readonly FailureLog $failures)
    {
        $this->responder = new HttpFoundationResponder();
        $application->instance('request', LaravelRequest::create('http://localhost'));
        $application->make(Kernel::class)->bootstrap();
        $this->errors = ErrorHandler::present();
        if (class_exists(ClosureStream::class) && !in_array(ClosureStream::STREAM_PROTO, stream_get_wrappers(), true)) {
            ClosureStream::register(); // cached routes with closures are read through it, and it registers itself but once
        }
        $this->listeners = array_map(self::listenersOf(...), self::connections($application));
        $this->putBack = ObjectSnapshot::keep(...self::servicesOfRequests($application));
    }

    public static function boot(string $directory, string $entry, FailureLog $failures): self
    {
        $application = EntryLoader::load($directory, $entry);
        if (!$application instanceof Application) {
            throw new BootException("{$entry} must return a Laravel application, not " . get_debug_type($application) . '.');
        }
        return new self($application, $failures);
    }

    /** @param array<string, mixed> $server of $_SERVER */
    public function handle(Request $request, Response $response, array $server, string $body, OutputBuffer $printed): int
    {
        $this->errors->install();
        $asked = LaravelRequest::createFromBase(new SymfonyRequest($request->get ?? [], $request->post ?? [], [], $request->cookie ?? [], $request->files ?? [], $server, $body));
        $this->asked = $asked;
        $this->application->instance('request', $asked); // which tells what was made with the former one
        Facade::clearResolvedInstances();
        $kernel = $this->application->make(Kernel::class);
        $given = $printed->respond(static fn (): SymfonyResponse => $kernel->handle($asked), $response);
        if ($given === null) {
            return RequestScope::status();
        }
        $failure = $given->isServerError() ? $given->exception ?? null : null; // which its handler has made the page of
        if ($failure instanceof Throwable) {
            $this->failures->write($request, $failure);
        }
        $route = $asked->route();
        Metrics::route($route instanceof Route && !self::isMadeForRequest($route) ? '/' . ltrim($route->uri(), '/') : '');
        $this->responder->send($given->prepare($asked), $response, $printed);
        $kernel->terminate($asked, $given);
        return $given->getStatusCode();
    }

    /** Laravel makes a route for each OPTIONS request that has none, whose template is the path that the client has sent. */
    private static function isMadeForRequest(Route $route): bool
    {
        $uses = $route->getAction('uses');
        return $route->methods() === ['OPTIONS'] && $uses instanceof Closure
            && is_a((string) (new ReflectionFunction($uses))->getClosureScopeClass()?->getName(), AbstractRouteCollection::class, true);
    }

    /**
     * The container, the configuration and services of requests as they were after the boot: what a request has put into them, resolved or changed is
     * the next one's no more.
     *
     * @return list<mixed> what was there instead, see ObjectSnapshot
     */
    public function reset(): array
    {
        $route = $this->asked?->route();
        $this->asked = null;
        $replaced = [$route instanceof Route ? $route->controller : null, ($this->putBack)(), Closure::bind(static fn (): array => self::$resolvedInstance ?? [], null, Facade::class)(), $this->forgetQueries()];
        Facade::clearResolvedInstances();
        $route instanceof Route && $route->flushController(); // the route keeps it, with what the request has left in it
        Transactions::endThoseOfLaravel($this->application);
        return $replaced;
    }

    /**
     * Those that are there after the boot, and objects of Laravel that they have in a property of theirs, as the factory of views has its finder.
     *
     * @return list<object>
     */
    private static function servicesOfRequests(Application $application): array
    {
        [$instances, $scoped] = Closure::bind(static fn (): array => [$application->instances, $application->scopedInstances], null, Container::class)();
        $left = [...array_values(array_filter(
            $instances,
            static fn (mixed $service, string $name): bool => is_object($service) && (self::isOfRequests($service) || in_array($name, $scoped, true)),
            ARRAY_FILTER_USE_BOTH,
        )), ...($application->resolved('router') ? [$application->make('router')->getRoutes()] : [])];
        $services = [];
        while (($service = array_pop($left)) !== null) {
            if (!isset($services[spl_object_id($service)])) {
                $services[spl_object_id($service)] = $service;
                array_push($left, ...array_filter(ObjectSnapshot::objectsIn($service), self::isOfRequests(...)));
            }
        }
        return array_values($services);
    }

    private static function isOfRequests(object $service): bool
    {
        $startsWith = static fn (string $namespace): bool => str_starts_with($service::class, $namespace);
        return array_filter(self::OF_REQUESTS, $startsWith) !== [] && array_filter(self::OF_WORKERS, $startsWith) === [];
    }

    /**
     * The log of a connection that stays open would grow for ever, and shows one request what another one has asked; functions that a request has had
     * called before queries would be called for all later ones.
     *
     * @return list<mixed> what was there instead
     */
    private function forgetQueries(): array
    {
        $replaced = [];
        foreach (self::connections($this->application) as $name => $connection) {
            $connection->flushQueryLog();
            $connection->disableQueryLog();
            foreach (self::listenersOf($connection) as $property => $present) {
                $replaced[] = $present;
                (new ReflectionProperty($connection, $property))->setValue($connection, $this->listeners[$name][$property] ?? []);
            }
        }
        return $replaced;
    }

    /** @return array<string, Connection> */
    private static function connections(Application $application): array
    {
        return $application->resolved('db') ? $application->make('db')->getConnections() : [];
    }

    /** @return array<string, mixed> by property, those that this version of Laravel has */
    private static function listenersOf(Connection $connection): array
    {
        $listeners = [];
        foreach (array_filter(self::LISTENERS, static fn (string $name): bool => property_exists($connection, $name)) as $name) {
            $listeners[$name] = (new ReflectionProperty($connection, $name))->getValue($connection);
        }
        return $listeners;
    }
}
