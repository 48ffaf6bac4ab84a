<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Swoole\Coroutine;
use Swoole\Coroutine\Server\Connection;
use Swoole\Exception;

/** A TCP server that runs in a coroutine: each connection is handed to a function, in a coroutine of its own. */
class Server
{
    /** @var string */
    public $host = '';

    /** @var int */
    public $port = 0;

    /** @var int */
    public $type = AF_INET;

    /** @var int */
    public $fd = -1;

    /** @var int errno or SWOOLE_ERROR_* of a start() that failed */
    public $errCode = 0;

    /** @var array<string, mixed> */
    public $setting = [];

    /** @var bool */
    protected $running = false;

    /** @var callable|null */
    protected $fn;

    /** @var Socket */
    protected $socket;

    /**
     * An IPv4 or IPv6 address or "unix:/path"; port 0 takes a free one.
     *
     * @throws Exception when listening fails
     */
    public function __construct(string $host, int $port = 0, bool $ssl = false, bool $reuse_port = false)
    {
        if (str_starts_with($host, 'unix:')) {
            $this->type = AF_UNIX;
            $host = '/' . ltrim(substr($host, strlen('unix:')), '/');
        } elseif (str_contains($host, ':')) {
            $this->type = AF_INET6;
        }
        $this->host = $host;
        $this->socket = new Socket($this->type, SOCK_STREAM, 0);
        if ($reuse_port) {
            $this->socket->setOption(SOL_SOCKET, SO_REUSEPORT, 1);
        }
        if (!$this->socket->bind($host, $port)) {
            throw new Exception("bind($host:$port) failed, Error: " . swoole_strerror($this->socket->errCode), $this->socket->errCode);
        }
        if (!$this->socket->listen()) {
            throw new Exception('listen() failed, Error: ' . swoole_strerror($this->socket->errCode), $this->socket->errCode);
        }
        $name = $this->socket->getsockname();
        $this->port = $this->type === AF_UNIX || !is_array($name) ? 0 : $name['port'];
        $this->fd = $this->socket->fd;
        $this->setting['open_ssl'] = $ssl;
    }

    /**
     * Framing and TLS of the connections, as Socket::setProtocol() takes them.
     *
     * @param array<string, mixed> $setting
     */
    public function set(array $setting): void
    {
        $this->setting = array_merge($this->setting, $setting);
    }

    /** The function gets a Swoole\Coroutine\Server\Connection. */
    public function handle(callable $fn): void
    {
        $this->fn = $fn;
    }

    /** Accepts nothing more: start() returns. Connections go on. */
    public function shutdown(): bool
    {
        $this->running = false;
        return $this->socket->cancel();
    }

    /** Serves until shutdown(); false with $errCode when accepting failed. */
    public function start(): bool
    {
        $this->running = true;
        if ($this->fn === null) {
            $this->errCode = SOCKET_EINVAL;
            return false;
        }
        if (!$this->socket->setProtocol($this->setting)) {
            $this->errCode = SOCKET_EINVAL;
            return false;
        }
        while ($this->running) {
            $socket = $this->socket->accept(-1);
            if ($socket !== false) {
                $socket->setProtocol($this->setting);
                if (Coroutine::create([$this, 'serve'], $socket) === false) {
                    $socket->close();
                    Coroutine::sleep(0.1);
                }
                continue;
            }
            if ($this->wasStopped()) {
                break;
            }
            if (!$this->outlast($this->socket->errCode)) {
                $this->errCode = $this->socket->errCode;
                $this->running = false;
                return false;
            }
        }
        return true;
    }

    /** @internal */
    public function serve(Socket $socket): void
    {
        if (!empty($this->setting['open_ssl']) && !$socket->sslHandshake()) {
            $socket->close();
            return;
        }
        ($this->fn)(new Connection($socket));
    }

    /** @phpstan-impure another coroutine stops it */
    private function wasStopped(): bool
    {
        return !$this->running;
    }

    /** Whether accepting may be tried again after this error; waits a little where that helps. */
    private function outlast(int $errCode): bool
    {
        if (in_array($errCode, [SOCKET_EMFILE, SOCKET_ENFILE], true)) {
            Coroutine::sleep(0.1);
            return true;
        }
        return in_array($errCode, [SOCKET_ETIMEDOUT, SOCKET_ECONNABORTED, SOCKET_EINTR, SOCKET_EAGAIN], true);
    }
}
