<?php

declare(strict_types=1);

namespace Stampede\Health;

use Closure;
use Stampede\Config\ListenAddress;
use Stampede\Dashboard\Dashboard;
use Stampede\Exception\ConfigurationException;
use Stampede\Metrics\Page;
use Stampede\Supervisor\GenerationStatus;
use Swoole\Coroutine;
use Swoole\Coroutine\Http\Server;
use Swoole\Exception;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** An address of its own where programs that watch over the server ask how it is. In the supervisor, which has no code of the application. */
final class Listener
{
    private readonly Server $server;
    private bool $isStopping = false;

    /**
     * @param Closure(): array<string, mixed> $facts what does not change while the server runs
     * @throws ConfigurationException when it cannot listen there
     */
    public function __construct(ListenAddress $address, private readonly Supervisor $supervisor, private readonly Closure $facts, private readonly Page $metrics, private readonly ?Dashboard $dashboard = null)
    {
        try {
            $this->server = new Server($address->type === SWOOLE_SOCK_UNIX_STREAM ? "unix:{$address->host}" : $address->host, $address->port);
        } catch (Exception $exception) {
            $why = $exception->getCode() > 0 ? lcfirst(posix_strerror($exception->getCode())) : $exception->getMessage();
            throw new ConfigurationException("{$address->name()} cannot be listened on: {$why}. Choose another with --health-listen.", 0, $exception);
        }
        $this->server->handle('/', $this->handle(...));
    }

    public function start(): void
    {
        Coroutine::create($this->server->start(...));
    }

    /** From now on it says that no requests should be sent. */
    public function announceStop(): void
    {
        $this->isStopping = true;
    }

    public function stop(): void
    {
        $this->server->shutdown();
    }

    private function handle(Request $request, Response $response): void
    {
        $response->header('Cache-Control', 'no-store');
        if (!in_array($request->server['request_method'], ['GET', 'HEAD'], true)) {
            $response->header('Allow', 'GET, HEAD');
            $this->say($response, 405, 'Only GET and HEAD are served here.');
            return;
        }
        if ($this->dashboard?->respond($request, $response) === true) {
            return;
        }
        match ($request->server['path_info']) {
            '/live' => $this->say($response, 200, 'The supervisor runs.'),
            '/ready' => $this->sayReadiness($response),
            '/status' => $this->sayStatus($response),
            '/metrics' => $this->metrics->respond($request, $response),
            default => $this->say($response, 404, $this->dashboard === null ? 'There are /live, /ready, /status and /metrics.' : 'There are /live, /ready, /status, /metrics and /dashboard.'),
        };
    }

    private function sayReadiness(Response $response): void
    {
        $readiness = $this->readiness($this->supervisor->places(), $this->supervisor->generation());
        $this->say($response, $readiness->isReady ? 200 : 503, ucfirst($readiness->because) . '.');
    }

    private function sayStatus(Response $response): void
    {
        [$places, $generation] = [$this->supervisor->places(), $this->supervisor->generation()];
        $readiness = $this->readiness($places, $generation);
        $response->header('Content-Type', 'application/json');
        $response->end(json_encode(['ready' => $readiness->isReady, 'because' => $readiness->because] + ($this->facts)() + ['places' => $places, 'generation' => $generation], JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR));
    }

    /** @param list<array<string, mixed>>|null $places */
    private function readiness(?array $places, ?GenerationStatus $generation): Readiness
    {
        return Readiness::of($places, $generation, $this->isStopping ? 'stopping' : $this->supervisor->state());
    }

    private function say(Response $response, int $status, string $sentence): void
    {
        $response->status($status);
        $response->header('Content-Type', 'text/plain; charset=utf-8');
        $response->end("{$sentence}\n");
    }
}
