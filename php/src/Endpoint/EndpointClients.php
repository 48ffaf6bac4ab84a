<?php

declare(strict_types=1);

namespace Stampede\Endpoint;

use Closure;
use Stampede\Departure;
use Stampede\Loop\BackgroundTimer;
use Swoole\Http\Response;

/** The clients of a worker's endpoints, and how they come to an end before the worker does. */
final class EndpointClients
{
    private const PATIENCE = 1.0; // seconds, for functions whose client was told to go
    private const LAST_CALL = 1.0; // seconds before the worker's end
    private const END = 0.5; // the same

    /** @var array<int, EndpointClient> */
    private array $clients = [];
    private bool $isLeaving = false;

    /** Of a worker that leaves, clients are to go to another one at once. */
    public function isLeaving(): bool
    {
        return $this->isLeaving;
    }

    /**
     * Runs the function of an endpoint for one client.
     *
     * @param Closure(Departure): void $function
     * @param Closure(): void $close
     */
    public function serve(Response $response, Closure $function, Closure $close): void
    {
        $client = new EndpointClient(new Departure($response), $close);
        $this->clients[spl_object_id($client)] = $client;
        try {
            $function($client->departure);
        } finally {
            unset($this->clients[spl_object_id($client)]);
        }
    }

    /** @param float $seconds that the worker still has */
    public function leave(float $seconds): void
    {
        if ($this->isLeaving) {
            return;
        }
        $this->isLeaving = true;
        foreach ($this->clients as $client) {
            $client->leave();
        }
        $this->later(min(self::PATIENCE, $seconds - self::END), static function (EndpointClient $client): void {
            if (!$client->departure->isPostponed()) {
                $client->end();
            }
        });
        $this->later($seconds - self::LAST_CALL, static fn (EndpointClient $client) => $client->close());
        $this->later($seconds - self::END, static fn (EndpointClient $client) => $client->end());
    }

    /** @param Closure(EndpointClient): mixed $do */
    private function later(float $seconds, Closure $do): void
    {
        BackgroundTimer::after(max(1, (int) ($seconds * 1000)), function () use ($do): void {
            foreach ($this->clients as $client) {
                $do($client);
            }
        });
    }
}
