<?php

declare(strict_types=1);

namespace Stampede\Endpoint;

use Closure;
use Stampede\Config\Suggestion;
use Stampede\Departure;
use Stampede\Exception\BootException;
use Stampede\Http\EventStream;
use Swoole\Coroutine\CanceledException;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Throwable;

/**
 * WebSocket and event-stream endpoints beside an application of any kind: what the file of the option "endpoints" returns. Each
 * client has a coroutine of its own for as long as it stays, and takes no place from the application's requests.
 */
final class Endpoints
{
    private const KINDS = ['websocket', 'events'];

    private readonly EndpointClients $clients;

    /**
     * @param array<string, Closure(Response, Request, Departure): void> $websocket by path
     * @param array<string, Closure(EventStream, Request, Departure): void> $events by path
     */
    private function __construct(private readonly array $websocket, private readonly array $events, private readonly AllowedOrigins $origins)
    {
        $this->clients = new EndpointClients();
    }

    /** Runs the file, in a worker, since it may load code of the application. An empty name gives no endpoints. */
    public static function load(string $file, AllowedOrigins $origins): self
    {
        if ($file === '') {
            return new self([], [], $origins);
        }
        if (!is_file($file)) {
            throw new BootException("The file of endpoints {$file} does not exist.");
        }
        $given = (static fn (): mixed => require $file)();
        if (!is_array($given)) {
            throw new BootException("The file of endpoints {$file} must return an array, such as return ['websocket' => ['/chat' => \$function]];");
        }
        $read = array_fill_keys(self::KINDS, []);
        foreach ($given as $kind => $functions) {
            if (!in_array($kind, self::KINDS, true)) {
                throw new BootException("The file of endpoints {$file} has the unknown key \"{$kind}\"" . Suggestion::for((string) $kind, self::KINDS) . '.');
            }
            foreach (is_array($functions) ? $functions : ['' => null] as $path => $function) {
                if (!is_callable($function) || !str_starts_with((string) $path, '/')) {
                    throw new BootException("The file of endpoints {$file}: \"{$kind}\" must be an array of functions by path, such as ['/live' => \$function].");
                }
                $read[$kind][$path] = Closure::fromCallable($function);
            }
        }
        return new self($read['websocket'], $read['events'], $origins);
    }

    public function isEmpty(): bool
    {
        return $this->websocket === [] && $this->events === [];
    }

    public function has(Request $request): bool
    {
        $path = $request->server['request_uri'];
        return isset($this->websocket[$path]) || isset($this->events[$path]);
    }

    /** The worker leaves: clients are told, and are gone before the worker's time is over. @param float $seconds that it still has */
    public function leave(float $seconds): void
    {
        $this->clients->leave($seconds);
    }

    /** Returns when the client or the function has ended. @return int the status of the response */
    public function handle(Request $request, Response $response): int
    {
        $path = $request->server['request_uri'];
        try {
            return isset($this->websocket[$path])
                ? $this->serveSocket($this->websocket[$path], $request, $response)
                : $this->serveStream($this->events[$path], $request, $response);
        } catch (CanceledException $cancellation) {
            return $this->clients->isLeaving() ? 200 : throw $cancellation;
        }
    }

    /** @param Closure(EventStream, Request, Departure): void $function */
    private function serveStream(Closure $function, Request $request, Response $response): int
    {
        $response->header('Connection', 'close'); // which would stay after the stream's end, and with it a worker that leaves
        $stream = new EventStream($response);
        try {
            if (!$this->clients->isLeaving()) { // else it is ended at once: the client comes again, to another worker
                $this->clients->serve($response, static fn (Departure $departure) => $function($stream, $request, $departure), $stream->close(...));
            }
        } finally {
            $stream->close();
        }
        return 200;
    }

    /** @param Closure(Response, Request, Departure): void $function */
    private function serveSocket(Closure $function, Request $request, Response $response): int
    {
        if (strcasecmp($request->header['upgrade'] ?? '', 'websocket') !== 0) {
            $response->status(426);
            $response->header('Upgrade', 'websocket');
            $response->end("This is an endpoint for WebSocket.\n");
            return 426;
        }
        if (!$this->origins->allow($request)) {
            $response->status(403);
            $response->end("Pages of this origin may not connect.\n");
            return 403;
        }
        if (!$response->upgrade()) {
            return 400;
        }
        $close = static function () use ($response): void {
            $response->disconnect(SWOOLE_WEBSOCKET_CLOSE_GOING_AWAY, 'the server moves on: connect again');
        };
        if ($this->clients->isLeaving()) {
            $close();
            return 101;
        }
        try {
            $this->clients->serve($response, static fn (Departure $departure) => $function($response, $request, $departure), $close);
            $response->close();
        } catch (CanceledException $cancellation) {
            $response->close();
            throw $cancellation;
        } catch (Throwable $failure) {
            $response->disconnect(SWOOLE_WEBSOCKET_CLOSE_SERVER_ERROR, 'the endpoint failed');
            throw $failure;
        }
        return 101;
    }
}
