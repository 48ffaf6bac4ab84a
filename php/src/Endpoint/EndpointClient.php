<?php

declare(strict_types=1);

namespace Stampede\Endpoint;

use Closure;
use Stampede\Departure;
use Swoole\Coroutine;

/** A client of an endpoint, for as long as the endpoint's function runs. */
final class EndpointClient
{
    private readonly int $coroutine;

    /** @param Closure(): void $close tells the client to go; the function hears of it as of a client that has left */
    public function __construct(public readonly Departure $departure, private readonly Closure $close)
    {
        $this->coroutine = Coroutine::getCid();
    }

    public function leave(): void
    {
        $this->departure->begin();
        if (!$this->departure->isPostponed()) {
            $this->close();
        }
    }

    public function close(): void
    {
        ($this->close)();
    }

    /** Its function has had its time: it ends by an exception where it waits. */
    public function end(): void
    {
        $this->close();
        Coroutine::cancel($this->coroutine, true);
    }
}
