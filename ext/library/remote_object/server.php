<?php

declare(strict_types=1);

namespace Swoole\RemoteObject;

use Stampede\Library\RemoteObject\Folder;
use Stampede\Library\RemoteObject\Session;
use Swoole\Http\Request;
use Swoole\Http\Response;

/**
 * Hosts objects whose calls block: each worker carries out one call after the other. A client that knows the token can run any
 * function in the server.
 */
class Server
{
    public const DEFAULT_PORT = 9567;

    /** Bytes of a request; a client's option of the same name limits what it sends and receives. */
    public const MOST_BYTES = 33_554_432;

    private const DEFAULT_WORKERS = 8;

    private const YEAR = 31_536_000;

    private readonly \Swoole\Http\Server $server;

    private readonly string $token;

    /** @var array<int, Session> By connection of this worker. */
    private array $sessions = [];

    /**
     * @param string $host an address, or "unix:/path"
     * @param array<string, mixed> $options worker_num (8: so many calls are carried out at once), token (a text that clients must
     *        know; by default clients of the same user find it by the port), bootstrap (a file that is loaded before the workers start),
     *        package_max_length (32 MiB), and settings of Swoole\Server
     * @throws Exception when others than this machine could call without a token
     * @throws \Swoole\Exception when the port cannot be bound
     */
    public function __construct(string $host = '127.0.0.1', int $port = self::DEFAULT_PORT, private readonly array $options = [])
    {
        $token = (string) ($options['token'] ?? '');
        $path = str_starts_with($host, 'unix:') ? substr($host, strlen('unix:')) : null;
        if ($token === '' && ($path !== null || !in_array($host, ['127.0.0.1', '::1', 'localhost'], true))) {
            throw new Exception("A server of remote objects on {$host} needs the option token, and its clients the same: it runs what they ask for.");
        }
        $this->server = new \Swoole\Http\Server(
            $path ?? $host,
            $port,
            SWOOLE_PROCESS,
            $path !== null ? SWOOLE_SOCK_UNIX_STREAM : (str_contains($host, ':') ? SWOOLE_SOCK_TCP6 : SWOOLE_SOCK_TCP),
        );
        $this->token = $token !== '' ? $token : Folder::makeToken($this->server->port);
        $this->server->set(array_diff_key($options, ['token' => true, 'bootstrap' => true]) + [
            'worker_num' => self::DEFAULT_WORKERS,
            'package_max_length' => self::MOST_BYTES,
            'http_idle_timeout' => self::YEAR,  // an object lives as long as its connection
            'http_compression' => false,
            'log_level' => SWOOLE_LOG_WARNING,
        ] + ($path !== null ? ['unix_socket_mode' => '0600'] : []));
        $this->server->set(['enable_coroutine' => false]);
    }

    /** Runs until the server is stopped. */
    public function start(): bool
    {
        if (isset($this->options['bootstrap'])) {
            require_once (string) $this->options['bootstrap'];
        }
        $this->server->on('start', $this->onStart(...));
        $this->server->on('request', $this->onRequest(...));
        $this->server->on('close', function (\Swoole\Server $server, int $fd): void {
            unset($this->sessions[$fd]);
        });
        $ended = $this->server->start();
        if (($this->options['token'] ?? '') === '') {
            Folder::removeToken($this->server->port);
        }
        return $ended;
    }

    /** Runs in the supervisor when the server has started; for classes that extend this one. */
    public function onStart(): void
    {
    }

    public function onRequest(Request $request, Response $response): void
    {
        if (!hash_equals("Bearer {$this->token}", (string) ($request->header['authorization'] ?? ''))) {
            $response->status(401);
            $response->end();
            return;
        }
        try {
            $context = new Context($request, $response);
        } catch (Exception $error) {
            $response->status(400);
            $response->end($error->getMessage());
            return;
        }
        if ($context->getHandler() === 'ping') {
            $this->sessions[$request->fd] ??= new Session();
            $context->end(['result' => ['worker' => $this->server->worker_id, 'workers' => (int) $this->server->setting['worker_num']]]);
        } elseif (isset($this->sessions[$request->fd])) {
            $context->end($this->sessions[$request->fd]->carryOut($context));
        } else {
            $response->status(410);
            $response->end();
        }
    }

    /** Stops the server after the calls in flight, for at most the setting max_wait_time. */
    protected function shutdown(): void
    {
        $this->server->shutdown();
    }
}
