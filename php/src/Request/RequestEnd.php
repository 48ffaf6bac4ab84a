<?php

declare(strict_types=1);

namespace Stampede\Request;

use Throwable;

use function Stampede\request_record;

/** How a request has ended, and what it has spent its time on. Times are seconds. */
final readonly class RequestEnd
{
    /**
     * @param int $status of the response
     * @param string $route what the metrics call the request, such as /users/{id} or the name of a route; empty: nobody has said it
     * @param Throwable|null $failure that the application has let through, or that its framework has made a page of; it is in the log already
     * @param float $duration since the request began to be handled
     * @param float $queue before that: it has waited for the worker
     * @param float $cpu of the coroutines of the request
     * @param float $othersCpu what the process has computed meanwhile for others
     * @param array<string, array{count: int, seconds: float}> $waits of the coroutines of the request, by what they have waited for: mysql, redis, http, sleep ...
     */
    public function __construct(
        public int $status,
        public string $route,
        public ?Throwable $failure,
        public float $duration = 0.0,
        public float $queue = 0.0,
        public float $cpu = 0.0,
        public float $othersCpu = 0.0,
        public array $waits = [],
    ) {}

    /** @internal of the request of the running coroutine, of which nothing more is recorded then */
    public static function ofPresent(int $status, ?Throwable $failure): self
    {
        $record = request_record(true);
        return $record === null
            ? new self($status, '', $failure)
            : new self($status, $record['route'], $failure, $record['duration'], $record['queue'], $record['cpu'], $record['others_cpu'], $record['waits']);
    }
}
