<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Endpoint\Endpoints;
use Stampede\Process\ProcessRunner;
use Stampede\Runner\Runner;
use Swoole\Http\Server;

/** What one worker alone has. */
final readonly class WorkerParts
{
    /**
     * @param Runner|null $runner of requests that the worker handles itself
     * @param ProcessRunner|null $processes of those that have processes of their own
     */
    public function __construct(public Server $server, public ?Runner $runner, public ?ProcessRunner $processes, public Endpoints $endpoints) {}
}
