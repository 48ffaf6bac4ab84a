<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\Application\Route;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** One request on its way through the middlewares of a worker, and what they find out about it. */
final class Exchange
{
    /** Normalised, once PathFilter has let it through. */
    public string $path = '';
    /** While its time counts. */
    public ?TimeLimit $limit = null;
    /** Of the response. */
    public int $status = 200;

    /** As the server has made it, whatever stands in its place for the application. */
    public readonly Response $original;

    /** @param Route $route until Routing has found another one, where there are several */
    public function __construct(public readonly Request $request, public Response $response, public Route $route)
    {
        $this->original = $response;
    }

    /** Whether its response was sent because its time was over. */
    public function isOverdue(): bool
    {
        return $this->limit?->isOver() === true;
    }

    /** The application does not see the request. */
    public function refuse(int $status, string $sentence): void
    {
        $this->status = $status;
        $this->response->status($status);
        $this->response->header('Content-Type', 'text/plain; charset=utf-8');
        $this->response->end($sentence);
    }
}
