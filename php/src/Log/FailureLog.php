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

    public function __construct(private readonly Logger $logger)
    {
        $this->written = new WeakMap();
    }

    public function write(Request $request, Throwable|string $failure): void
    {
        $this->written[$request] = true;
        $text = is_string($failure) ? $failure : ExceptionFormatter::of($failure);
        $this->logger->error("{$request->server['request_method']} {$request->server['request_uri']}: {$text}", self::facts($request) + (is_string($failure) ? [] : ['exception' => ExceptionFormatter::facts($failure)]));
    }

    /**
     * What tells the request from others, in all lines about it.
     *
     * @return array<string, string>
     */
    private static function facts(Request $request): array
    {
        $header = $request->header ?? [];
        $isTraced = preg_match('/^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-/', $header['traceparent'] ?? '', $part) === 1;
        return (isset($header['x-request-id']) ? ['request_id' => $header['x-request-id']] : []) + ($isTraced ? ['trace_id' => $part[1]] : []);
    }

    /** For a status that says the application has failed: the log has a reason, if only that the application has not told any. */
    public function demandReason(Request $request): void
    {
        if (!isset($this->written[$request])) {
            $this->write($request, 'the application has responded with 500 itself, and let no exception out: see its own log.');
        }
    }
}
