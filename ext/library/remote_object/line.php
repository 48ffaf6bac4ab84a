<?php

declare(strict_types=1);

namespace Stampede\Library\RemoteObject;

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\Http\Client;
use Swoole\RemoteObject;
use Swoole\RemoteObject\Exception;

/**
 * A client's connection to one worker of the server, which carries out one call at a time. The objects that were made on it
 * are there and nowhere else, and go with it.
 *
 * @internal
 */
final class Line
{
    private static ?self $receiving = null;

    private static int $last = 0;

    public readonly int $number;

    /** The worker that has accepted the connection, and how many there are. */
    public readonly int $worker;

    public readonly int $workers;

    private readonly int $pid;

    private readonly Client $http;

    /** Full while a call is under way. */
    private readonly Channel $turn;

    private bool $over = false;

    private int $objects = 0;

    /** @var list<int> Objects to be freed. */
    private array $released = [];

    /**
     * @param array{timeout: float, connect_timeout: float, token: string, package_max_length: int} $options
     * @throws Exception when the server is not there, or refuses
     */
    public function __construct(private readonly string $clientId, private readonly string $host, private readonly int $port, private readonly array $options)
    {
        $this->number = ++self::$last;
        $this->pid = (int) getmypid();
        $this->turn = new Channel(1);
        $this->http = new Client($host, $port);
        $this->http->set([
            'connect_timeout' => $options['connect_timeout'],
            'read_timeout' => -1,
            'write_timeout' => -1,
            'max_retries' => 0,
            'http_compression' => false,
            'package_max_length' => $options['package_max_length'],
        ]);
        $this->http->setHeaders(['Authorization' => "Bearer {$options['token']}", 'Content-Type' => 'application/octet-stream']);
        ['worker' => $this->worker, 'workers' => $this->workers] = $this->call('ping', []);
    }

    /** The line whose response is being unpacked. */
    public static function receiving(): ?self
    {
        return self::$receiving;
    }

    public function isOver(): bool
    {
        return $this->over;
    }

    public function countObjects(): int
    {
        return $this->objects;
    }

    public function hold(): void
    {
        $this->objects++;
    }

    /** An object is needed no longer. Does not wait: a coroutine of its own tells the server. */
    public function release(int $objectId): void
    {
        if ($this->over || $this->pid !== getmypid()) {
            return;
        }
        $this->objects--;
        $this->released[] = $objectId;
        if (count($this->released) === 1 && Coroutine::getCid() > 0) {
            Coroutine::create(function (): void {
                try {
                    $this->inTurn($this->free(...));
                } catch (Exception) {
                    // The objects go with the connection.
                }
            });
        }
    }

    /**
     * @param array<string, mixed> $data
     * @throws Exception what the hosted code throws; that the call cannot be made
     */
    public function call(string $path, array $data): mixed
    {
        $sent = (array) Wire::map($data, $this->sendable(...));
        return $this->inTurn(fn (float $seconds): mixed => $this->exchange($path, $sent, $seconds));
    }

    private function inTurn(\Closure $exchange): mixed
    {
        if ($this->pid !== getmypid()) {
            throw new Exception('A remote object belongs to the process that has made it: make another one in this process.');
        }
        if (Coroutine::getCid() < 1) {
            throw new Exception('Calls of remote objects wait in coroutines: make them in Swoole\Coroutine\run() or go().');
        }
        $deadline = microtime(true) + $this->options['timeout'];
        if (!$this->turn->push(true, $this->options['timeout'])) {
            throw new Exception("Other calls to the same worker of the server of remote objects have taken longer than the timeout of {$this->options['timeout']} s.");
        }
        try {
            return $exchange(max(0.001, $deadline - microtime(true)));
        } finally {
            $this->turn->pop();
        }
    }

    private function free(float $seconds): void
    {
        if ($this->released !== [] && !$this->over) {
            $this->exchange('free', [], $seconds);
        }
    }

    /** @param array<string, mixed> $data */
    private function exchange(string $path, array $data, float $seconds): mixed
    {
        if ($this->over) {
            throw new Exception('The connection that this remote object was made on has ended, and with it the object: make another one.');
        }
        $most = $this->options['package_max_length'];
        $body = Wire::pack($data + ['free' => $this->released]);
        if (strlen($body) > $most) {
            throw new Exception('The arguments have ' . strlen($body) . " bytes, package_max_length allows {$most}.");
        }
        $this->released = [];
        $this->http->set(['timeout' => $seconds]);
        $this->http->setMethod('POST');
        $this->http->setData($body);
        $query = http_build_query(['client' => $this->clientId, 'coroutine' => Coroutine::getCid(), 'limit' => $most]);
        if (!$this->http->execute("/{$path}?{$query}") || $this->http->statusCode !== 200) {
            $this->over = true;
            throw new Exception($this->reason());
        }
        return $this->result((string) $this->http->body);
    }

    private function result(string $body): mixed
    {
        self::$receiving = $this;
        try {
            $response = Wire::unpack($body);
        } finally {
            self::$receiving = null;
        }
        if (isset($response['error'])) {
            throw new Exception((string) $response['error'], (int) ($response['code'] ?? 0));
        }
        return $response['result'] ?? null;
    }

    /** Why there is no response. */
    private function reason(): string
    {
        $place = str_starts_with($this->host, 'unix:') ? $this->host : "{$this->host}:{$this->port}";
        $reason = match (true) {
            $this->http->statusCode === 401 => 'refuses the token: give server and client the same option token, or run them as the same user',
            $this->http->statusCode === 410 => 'has lost the objects of this connection: make them again',
            $this->http->statusCode === 413 => 'takes no arguments of this size: set its package_max_length',
            $this->http->statusCode > 0 => "responds with the status {$this->http->statusCode}: is it a server of remote objects?",
            $this->http->statusCode === SWOOLE_HTTP_CLIENT_ESTATUS_CONNECT_FAILED => "cannot be reached: {$this->http->errMsg}",
            $this->http->statusCode === SWOOLE_HTTP_CLIENT_ESTATUS_REQUEST_TIMEOUT => "has not responded within the timeout of {$this->options['timeout']} s; the objects of this connection are lost",
            default => 'has ended the connection, and the objects on it are lost: its log says why',
        };
        $this->http->close();
        return "The server of remote objects at {$place} {$reason}.";
    }

    private function sendable(object $object): RemoteObject
    {
        if (!$object instanceof RemoteObject) {
            throw new Exception('An object of the class ' . $object::class . ' cannot be sent to the server of remote objects: make it there with create().');
        }
        if ($object->__serialize()['line'] !== $this->number) {
            throw new Exception('The remote object is in another worker of the server than the one that is called: make both in the same coroutine.');
        }
        return $object;
    }
}
