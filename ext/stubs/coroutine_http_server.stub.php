<?php

/** @generate-class-entries */

namespace Swoole\Coroutine\Http;

/** An HTTP and WebSocket server that runs in a coroutine: start() waits there until shutdown(). Each request has a coroutine of its own. */
class Server
{
    /** @var int The listening descriptor, -1 when it is closed. */
    public $fd = -1;
    /** @var string|null */
    public $host = null;
    /** @var int The number in use, also when 0 was asked for. */
    public $port = -1;
    /** @var bool */
    public $ssl = false;
    /** @var array|null What set() was given. */
    public $settings = null;
    /** @var int errno or SWOOLE_ERROR_* of a start() that failed. */
    public $errCode = 0;
    /** @var string */
    public $errMsg = '';

    /**
     * Listens at once. An IPv4 or IPv6 address or "unix:/path"; port 0 takes a free one.
     * @throws \Swoole\Exception when that fails
     */
    public function __construct(string $host, int $port = 0, bool $ssl = false, bool $reuse_port = false) {}

    /** The settings of a server that concern HTTP, WebSocket, its sockets and TLS (ssl_cert_file and so on). Before start(). */
    public function set(array $settings): bool {}

    /** The function gets Request and Response of every request whose path begins with the pattern; the longest one counts. */
    public function handle(string $pattern, callable $callback): bool {}

    /** Kept for the sake of the API; connections are served without it. */
    private function onAccept(\Swoole\Coroutine\Socket $conn): void {}

    /** Serves until shutdown(); false with $errCode when it could not begin. */
    public function start(): bool {}

    /** No more connections; requests in progress are completed (at most max_wait_time seconds), then start() returns. */
    public function shutdown(): void {}
}
