<?php

declare(strict_types=1);

namespace Stampede\Log;

use Swoole\Http\Request;
use Throwable;
use WeakMap;

/** Why requests failed. What an application has caught itself is there as well: its page for clients does not say it. */
final class FailureLog
{
    /** @var WeakMap<Request, true> requests whose failure was written */
    private WeakMap $written;
    /** @var WeakMap<Request, Throwable|false> those whose exception somebody wants to have */
    private WeakMap $watched;

    public function __construct(private readonly Logger $logger)
    {
        $this->written = new WeakMap();
        $this->watched = new WeakMap();
    }

    public function write(Request $request, Throwable|string $failure): void
    {
        $this->written[$request] = true;
        if ($failure instanceof Throwable && isset($this->watched[$request])) {
            $this->watched[$request] = $failure;
        }
        $text = is_string($failure) ? $failure : ExceptionFormatter::of($failure);
        $this->logger->error("{$request->server['request_method']} {$request->server['request_uri']}: {$text}", self::facts($request) + (is_string($failure) ? [] : ['exception' => ExceptionFormatter::facts($failure)]));
    }

    /**
     * What tells the request from others, in all lines about it.
     *
     * @return array<string, string>
     */
    public static function facts(Request $request): array
    {
        $header = $request->header ?? [];
        $isTraced = preg_match('/^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-/', $header['traceparent'] ?? '', $part) === 1;
        return (isset($header['x-request-id']) ? ['request_id' => $header['x-request-id']] : []) + ($isTraced ? ['trace_id' => $part[1]] : []);
    }

    /** To be followed by takeException(): the exception of a request may hold the request, and PHP does not free such an entry. */
    public function watch(Request $request): void
    {
        $this->watched[$request] = false;
    }

    /** That was written last of a request since watch(). */
    public function takeException(Request $request): ?Throwable
    {
        $failure = $this->watched[$request] ?? false;
        unset($this->watched[$request]);
        return $failure === false ? null : $failure;
    }

    /** For a status that says the application has failed: the log has a reason, if only that the application has not told any. */
    public function demandReason(Request $request): void
    {
        if (!isset($this->written[$request])) {
            $this->write($request, 'the application has responded with 500 itself, and let no exception out: see its own log.');
        }
    }
}
