<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http2;

use BadMethodCallException;
use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Http2\Request;
use Swoole\Http2\Response;

/** An HTTP/2 client that any number of coroutines use at once: request() gives each its own response. */
class MultiplexClient extends Client
{
    public const DEFAULT_HEARTBEAT_CHECK_INTERVAL = 3;
    public const DEFAULT_HEARTBEAT_IDLE_TIME = 10;

    protected ?object $recvLoopToken = null;

    protected ?Channel $sleepChannel = null;

    protected ?Channel $startupBarrier = null;

    /** @var array<int, Channel> */
    protected array $streamChannels = [];

    /** @var array<int, true> */
    protected array $abandonedStreams = [];

    protected bool $heartbeatCheckerRunning = false;

    protected int $pendingRequests = 0;

    protected float $lastActiveTime = 0;

    /**
     * Sends the request and waits for its response, at most $timeout seconds (-1: the setting timeout, without it for any time). False with $errCode: 10018
     * when the time is over, 5001 when close() was called meanwhile, otherwise what broke the connection.
     */
    public function request(Request $request, float $timeout = -1): false|Response
    {
        if (!$this->ensureRecvLoop()) {
            return false;
        }
        $stream = $this->send($request);
        if ($stream === false) {
            return false;
        }
        $this->pendingRequests++;
        $this->lastActiveTime = microtime(true);
        $channel = $this->openStreamChannel($stream);
        $response = $channel->pop($timeout < 0 ? (float) ($this->setting['timeout'] ?? -1) : $timeout);
        $this->closeStreamChannel($stream);
        $this->pendingRequests--;
        if ($response instanceof Response) {
            return $response;
        }
        if ($response === false) {
            $this->abandonedStreams[$stream] = true;
            $response = [SWOOLE_ERROR_CO_TIMEDOUT, swoole_strerror(SWOOLE_ERROR_CO_TIMEDOUT, 9)];
        }
        // Another request may have changed it since the connection was lost.
        $this->setError(...$response);
        return false;
    }

    public function close(): bool
    {
        $this->recvLoopToken = null;
        $this->sleepChannel?->close();
        $closed = parent::close();
        $this->flushStreamChannels(SWOOLE_ERROR_CLIENT_NO_CONNECTION, swoole_strerror(SWOOLE_ERROR_CLIENT_NO_CONNECTION, 9));
        return $closed;
    }

    /** Responses go to the coroutines that asked: only request() gives them. */
    public function recv(float $timeout = 0): never
    {
        throw self::notForMany(__FUNCTION__);
    }

    public function read(float $timeout = 0): never
    {
        throw self::notForMany(__FUNCTION__);
    }

    public function write(int $stream_id, mixed $data, bool $end_stream = false): never
    {
        throw self::notForMany(__FUNCTION__);
    }

    public function goaway(int $error_code = SWOOLE_HTTP2_ERROR_NO_ERROR, string $debug_data = ''): never
    {
        throw self::notForMany(__FUNCTION__);
    }

    private static function notForMany(string $method): BadMethodCallException
    {
        return new BadMethodCallException("$method() is not for a MultiplexClient, whose connection many coroutines use: call request()");
    }

    protected function openStreamChannel(int $streamId): Channel
    {
        return $this->streamChannels[$streamId] = new Channel(1);
    }

    protected function closeStreamChannel(int $streamId): void
    {
        unset($this->streamChannels[$streamId]);
    }

    /** No waiting coroutine gets a response any more: each gets this error, unless its response has come. */
    protected function flushStreamChannels(int $errCode, string $errMsg): void
    {
        foreach ($this->streamChannels as $channel) {
            if ($channel->isEmpty()) {
                $channel->push([$errCode, $errMsg]);
            }
        }
        $this->streamChannels = $this->abandonedStreams = [];
    }

    protected function reconnect(): bool
    {
        parent::close();
        return $this->connect();
    }

    /** A connection with a coroutine that receives; those who come while it is being made wait. */
    protected function ensureRecvLoop(): bool
    {
        while ($this->startupBarrier !== null) {
            $this->startupBarrier->pop();
        }
        if ($this->connected && $this->recvLoopToken !== null) {
            return true;
        }
        $this->startupBarrier = new Channel(1);
        $connected = $this->reconnect();
        if ($connected) {
            $token = $this->recvLoopToken = new \stdClass();
            Coroutine::create(function () use ($token): void {
                $this->recvLoop($token);
            });
            $this->ensureHeartbeatChecker();
        }
        $barrier = $this->startupBarrier;
        $this->startupBarrier = null;
        $barrier->close();
        return $connected;
    }

    protected function recvLoop(object $token): void
    {
        while ($this->recvLoopToken === $token) {
            $response = parent::recv(-1);
            if ($this->recvLoopToken !== $token) {
                return;
            }
            if ($response === false) {
                break;
            }
            $this->lastActiveTime = microtime(true);
            if (isset($this->streamChannels[$response->streamId])) {
                $this->streamChannels[$response->streamId]->push($response);
            }
            unset($this->abandonedStreams[$response->streamId]);
        }
        $this->recvLoopToken = null;
        $this->flushStreamChannels($this->errCode, $this->errMsg);
    }

    /** With the settings heartbeat_check_interval and heartbeat_idle_time: a connection that is not used is closed, one that waits for responses is pinged. */
    protected function ensureHeartbeatChecker(): void
    {
        $interval = (float) ($this->setting['heartbeat_check_interval'] ?? self::DEFAULT_HEARTBEAT_CHECK_INTERVAL);
        $idle = (float) ($this->setting['heartbeat_idle_time'] ?? self::DEFAULT_HEARTBEAT_IDLE_TIME);
        if ($interval <= 0 || $this->heartbeatCheckerRunning) {
            return;
        }
        $this->heartbeatCheckerRunning = true;
        Coroutine::create(function () use ($interval, $idle): void {
            while ($this->recvLoopToken !== null) {
                $this->interruptibleSleep($interval);
                if ($this->recvLoopToken !== null && microtime(true) - $this->lastActiveTime >= $idle) {
                    $this->pendingRequests > 0 ? $this->ping() : $this->close();
                }
            }
            $this->heartbeatCheckerRunning = false;
        });
    }

    protected function setError(int $errCode, string $errMsg): void
    {
        $this->errCode = $errCode;
        $this->errMsg = $errMsg;
    }

    /** close() ends it early. */
    protected function interruptibleSleep(float $seconds): void
    {
        $this->sleepChannel = new Channel(1);
        $this->sleepChannel->pop($seconds);
        $this->sleepChannel = null;
    }
}
