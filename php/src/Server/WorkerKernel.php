<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Application\IsolationMode;
use Stampede\Application\RequestPath;
use Stampede\Application\Route;
use Stampede\Config\Configuration;
use Stampede\DevTools\AllowedHosts;
use Stampede\DevTools\HtmlErrorRenderer;
use Stampede\DevTools\ReloadNotifier;
use Stampede\DevTools\ScriptInjectingResponse;
use Stampede\Diagnostics\LeakReporter;
use Stampede\Diagnostics\MissingFileNotice;
use Stampede\Endpoint\Endpoints;
use Stampede\Exception\TimeLimitExceeded;
use Stampede\Log\AccessLog;
use Stampede\Log\FailureLog;
use Stampede\Log\LogText;
use Stampede\Runner\Runner;
use Swoole\ExitException;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;
use Throwable;

/** One worker's requests: their time limit, their failures, and the worker's own limits. */
final class WorkerKernel
{
    private readonly int $memory;
    private bool $leaving = false;
    private readonly ?LeakReporter $growth;
    private readonly GarbagePolicy $garbage;
    private readonly ?AllowedHosts $hosts;
    /** The route of every request, where none is for an endpoint or a page of ours, or waits for a place here. */
    private readonly ?Route $only;

    public function __construct(
        private readonly Server $server,
        private readonly Router $bridging,
        private readonly Configuration $options,
        private readonly AccessLog $log,
        private readonly Endpoints $endpoints,
        private readonly ?ReloadNotifier $pages,
        private readonly MissingFileNotice $missing,
        private readonly string $strictTransport = '',
    ) {
        $this->memory = self::mostMemory($options->number('max-memory'));
        $every = $options->number('growth-report');
        $this->growth = $every > 0 ? new LeakReporter($every) : null;
        $this->garbage = new GarbagePolicy();
        $this->hosts = AllowedHosts::of($options);
        $this->only = $endpoints->isEmpty() && $pages === null ? $bridging->onlyRoute() : null;
    }

    public function handle(Request $request, Response $response): void
    {
        if ($this->strictTransport !== '' && isset($request->server['https'])) {
            $response->header('Strict-Transport-Security', $this->strictTransport);
        }
        $path = RequestPath::of($request->server['path_info'] ?? '/');
        if ($path === null) {
            $this->refuse($request, $response, 400, "This is no path of a page.\n");
            return;
        }
        if ($this->hosts?->allows($request) === false) {
            $this->refuse($request, $response, 403, "In development this server is for localhost alone: start it with --server-name=NAME for another host, or with --env=prod.\n");
            return;
        }
        Cookies::read($request);
        if ($request->server['request_method'] === 'POST' && ($excess = PostLimit::apply($request)) !== '') {
            FailureLog::write($request, $excess);
        }
        if ($this->only !== null) {
            if ($response->isWritable()) { // else the client has left while the request waited for the worker
                $this->serve($this->only, $request, $response);
            }
            return;
        }
        if ($this->endpoints->has($request)) {
            $this->serveEndpoint($request, $response);
            return;
        }
        if ($this->pages?->has($path)) {
            $this->pages->handle($path, $response);
            return;
        }
        $route = $this->bridging->route($path);
        $places = $this->bridging->places($route);
        if ($places?->take() === false) { // the one that has the place keeps it
            $response->status(503);
            $response->header('Retry-After', '1');
            $response->end();
            return;
        }
        try {
            if ($response->isWritable()) { // else the client has left while it waited
                $this->serve($route, $request, $this->pages === null ? $response : new ScriptInjectingResponse($response, $this->pages->revision()));
            }
        } finally {
            $places?->give();
        }
    }

    /** The application does not see the request: it is for another host, or its path leads above the root, which no rule of a proxy by paths was meant for. */
    private function refuse(Request $request, Response $response, int $status, string $sentence): void
    {
        $response->status($status);
        $response->header('Content-Type', 'text/plain; charset=utf-8');
        $response->end($sentence);
        $this->log->write($request, $status, 0);
    }

    /** A client of an endpoint stays as long as it likes: neither the time limit nor the places of requests count. */
    private function serveEndpoint(Request $request, Response $response): void
    {
        $began = hrtime(true);
        $status = 500;
        try {
            $status = $this->endpoints->handle($request, $response);
        } catch (ExitException) {
            $status = 200;
        } catch (Throwable $failure) {
            $this->log->flush();
            FailureLog::write($request, $failure);
        }
        $this->log->write($request, $status, hrtime(true) - $began);
    }

