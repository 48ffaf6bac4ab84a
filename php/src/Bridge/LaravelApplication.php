<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Closure;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Http\Request as LaravelRequest;
use Illuminate\Support\Facades\Facade;
use Laravel\SerializableClosure\Support\ClosureStream;
use Stampede\Launcher\LaunchException;
use Stampede\Launcher\FailureLog;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Symfony\Component\HttpFoundation\Request as SymfonyRequest;
use Symfony\Component\HttpFoundation\Response as SymfonyResponse;
use Throwable;

/** One booted Laravel application, which handles one request at a time and is then put back. */
final class LaravelApplication
{
    /** Services that keep what is one request's, or that calls of a request change (Route::get(), URL::forceScheme() ...): a boot that has made them would have requests share it. */
    private const OF_REQUESTS = [
        'auth', 'cookie', 'events', 'log', 'session', 'translator', 'view',
        'router', 'url', 'redirect', 'validator', 'blade.compiler', 'hash', 'mail.manager', 'queue', 'cache',
        'Illuminate\\Contracts\\Auth\\Access\\Gate', 'Illuminate\\Contracts\\Http\\Kernel', 'Illuminate\\Contracts\\Debug\\ExceptionHandler',
    ];

    private readonly Closure $putBack;
    private readonly ErrorHandler $errors;

    private function __construct(private readonly Application $application)
    {
        $application->instance('request', LaravelRequest::create('http://localhost'));
        $application->make(Kernel::class)->bootstrap();
        $this->errors = ErrorHandler::present();
        if (class_exists(ClosureStream::class) && !in_array(ClosureStream::STREAM_PROTO, stream_get_wrappers(), true)) {
            ClosureStream::register(); // cached routes with closures are read through it, and it registers itself but once
        }
        $this->putBack = ObjectStates::keep($application, $application->make('config'), ...self::servicesOfRequests($application));
    }

    public static function boot(string $directory, string $entry): self
    {
        $application = Front::load($directory, $entry);
        if (!$application instanceof Application) {
            throw new LaunchException("{$entry} must return a Laravel application, not " . get_debug_type($application) . '.');
        }
        return new self($application);
    }

    /** @param array<string, mixed> $server of $_SERVER */
    public function handle(Request $request, array $server, string $body, Printed $printed, SymfonyResponses $responses, Response $response): int
    {
        $this->errors->install();
        $asked = LaravelRequest::createFromBase(new SymfonyRequest($request->get ?? [], $request->post ?? [], [], $request->cookie ?? [], $request->files ?? [], $server, $body));
        $this->application->instance('request', $asked); // which tells what was made with the former one
        Facade::clearResolvedInstances();
        $kernel = $this->application->make(Kernel::class);
        $given = $printed->respond(static fn (): SymfonyResponse => $kernel->handle($asked), $response);
        if ($given === null) {
            return RequestScope::status();
        }
        $failure = $given->isServerError() ? $given->exception ?? null : null; // which its handler has made the page of
        if ($failure instanceof Throwable) {
            FailureLog::write($request, $failure);
        }
        $responses->send($given->prepare($asked), $response, $printed);
        $kernel->terminate($asked, $given);
        return $given->getStatusCode();
    }

    /**
     * The container, the configuration and services of requests as they were after the boot: what a request has put into them, resolved or changed is
     * the next one's no more.
     *
     * @return list<mixed> what was there instead, see ObjectStates
     */
    public function reset(): array
    {
        $replaced = [($this->putBack)(), Closure::bind(static fn (): array => self::$resolvedInstance ?? [], null, Facade::class)()];
        $this->forgetQueries();
        Facade::clearResolvedInstances();
        Transactions::endThoseOfLaravel($this->application);
        return $replaced;
    }

    /** @return list<object> those that are there after the boot */
    private static function servicesOfRequests(Application $application): array
    {
        $made = array_filter(self::OF_REQUESTS, static fn (string $name): bool => $application->resolved($name));
        $services = array_values(array_filter(array_map($application->make(...), $made), is_object(...)));
        return $application->resolved('router') ? [...$services, $application->make('router')->getRoutes()] : $services;
    }

    /** The log of a connection that stays open would grow for ever, and shows one request what another one has asked. */
    private function forgetQueries(): void
    {
        $databases = $this->application->resolved('db') ? $this->application->make('db') : null;
        foreach ($databases?->getConnections() ?? [] as $connection) {
            $connection->flushQueryLog();
            $connection->disableQueryLog();
        }
    }
}
