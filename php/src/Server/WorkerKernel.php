<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Application\Route;
use Stampede\DevTools\ReloadNotifier;
use Stampede\Diagnostics\LeakReporter;
use Stampede\Diagnostics\MissingFileNotice;
use Stampede\Endpoint\Endpoints;
use Stampede\Log\Logger;
use Stampede\Middleware\AbandonedRequests;
use Stampede\Middleware\AllowedHosts;
use Stampede\Middleware\Cleanup;
use Stampede\Middleware\ClientCertificates;
use Stampede\Middleware\Concurrency;
use Stampede\Middleware\ConcurrencyLimits;
use Stampede\Middleware\Dispatch;
use Stampede\Middleware\EndpointMiddleware;
use Stampede\Middleware\ErrorPages;
use Stampede\Middleware\ErrorResponder;
use Stampede\Middleware\Exchange;
use Stampede\Middleware\Explanations;
use Stampede\Middleware\GarbagePolicy;
use Stampede\Middleware\HostFilter;
use Stampede\Middleware\InputFilter;
use Stampede\Middleware\LeakDetection;
use Stampede\Middleware\Lifecycle;
use Stampede\Middleware\MemoryLimit;
use Stampede\Middleware\OneByOne;
use Stampede\Middleware\PathFilter;
use Stampede\Middleware\ReloadPages;
use Stampede\Middleware\RequestHandler;
use Stampede\Middleware\RequestMetrics;
use Stampede\Middleware\Router;
use Stampede\Middleware\Routing;
use Stampede\Middleware\StrictTransport;
use Stampede\Middleware\Timeout;
use Stampede\Middleware\WorkerReplacement;
use Stampede\Request\RequestLifecycle;
use Stampede\Telemetry\SlowRequests;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** The requests of one worker: the middlewares that the options ask for, one inside of the other. */
final class WorkerKernel
{
    private ?RequestHandler $measuring = null;

    private function __construct(
        private readonly RequestHandler $handler,
        private readonly Route $route, // of every request, or those that no pattern fits
        private readonly Endpoints $endpoints,
        private readonly ?ReloadNotifier $pages,
        private readonly ?LeakReporter $leaks,
        private readonly Logger $logger,
    ) {}

    public static function create(ServedApplication $application, SharedState $shared, Logs $logs, WorkerParts $parts): self
    {
        $slow = (float) $application->options->get('slow-log');
        $slow > 0.0 && RequestLifecycle::observe((new SlowRequests($slow, $logs->process))(...));
        $every = $application->options->number('growth-report');
        $leaks = $every > 0 ? new LeakReporter($every) : null;
        $limits = $application->countsRequests() ? new ConcurrencyLimits($application->routes->isolations(), $application->concurrency(...)) : ConcurrencyLimits::none();
        $handler = self::application($application, $logs, $parts, $limits, $leaks);
        $handler = new RequestMetrics($handler, $application->routes->only() === null);
        $handler = $limits->isEmpty() ? $handler : new Concurrency($handler, $limits);
        $handler = $application->routes->only() !== null ? $handler : new Routing($handler, $application->routes);
        $handler = new Lifecycle($handler, $logs->failures, $application->showsTiming());
        $handler = $shared->pages === null ? $handler : new ReloadPages($handler, $shared->pages);
        $handler = $parts->endpoints->isEmpty() ? $handler : new EndpointMiddleware($handler, $parts->endpoints, $logs->failures);
        $handler = new InputFilter($handler, $logs->failures);
        $hosts = AllowedHosts::of($application->options);
        $handler = $hosts === null ? $handler : new HostFilter($handler, $hosts);
        $handler = new PathFilter($handler);
        $field = $application->https?->strictTransport() ?? '';
        $handler = $field === '' ? $handler : new StrictTransport($handler, $field);
        if ($application->options->text('tls-client-ca') !== '') {
            $handler = new ClientCertificates($handler, static fn (int $fd): string => $parts->server->getClientInfo($fd)['ssl_client_cert'] ?? '');
        }
        return new self($handler, $application->routes->default, $parts->endpoints, $shared->pages, $leaks, $logs->process);
    }

    /** What surrounds the application itself, from the inside to the outside. */
    private static function application(ServedApplication $application, Logs $logs, WorkerParts $parts, ConcurrencyLimits $limits, ?LeakReporter $leaks): RequestHandler
    {
        $errors = new ErrorResponder($logs->failures, !$application->isProduction());
        $replacement = new WorkerReplacement(static fn () => $parts->server->stop($parts->server->worker_id));
        $router = new Router($parts->runner, $parts->processes);
        $handler = new ErrorPages(new Dispatch($router), $errors);
        $handler = new Cleanup($handler, $router, new GarbagePolicy(), $logs->failures);
        $handler = new Timeout($handler, $errors, $limits, $replacement, $logs->process);
        $handler = $leaks === null ? $handler : new LeakDetection($handler, $leaks);
        $handler = new AbandonedRequests($handler);
        $handler = new Explanations($handler, new MissingFileNotice($application->project->application, $logs->process), $logs->failures);
        return MemoryLimit::around($handler, $replacement, $application->options->number('max-memory'));
    }

    public function handle(Request $request, Response $response): void
    {
        ($this->measuring ?? $this->handler)->handle(new Exchange($request, $response, $this->route));
    }

    /** From now on requests are measured one after another; null: not any more. */
    public function measure(?LeakReporter $reporter): void
    {
        $this->measuring = $reporter === null ? null : new OneByOne(new LeakDetection($this->handler, $reporter));
    }

    /** It takes no new connections any more; called again and again until it ends. @param float $seconds that it still has at most */
    public function leave(float $seconds): void
    {
        $this->endpoints->leave($seconds);
        $this->pages?->leave();
    }

    /** At its end: what requests left behind in this worker. */
    public function reportLeaks(): void
    {
        foreach ($this->leaks?->sentences() ?? [] as $sentence) {
            $this->logger->notice("Growth: {$sentence}");
        }
    }
}
