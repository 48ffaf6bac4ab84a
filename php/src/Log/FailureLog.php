<?php

declare(strict_types=1);

namespace Stampede\Log;

use Swoole\Http\Request;
use Throwable;
use WeakMap;

/** Why requests failed, on standard error. What an application has caught itself is there as well: its page for clients does not say it. */
final class FailureLog
{
    /** @var WeakMap<Request, true>|null requests whose failure was written */
    private static ?WeakMap $written = null;

    public static function write(Request $request, Throwable|string $failure): void
    {
        self::$written ??= new WeakMap();
        self::$written[$request] = true;
        $text = is_string($failure) ? $failure : ExceptionFormatter::of($failure);
        LogText::log("{$request->server['request_method']} {$request->server['request_uri']}: {$text}");
    }

    /** A status that says the application has failed leaves a reason, if only that it has not told any. */
    public static function settle(Request $request, int $status): void
    {
        if ($status !== 500 || isset(self::$written[$request])) {
            return;
        }
        self::write($request, 'the application has responded with 500 itself, and let no exception out: see its own log.');
    }
}
