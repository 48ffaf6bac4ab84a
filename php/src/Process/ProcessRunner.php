<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Exception\LaunchException;
use Stampede\Runner\AbstractRunner;
use Swoole\Http\Response;

use function Stampede\has_client_left;

/** Handles the requests of a worker in processes that a program outside of the worker forks. */
abstract class ProcessRunner extends AbstractRunner
{
    private const NO_WAIT = 5_000_000; // nanoseconds

    public function __construct(protected readonly ChildPool $pool) {}

    /** A process for a request; null when the client has left while the request waited: nothing of it runs, and the response is 503. */
    final protected function take(Response $response): ?ChildConnection
    {
        $began = hrtime(true);
        $child = $this->pool->take();
        if (hrtime(true) - $began < self::NO_WAIT || !has_client_left($response)) {
            return $child;
        }
        $this->pool->give($child);
        $response->status(503);
        $response->header('Retry-After', '1');
        $response->end();
        return null;
    }

    /** The program has booted the application, or loads nothing of it. */
    final public function boot(): void {}

    /**
     * @return bool false when the program that forks is gone
     * @throws LaunchException
     */
    final public function open(): bool
    {
        return $this->pool->open();
    }

    /** The worker is on its way out: processes without a request end at once, the others after it. */
    final public function leave(): void
    {
        $this->pool->rest();
    }

    /** Ends all processes. */
    final public function close(): void
    {
        $this->pool->close();
    }
}
