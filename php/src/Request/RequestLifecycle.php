<?php

declare(strict_types=1);

namespace Stampede\Request;

use Closure;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Throwable;

/**
 * Code that wants to know when a request begins and when it has ended, whatever the application is and whatever isolation it has: agents for errors and performance. In the
 * process that runs the application's code, in the coroutine of the request.
 *
 * ```php
 * RequestLifecycle::observe(function (Request $request): Closure {
 *     $agent->begin($request->server['request_uri']);
 *     return static fn (RequestEnd $end) => $agent->end($end->status);
 * });
 * ```
 *
 * Plain applications, whose scripts run in PHP's own request life, have the usual means of PHP: auto_prepend_file and register_shutdown_function().
 */
final class RequestLifecycle
{
    /** @var list<Closure(Request, Response): (Closure(RequestEnd): void|null)> */
    private static array $observers = [];

    /**
     * To be called while the application boots, so that each worker has it. What it throws is in the log, and the request goes on.
     *
     * @param Closure(Request, Response): (Closure(RequestEnd): void|null) $observer called when a request begins; what it returns is called when the request has ended, after its
     *     response, and the latest first. After a fatal error nothing is called
     */
    public static function observe(Closure $observer): void
    {
        self::$observers[] = $observer;
    }

    public static function isObserved(): bool
    {
        return self::$observers !== [];
    }

    /**
     * @internal
     *
     * @return list<Closure(RequestEnd): void> for end()
     */
    public static function begin(Request $request, Response $response): array
    {
        $ends = [];
        foreach (self::$observers as $observer) {
            try {
                $end = $observer($request, $response);
                if ($end !== null) {
                    $ends[] = $end;
                }
            } catch (Throwable $failure) {
                self::tell($failure);
            }
        }
        return $ends;
    }

    /**
     * @internal
     *
     * @param list<Closure(RequestEnd): void> $ends
     */
    public static function end(array $ends, RequestEnd $how): void
    {
        foreach (array_reverse($ends) as $end) {
            try {
                $end($how);
            } catch (Throwable $failure) {
                self::tell($failure);
            }
        }
    }

    private static function tell(Throwable $failure): void
    {
        error_log("An observer of requests has failed: {$failure->getMessage()} ({$failure->getFile()}:{$failure->getLine()})");
    }
}
