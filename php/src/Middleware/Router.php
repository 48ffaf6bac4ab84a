<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use LogicException;
use Stampede\Application\IsolationMode;
use Stampede\Application\Route;
use Stampede\Runner\Runner;

/** Which runner handles the requests of a route: one in the worker, or processes of the worker's own. */
final readonly class Router
{
    public function __construct(private ?Runner $inWorker, private ?Runner $inProcesses) {}

    public function runner(Route $route): Runner
    {
        $runner = $route->isolation === IsolationMode::Process ? $this->inProcesses : $this->inWorker;
        return $runner ?? throw new LogicException("no runner for {$route->pattern}");
    }
}