    private function serve(Route $route, Request $request, Response $response): void
    {
        $began = hrtime(true);
        $bridge = $this->bridging->bridge($route);
        $name = $this->growth === null ? '' : LeakReporter::routeOf($request->server['request_method'], $request->server['request_uri']);
        $before = $this->growth?->begin($name);
        $limit = $route->timeout > 0 ? new TimeLimit($route->timeout, fn (TimeLimitExceeded $exceeded) => $this->end($exceeded, 504, $request, $response), fn () => $this->giveUp($route, $request)) : null;
        $status = 200;
        try {
            $status = $bridge->handle($request, $response);
        } catch (ExitException) {
            // The application has ended its request.
        } catch (Throwable $failure) {
            $status = 500;
            if ($limit?->isOver() !== true) {
                $this->end($failure, 500, $request, $response);
            }
        } finally {
            $isOver = $limit?->isOver() === true;
            if ($response->isWritable()) {
                $response->end();
            }
            $this->settle($bridge, $request, $limit);
            $this->growth?->end($name, $before);
        }
        $this->log->write($request, $isOver ? 504 : $status, hrtime(true) - $began);
        if ($status === 404) {
            $this->missing->note($request);
        } elseif ($status === 500 && $route->isolation !== IsolationMode::Process) {
            $this->log->flush();
            FailureLog::settle($request, $status);
        }
        $this->watchMemory();
    }

    /** What is left of the request goes. Its destructors may do anything, so their time is that of the request. */
    private function settle(Runner $bridge, Request $request, ?TimeLimit $limit): void
    {
        try {
            $bridge->reset();
            $this->garbage->collect();
        } catch (ExitException) {
            // of a destructor
        } catch (Throwable $failure) {
            if ($limit?->isOver() !== true) { // else it is in the log
                FailureLog::write($request, $failure);
            }
        } finally {
            $limit?->lift();
        }
    }

    /** It holds a place of this worker, which is given to a new one; the others here come to their end. */
    private function giveUp(Route $route, Request $request): void
    {
        $this->log->flush();
        LogText::log("{$request->server['request_method']} {$request->server['request_uri']}: goes on although its time was over two seconds ago; the worker is replaced.");
        if ($route->isolation === IsolationMode::Sequential) {
            $this->bridging->refuseWaiting($route);
        }
        $this->replace();
    }

    private function end(Throwable $failure, int $status, Request $request, Response $response): void
    {
        set_error_handler(null); // the application's may throw, also for what is suppressed here
        $cause = $failure instanceof TimeLimitExceeded ? trim("{$failure->getMessage()} {$failure->place()}") : $failure;
        $this->log->flush();
        FailureLog::write($request, $cause);
        if (!$response->isWritable()) {
            return;
        }
        if (!@$response->status($status)) { // a part of a response was sent already: it must not look like the whole
            $response->close();
            return;
        }
        $response->header('Content-Type', 'text/html; charset=utf-8');
        @$response->end($this->options->text('env') === 'prod' ? HtmlErrorRenderer::plain($status) : HtmlErrorRenderer::of($failure, $request));
    }

    /** A worker that has grown is replaced while a request still has half of what memory_limit leaves to it after the boot. @return int bytes; 0: any */
    private static function mostMemory(int $wanted): int
    {
        $limit = ini_parse_quantity((string) ini_get('memory_limit'));
        $used = memory_get_usage();
        return $limit <= 0 || $wanted === 0 ? $wanted : min($wanted, $used + intdiv(max(0, $limit - $used), 2));
    }

    private function watchMemory(): void
    {
        if ($this->memory > 0 && memory_get_usage() > $this->memory) {
            $this->replace();
        }
    }

    private function replace(): void
    {
        if (!$this->leaving) {
            $this->leaving = true;
            $this->server->stop($this->server->worker_id);
        }
    }

    /** It takes no new connections any more; called again and again until it ends. @param float $seconds that it still has at most */
    public function leave(float $seconds): void
    {
        $this->endpoints->leave($seconds);
        $this->pages?->leave();
    }

    /** At its end: what requests left behind in this worker. */
    public function reportGrowth(): void
    {
        foreach ($this->growth?->sentences() ?? [] as $sentence) {
            LogText::log("Growth: {$sentence}", 'info');
        }
    }
}
