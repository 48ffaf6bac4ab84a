<?php

declare(strict_types=1);

namespace Paddock\Live;

use Closure;
use Stampede\Broadcast;

/** The workers of this server: enough as long as the data is a file of this machine. */
final readonly class WorkerWire implements Wire
{
    private const CHANNEL = 'paddock';

    public function send(string $message): void
    {
        Broadcast::send(self::CHANNEL, $message);
    }

    public function listen(Closure $receive, Closure $began): void
    {
        Broadcast::listen(self::CHANNEL, $receive);
        $began();
    }
}
