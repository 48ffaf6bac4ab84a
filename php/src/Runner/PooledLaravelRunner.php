<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Carbon\Carbon;
use ReflectionProperty;
use Stampede\Exception\BootException;
use Stampede\Log\FailureLog;
use Stampede\WebRequest;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Throwable;

/**
 * Laravel applications, many requests at once: a request has one of several booted applications to itself, with its container, its configuration, its connections.
 * Laravel keeps the present application in static properties of its classes, and what it boots puts itself into others. Which ones these are shows when the
 * application is booted twice; from then on they are each request's own, and hold what the boot of the request's application has put there.
 */
final class PooledLaravelRunner extends AbstractRunner
{
    private const OF_FACADES = 'resolvedInstance'; // filled by requests, whatever the boot has put there

    public const ONCE = 'The isolation "coroutine" needs an application that can be booted more than once in a process; use --isolation=sequential for this one.';

    /** @var ApplicationPool<array{LaravelApplication, StaticProperties}> */
    private ApplicationPool $idle;
    private StaticProperties $statics;
    private string $locale; // of Carbon

    public function __construct(
        private readonly string $directory,
        private readonly string $entry,
        private readonly string $environment,
        private readonly ServerVariables $variables,
        private readonly FailureLog $failures,
    ) {}

    public function boot(): void
    {
        LaravelRunner::setEnvironment($this->environment);
        $first = LaravelApplication::boot($this->directory, $this->entry, $this->failures);
        LaravelStaticState::loadUsual();
        $before = StaticProperties::all();
        $second = $this->bootAgain();
        $this->statics = $before->thatDiffer(StaticProperties::all(), static fn (ReflectionProperty $property): bool => LaravelStaticState::isOfRequests($property) || $property->name === self::OF_FACADES);
        $this->idle = new ApplicationPool(static fn (): null => null, [[$second, $this->statics->now()], [$first, $this->statics]]);
        $this->statics->install();
        WebRequest::isolateStatics($this->statics->names());
        $this->locale = class_exists(Carbon::class) ? Carbon::getLocale() : '';
    }

    public function handle(Request $request, Response $response): int
    {
        $server = $this->variables->of($request);
        $body = (string) $request->rawContent();
        $printed = new OutputBuffer();
        RequestScope::begin($request, $server, $body, $printed->take(...));
        try {
            [$application, $statics] = $this->take();
            try {
                return $application->handle($request, $response, $server, $body, $printed);
            } finally {
                $replaced = $application->reset();
                $this->idle->give([$application, $statics]);
                unset($replaced); // whose destructors may throw, exit and wait: the application is whole before
            }
        } finally {
            WebRequest::end();
        }
    }

    private function bootAgain(): LaravelApplication
    {
        try {
            return LaravelApplication::boot($this->directory, $this->entry, $this->failures);
        } catch (Throwable $failure) {
            throw new BootException(self::ONCE . " The second boot failed: {$failure->getMessage()} ({$failure->getFile()}:{$failure->getLine()}).", 0, $failure);
        }
    }

    /**
     * In the request that will use it, whose static properties it fills.
     *
     * @return array{LaravelApplication, StaticProperties}
     */
    private function take(): array
    {
        $taken = $this->idle->take();
        if ($taken === null) {
            return [LaravelApplication::boot($this->directory, $this->entry, $this->failures), $this->statics->now()];
        }
        $taken[1]->install();
        // Setting it costs more than most requests.
        if ($this->locale !== '' && Carbon::getLocale() !== $this->locale) { // @phpstan-ignore class.notFound (a package of the application)
            Carbon::setLocale($this->locale); // @phpstan-ignore class.notFound
        }
        return $taken;
    }
}
