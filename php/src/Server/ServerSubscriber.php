<?php

declare(strict_types=1);

namespace Stampede\Server;

use Swoole\Http\Server;

/** Handles some events of the server. */
interface ServerSubscriber
{
    public function subscribe(Server $server): void;
}
