<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Closure;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Http\Request as LaravelRequest;
use Illuminate\Support\Facades\Facade;
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
    /** Services that keep what is one request's: a boot that has made them would have requests share it. */
    private const OF_REQUESTS = ['auth', 'cookie', 'events', 'log', 'session', 'translator', 'view'];

    private readonly Closure $putBack;
    private readonly ErrorHandler $errors;

    private function __construct(private readonly Application $application)
    {
        $application->instance('request', LaravelRequest::create('http://localhost'));
        $application->make(Kernel::class)->bootstrap();
        $this->errors = ErrorHandler::present();
        $this->putBack = self::putBack($application, $application->make('config'), ...self::servicesOfRequests($application));
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

    /** The container, the configuration and services of requests as they were after the boot: what a request has put into them, resolved or changed is the next one's no more. */
    public function reset(): void
    {
        ($this->putBack)();
        Facade::clearResolvedInstances();
        Transactions::endThoseOfLaravel($this->application);
    }

    /** @return list<object> those that are there after the boot */
    private static function servicesOfRequests(Application $application): array
    {
        $made = array_filter(self::OF_REQUESTS, static fn (string $name): bool => $application->resolved($name));
        return array_values(array_filter(array_map($application->make(...), $made), is_object(...)));
    }

    private static function putBack(object ...$objects): Closure
    {
        $states = array_map(static fn (object $object): array => Closure::bind(fn (): array => get_object_vars($this), $object, $object::class)(), $objects);
        return static function () use ($objects, $states): void {
            foreach ($objects as $i => $object) {
                $state = $states[$i];
                Closure::bind(function () use ($state): void {
                    foreach ($state as $name => $value) {
                        $this->{$name} = $value;
                    }
                }, $object, $object::class)();
            }
        };
    }
}
