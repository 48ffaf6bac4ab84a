<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;

/** Requests of a worker that wait for one another, so that what each of them leaves behind can be seen: in a worker that is being measured. */
final readonly class OneByOne implements RequestHandler
{
    /** Seconds: a request that takes longer, or that waits for another one of this worker, must not hold up the rest. */
    private const PATIENCE = 0.5;

    private Channel $turn;

    public function __construct(private RequestHandler $next)
    {
        $this->turn = new Channel(1);
    }

    public function handle(Exchange $exchange): void
    {
        $hasTurn = Coroutine::getCid() > 0 && $this->turn->push(true, self::PATIENCE);
        try {
            $this->next->handle($exchange);
        } finally {
            if ($hasTurn) {
                $this->turn->pop();
            }
        }
    }
}
