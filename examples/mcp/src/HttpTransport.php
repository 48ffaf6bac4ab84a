<?php

declare(strict_types=1);

namespace Mcp;

use Closure;
use Stampede\Http\EventStream;
use Swoole\Coroutine;
use Swoole\Coroutine\CanceledException;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Throwable;

/**
 * The protocol's HTTP: POST brings a message and gets its response, as JSON or, when the client wants to hear of progress, as an event stream; GET is a
 * stream on which the server speaks by itself; DELETE ends a session.
 */
final readonly class HttpTransport
{
    private const PATH = '/mcp';
    private const HEARTBEAT = 15.0; // seconds
    private const MOST_AT_ONCE = 20; // requests of a session
    private const DEPTH = 32; // of JSON

    private const LOCAL_NAMES = ['127.0.0.1', '[::1]', 'localhost'];

    /** @param string $host where the server listens */
    public function __construct(private Sessions $sessions, private Dispatcher $dispatcher, private string $host) {}

    public function handle(Request $request, Response $response): void
    {
        $accepted = $request->header['accept'] ?? '';
        $method = $request->server['request_method'] ?? '';
        $refusal = match (true) {
            ($request->server['request_uri'] ?? '') !== self::PATH => [404, 'The endpoint is ' . self::PATH . '.'],
            // A page that a browser shows must not speak to servers of the user's machine.
            !$this->isOfThisSite($request) => [403, 'Requests of other sites are refused.'],
            !in_array($method, ['GET', 'POST', 'DELETE'], true) => [405, 'GET, POST and DELETE are possible here.'],
            $method !== 'DELETE' && !str_contains($accepted, 'text/event-stream'), $method === 'POST' && !str_contains($accepted, 'application/json') => [406, 'Accept must name text/event-stream, for POST application/json as well.'],
            !in_array($request->header['mcp-protocol-version'] ?? '2025-03-26', Dispatcher::VERSIONS, true) => [400, 'MCP-Protocol-Version is not one of ' . implode(', ', Dispatcher::VERSIONS) . '.'],
            default => null,
        };
        if ($refusal !== null) {
            self::refuse($response, ...$refusal);
        } elseif ($method === 'POST') {
            $this->post($request, $response);
        } else {
            $session = $this->sessionOf($request, $response);
            if ($session !== null && $method === 'GET') {
                $this->listen($session, $response);
            } elseif ($session !== null) {
                $this->sessions->close($session);
                $response->status(204);
                $response->end();
            }
        }
    }

    private function post(Request $request, Response $response): void
    {
        $message = json_decode((string) $request->rawContent(), true, self::DEPTH);
        if (json_last_error() !== JSON_ERROR_NONE) {
            self::refuse($response, 400, 'The body is no JSON.', RpcError::PARSE);
            return;
        }
        if (!is_array($message) || array_is_list($message) || ($message['jsonrpc'] ?? null) !== '2.0') {
            self::refuse($response, 400, 'The body must be one JSON-RPC message.', RpcError::INVALID_REQUEST);
            return;
        }
        $method = is_string($message['method'] ?? null) ? $message['method'] : '';
        $id = is_int($message['id'] ?? null) || is_string($message['id'] ?? null) ? $message['id'] : null;
        $session = $method === 'initialize' && $id !== null ? $this->newSession($response) : $this->sessionOf($request, $response);
        if ($session === null) {
            return;
        }
        $params = is_array($message['params'] ?? null) ? $message['params'] : [];
        if ($id !== null && $method !== '') {
            $this->respond($session, $id, $method, $params, $response);
            return;
        }
        $cancelled = $params['requestId'] ?? null;
        if ($method === 'notifications/cancelled' && (is_int($cancelled) || is_string($cancelled))) {
            $session->cancel($cancelled);
        }
        $response->status(202);
        $response->end();
    }

    /** @param array<mixed> $params */
    private function respond(Session $session, int|string $id, string $method, array $params, Response $response): void
    {
        if ($session->isRunning($id) || $session->count() >= self::MOST_AT_ONCE) {
            self::refuse($response, 400, $session->isRunning($id) ? 'A request with this id is under way.' : 'Too many requests are under way.', RpcError::INVALID_REQUEST);
            return;
        }
        $token = $params['_meta']['progressToken'] ?? null;
        $stream = is_int($token) || is_string($token) ? new EventStream($response) : null;
        $progress = $stream === null ? static function (): void {} : static function (int $done, int $total) use ($stream, $token): void {
            $stream->event(self::json(['jsonrpc' => '2.0', 'method' => 'notifications/progress', 'params' => ['progressToken' => $token, 'progress' => $done, 'total' => $total]]));
            Coroutine::sleep(0.001); // others have their turn, and a cancellation comes through
        };
        $text = $session->run($id, fn (): ?string => $this->result($id, $method, $params, $progress));
        if ($stream === null && $text !== null) {
            $response->header('Content-Type', 'application/json');
            $response->end($text);
            return;
        }
        if ($stream === null) {
            $response->status(204); // cancelled: the client does not wait for it
            $response->end();
            return;
        }
        if ($text !== null) {
            $stream->event($text);
        }
        $stream->close();
    }

    /**
     * @param array<mixed> $params
     * @param Closure(int, int): void $progress
     * @return string|null null: it was cancelled, and nobody waits for it
     */
    private function result(int|string $id, string $method, array $params, Closure $progress): ?string
    {
        try {
            return self::json(['jsonrpc' => '2.0', 'id' => $id, 'result' => $this->dispatcher->call($method, $params, $progress)]);
        } catch (CanceledException) {
            return null;
        } catch (RpcError $error) {
            return self::json(['jsonrpc' => '2.0', 'id' => $id, 'error' => ['code' => $error->getCode(), 'message' => $error->getMessage()]]);
        } catch (Throwable $failure) {
            fwrite(STDERR, "{$method}: {$failure}\n");
            return self::json(['jsonrpc' => '2.0', 'id' => $id, 'error' => ['code' => RpcError::INTERNAL, 'message' => 'The server failed.']]);
        }
    }

    /** Until the client has left, or opens another one. */
    private function listen(Session $session, Response $response): void
    {
        $session->stream?->close();
        $session->stream = $stream = new EventStream($response);
        do {
            Coroutine::sleep(self::HEARTBEAT);
        } while ($stream->comment());
        if ($session->stream === $stream) {
            $session->stream = null;
            $session->lastSeen = time();
        }
    }

    private function newSession(Response $response): ?Session
    {
        $session = $this->sessions->open();
        if ($session === null) {
            self::refuse($response, 503, 'There are too many sessions.');
            return null;
        }
        $response->header('Mcp-Session-Id', $session->id);
        return $session;
    }

    private function sessionOf(Request $request, Response $response): ?Session
    {
        $id = $request->header['mcp-session-id'] ?? '';
        $session = $this->sessions->find($id);
        if ($session === null) {
            self::refuse($response, $id === '' ? 400 : 404, $id === '' ? 'Begin with "initialize", then send its Mcp-Session-Id.' : 'This session has ended: begin again.');
        }
        return $session;
    }

    private function isOfThisSite(Request $request): bool
    {
        $host = $request->header['host'] ?? '';
        $origin = $request->header['origin'] ?? '';
        // The name of a foreign site may lead to this machine, and then the page and what it asks are of one site.
        $isForeign = in_array($this->host, self::LOCAL_NAMES, true) && !in_array(preg_replace('/:\d*$/D', '', $host), self::LOCAL_NAMES, true);
        return !$isForeign && ($origin === '' || preg_replace('~^https?://~', '', $origin) === $host);
    }

    private static function refuse(Response $response, int $status, string $sentence, int $code = RpcError::INVALID_REQUEST): void
    {
        $response->status($status);
        $response->header('Content-Type', 'application/json');
        if ($status === 405) {
            $response->header('Allow', 'GET, POST, DELETE');
        }
        $response->end(self::json(['jsonrpc' => '2.0', 'id' => null, 'error' => ['code' => $code, 'message' => $sentence]]));
    }

    /** @param array<string, mixed> $data */
    private static function json(array $data): string
    {
        return json_encode($data, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
    }
}
