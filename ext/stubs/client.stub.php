<?php

/** @generate-class-entries */

namespace Swoole {

/**
 * The blocking client: for scripts outside coroutines; inside one only the coroutine waits. After false, errCode is an errno value or a
 * SWOOLE_ERROR_* number.
 */
class Client
{
    /** @var int */
    const MSG_OOB = 1;
    /** @var int */
    const MSG_PEEK = 2;
    /** @var int */
    const MSG_DONTWAIT = 64;
    /** @var int */
    const MSG_WAITALL = 256;
    /** @var int */
    const SHUT_RDWR = 2;
    /** @var int */
    const SHUT_RD = 0;
    /** @var int */
    const SHUT_WR = 1;

    /** @var int */
    public $errCode = 0;

    /** @var int */
    public $sock = -1;

    /** @var bool */
    public $reuse = false;

    /** @var int */
    public $reuseCount = 0;

    /** @var int */
    public $type = 0;

    /** @var string|null */
    public $id = null;

    /** @var array|null */
    public $setting = null;

    /**
     * $type: SWOOLE_SOCK_TCP, _TCP6, _UDP, _UDP6, _UNIX_STREAM or _UNIX_DGRAM, with SWOOLE_SSL added for TLS and SWOOLE_KEEP to keep
     * the connection for the next client of the same $id.
     */
    public function __construct(int $type, bool $async = SWOOLE_SOCK_SYNC, string $id = '') {}

    public function __destruct() {}

    /** The settings of Swoole\Coroutine\Client::set(). */
    public function set(array $settings): bool {}

    /** $timeout: seconds for connecting, and for every call that comes later. */
    public function connect(string $host, int $port = 0, float $timeout = 0.5, int $sock_flag = 0): bool {}

    /**
     * A packet, or what has come; with MSG_WAITALL exactly $size bytes; with MSG_PEEK what stays there to be received, with MSG_DONTWAIT without waiting.
     * An empty string when the peer has ended.
     */
    public function recv(int $size = 65536, int $flag = 0): string|false {}

    public function send(string $data, int $flag = 0): int|false {}

    /** $length 0 = to the end of the file. */
    public function sendfile(string $filename, int $offset = 0, int $length = 0): bool {}

    /** A datagram; connect() is not needed. */
    public function sendto(string $ip, int $port, string $data): bool {}

    public function shutdown(int $how): bool {}

    public function enableSSL(?callable $onSslReady = NULL): bool {}

    /** In PEM. */
    public function getPeerCert(): string|bool {}

    /** Whether the certificate is trusted and matches the name, also when ssl_verify_peer is off. */
    public function verifyPeerCert(): bool {}

    public function isConnected(): bool {}

    public function getsockname(): array|false {}

    public function getpeername(): array|false {}

    /** $force: also when it was made with SWOOLE_KEEP. */
    public function close(bool $force = false): bool {}

    /** A Socket of ext/sockets over a second number of the descriptor. */
    public function getSocket(): \Socket|false {}
}

}

namespace Swoole\Client {

class Exception extends \Swoole\Exception
{
}

}

namespace Swoole\Async {

/**
 * A client that calls back: connect, receive, error, close, bufferFull and bufferEmpty, each in a coroutine; for datagrams receive is
 * enough. send() never waits: what the connection does not take at once is kept, up to socket_buffer_size (2 MiB); above that it gives
 * false with SWOOLE_ERROR_OUTPUT_BUFFER_OVERFLOW. bufferFull comes at buffer_high_watermark (four fifths of it), bufferEmpty after
 * that at buffer_low_watermark (0).
 */
class Client extends \Swoole\Client
{
    public function __construct(int $type) {}

    public function __destruct() {}

    /** Returns at once; connect or error comes later. */
    public function connect(string $host, int $port = 0, float $timeout = 0.5, int $sock_flag = 0): bool {}

    /** Nothing is received until wakeup(). */
    public function sleep(): bool {}

    public function wakeup(): bool {}

    /** @implementation-alias Swoole\Async\Client::sleep */
    public function pause(): bool {}

    /** @implementation-alias Swoole\Async\Client::wakeup */
    public function resume(): bool {}

    public function enableSSL(?callable $onSslReady = NULL): bool {}

    public function isConnected(): bool {}

    /** What send() has kept is sent first, unless $force. */
    public function close(bool $force = false): bool {}

    public function on(string $host, callable $callback): bool {}
}

}
