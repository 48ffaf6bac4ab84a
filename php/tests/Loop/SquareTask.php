<?php

declare(strict_types=1);

namespace Stampede\Tests\Loop;

use Amp\Cancellation;
use Amp\Parallel\Worker\Task;
use Amp\Sync\Channel;

/** @implements Task<int, never, never> */
final class SquareTask implements Task
{
    public function __construct(private readonly int $number)
    {
    }

    public function run(Channel $channel, Cancellation $cancellation): int
    {
        return $this->number * $this->number;
    }
}
