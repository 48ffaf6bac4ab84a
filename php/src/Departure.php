<?php

declare(strict_types=1);

namespace Stampede;

use Closure;
use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Http\Response;

/**
 * How an endpoint hears that its worker leaves: at a reload, at the end of the server, at one of the worker's limits. The third argument of the
 * functions that the option "endpoints" names; each client has its own.
 */
final class Departure
{
    private bool $hasBegun = false;
    private bool $isPostponed = false;
    /** @var list<Closure(): void> */
    private array $listeners = [];
    private ?Channel $bell = null;

    /** @internal by the launcher */
    public function __construct(private readonly Response $client) {}

    public function hasBegun(): bool
    {
        return $this->hasBegun;
    }

    /** Waits for so many seconds, at most until the worker leaves. @return bool whether it stays */
    public function wait(float $seconds): bool
    {
        if (!$this->hasBegun) {
            $this->bell ??= new Channel(1);
            $this->bell->pop($seconds);
        }
        return !$this->hasBegun;
    }

    /**
     * Calls the function, in a coroutine of its own, before the client is closed; at once when the worker leaves already.
     *
     * @param Closure(): void $function
     */
    public function listen(Closure $function): void
    {
        if ($this->hasBegun) {
            Coroutine::create($function);
        } else {
            $this->listeners[] = $function;
        }
    }

    /** The client is not closed when the worker leaves, but by the endpoint; a second before the end of max_wait_time at the latest. */
    public function postpone(): void
    {
        $this->isPostponed = true;
        keep_websocket($this->client);
    }

    public function isPostponed(): bool
    {
        return $this->isPostponed;
    }

    /** @internal by the launcher */
    public function begin(): void
    {
        $this->hasBegun = true;
        $this->bell?->close();
        [$listeners, $this->listeners] = [$this->listeners, []];
        foreach ($listeners as $listener) {
            Coroutine::create($listener);
        }
    }
}
