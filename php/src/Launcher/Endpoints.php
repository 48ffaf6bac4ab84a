<?php

declare(strict_types=1);

namespace Stampede\Launcher;

use Closure;
use Stampede\Http\EventStream;
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

    /**
     * @param array<string, Closure(Response, Request): void> $websocket by path
     * @param array<string, Closure(EventStream, Request): void> $events by path
     */
    private function __construct(private readonly array $websocket, private readonly array $events) {}

    /** Runs the file, in a worker, since it may load code of the application. An empty name gives no endpoints. */
    public static function load(string $file): self
    {
        if ($file === '') {
            return new self([], []);
        }
        if (!is_file($file)) {
            throw new LaunchException("The file of endpoints {$file} does not exist.");
        }
        $given = (static fn (): mixed => require $file)();
        if (!is_array($given)) {
            throw new LaunchException("The file of endpoints {$file} must return an array, such as return ['websocket' => ['/chat' => \$function]];");
        }
        $read = array_fill_keys(self::KINDS, []);
        foreach ($given as $kind => $functions) {
            if (!in_array($kind, self::KINDS, true)) {
                throw new LaunchException("The file of endpoints {$file} has the unknown key \"{$kind}\"" . Suggestion::for((string) $kind, self::KINDS) . '.');
            }
            foreach (is_array($functions) ? $functions : ['' => null] as $path => $function) {
                if (!is_callable($function) || !str_starts_with((string) $path, '/')) {
                    throw new LaunchException("The file of endpoints {$file}: \"{$kind}\" must be an array of functions by path, such as ['/live' => \$function].");
                }
                $read[$kind][$path] = Closure::fromCallable($function);
            }
        }
        return new self($read['websocket'], $read['events']);
    }

    public function has(Request $request): bool
    {
        $path = $request->server['request_uri'];
        return isset($this->websocket[$path]) || isset($this->events[$path]);
    }

    /** Returns when the client or the function has ended. @return int the status of the response */
    public function handle(Request $request, Response $response): int
    {
        $path = $request->server['request_uri'];
        $function = $this->websocket[$path] ?? null;
        if ($function === null) {
            $stream = new EventStream($response);
            try {
                $this->events[$path]($stream, $request);
            } finally {
                $stream->close();
            }
            return 200;
        }
        if (strcasecmp($request->header['upgrade'] ?? '', 'websocket') !== 0) {
            $response->status(426);
            $response->header('Upgrade', 'websocket');
            $response->end("This is an endpoint for WebSocket.\n");
            return 426;
        }
        if (!$response->upgrade()) {
            return 400;
        }
        try {
            $function($response, $request);
            $response->close();
        } catch (Throwable $failure) {
            @$response->disconnect(SWOOLE_WEBSOCKET_CLOSE_SERVER_ERROR, 'the endpoint failed');
            throw $failure;
        }
        return 101;
    }
}
