<?php

/** @generate-class-entries */

namespace Swoole\Coroutine {

/**
 * A socket whose calls suspend the coroutine. One coroutine may read while another writes; a second reader or writer gets a
 * Swoole\Error. Timeouts are seconds: 0 takes the socket's own (10 for connecting, 60 for
 * reading, accepting and writing, unless Coroutine::set() or an option says otherwise), -1 waits without limit. After false, errCode and errMsg say why: an
 * errno value (ETIMEDOUT, ECANCELED ...) or a SWOOLE_ERROR_* number.
 */
class Socket
{
    /**
     * -1 when it is closed.
     * @var int
     */
    public $fd = -1;

    /** @var int */
    public $domain = 0;

    /** @var int */
    public $type = 0;

    /** @var int */
    public $protocol = 0;

    /** @var int */
    public $errCode = 0;

    /** @var string */
    public $errMsg = "";

    /** @var bool */
    public $__ext_sockets_nonblock = false;

    /** @var int */
    public $__ext_sockets_timeout = 0;

    /**
     * $domain: AF_INET, AF_INET6 or AF_UNIX; $type: SOCK_STREAM, SOCK_DGRAM or SOCK_RAW.
     * Throws a Socket\Exception when the system refuses it.
     */
    public function __construct(int $domain, int $type, int $protocol = IPPROTO_IP) {}

    /** $address: a number, a name or the path of a unix socket. Port 0 takes a free one. */
    public function bind(string $address, int $port = 0): bool {}

    public function listen(int $backlog = 512): bool {}

    /** The next connection; with open_ssl its sslHandshake() comes next. */
    public function accept(float $timeout = 0): Socket|false {}

    /** Names are resolved. With open_ssl the handshake is part of it, and the name is verified when ssl_verify_peer is on. */
    public function connect(string $host, int $port = 0, float $timeout = 0): bool {}

    /** False when the peer has ended or the connection broke. Never waits. */
    public function checkLiveness(): bool {}

    /** The coroutine that waits for SWOOLE_EVENT_READ or SWOOLE_EVENT_WRITE, 0 = none. */
    public function getBoundCid(int $event): int {}

    /** What is there, without taking it and without waiting; false with errCode EAGAIN when nothing is. */
    public function peek(int $length = 65536): string|false {}

    /** What has come, at most $length bytes; an empty string when the peer has ended. */
    public function recv(int $length = 65536, float $timeout = 0): string|false {}

    /** Waits for $length bytes; fewer when the peer ends or the time is over (errCode says so). */
    public function recvAll(int $length = 65536, float $timeout = 0): string|false {}

    /** Up to a line's end ("\n" or "\r"), which is included, at most $length bytes. */
    public function recvLine(int $length = 65536, float $timeout = 0): string|false {}

    /** As recv(), reading ahead into a buffer. */
    public function recvWithBuffer(int $length = 65536, float $timeout = 0): string|false {}

    /** A whole packet as setProtocol() defines it. An end inside a packet is errCode ECONNRESET. */
    public function recvPacket(float $timeout = 0): string|false {}

    /** What fits at once; sendAll() sends all. */
    public function send(string $data, float $timeout = 0): int|false {}

    /** Receives into parts of the given sizes; those that stay empty are left out. */
    public function readVector(array $io_vector, float $timeout = 0): array|false {}

    /** The same until all are full or the peer ends. */
    public function readVectorAll(array $io_vector, float $timeout = 0): array|false {}

    public function writeVector(array $io_vector, float $timeout = 0): int|false {}

    public function writeVectorAll(array $io_vector, float $timeout = 0): int|false {}

    /** $length 0 = to the end of the file. */
    public function sendFile(string $file, int $offset = 0, int $length = 0): bool {}

    /** Less than all of it only when the time is over or the connection broke; errCode says so. */
    public function sendAll(string $data, float $timeout = 0): int|false {}

    /**
     * A datagram; $peername becomes an array with address and port.
     * @param array $peername
     */
    public function recvfrom(mixed &$peername, float $timeout = 0): string|false {}

    public function sendto(string $addr, int $port, string $data): int|false {}

    public function getOption(int $level, int $opt_name): mixed {}

    /**
     * Packets: open_eof_check with package_eof; open_length_check with package_length_type, _offset, package_body_offset or
     * package_length_func; package_max_length. TLS: open_ssl and ssl_*. Proxies: socks5_*, http_proxy_*. Time limits: timeout,
     * connect_timeout, read_timeout, write_timeout.
     */
    public function setProtocol(array $settings): bool {}

    /**
     * SO_RCVTIMEO and SO_SNDTIMEO set the socket's own timeouts: an array or object with sec and usec, or a number of seconds; 0 is no limit. SO_LINGER takes
     * an array or object with l_onoff and l_linger.
     */
    public function setOption(int $level, int $opt_name, mixed $opt_value): bool {}

    /** TLS on a connection that is there: as server when it was accepted, else as client. */
    public function sslHandshake(): bool {}

    /** 0: no more receiving, 1: no more sending, 2: both. */
    public function shutdown(int $how = 2): bool {}

    /** The wait of another coroutine for SWOOLE_EVENT_READ or SWOOLE_EVENT_WRITE fails with ECANCELED. */
    public function cancel(int $event = SWOOLE_EVENT_READ): bool {}

    /** Coroutines that wait go on with ECANCELED. */
    public function close(): bool {}

    public function getpeername(): array|false {}

    public function getsockname(): array|false {}

    public function isClosed(): bool {}

    /**
     * A Coroutine\Socket over a second number of a stream's or socket's descriptor, which becomes non-blocking.
     * @param resource|object|int $stream
     */
    public static function import($stream): Socket|false {}
}

}

namespace Swoole\Coroutine\Socket {

class Exception extends \Swoole\Exception
{
}

}
