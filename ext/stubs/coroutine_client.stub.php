<?php

/** @generate-class-entries */

namespace Swoole\Coroutine;

/**
 * A TCP, UDP or unix client whose calls suspend the coroutine, with packets, TLS and proxies. Timeouts are seconds: 0 takes the
 * setting (without one 10 for connecting, 60 for reading and writing), -1 waits without limit. After false, errCode and errMsg say why: an errno value or a SWOOLE_ERROR_* number.
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
    public $errCode = 0;

    /** @var string */
    public $errMsg = "";

    /**
     * -1 when it is not connected.
     * @var int
     */
    public $fd = -1;

    /**
     * What exportSocket() returns.
     * @var Socket|null
     */
    public $socket = null;

    /** @var int */
    public $type = 1;

    /** @var array|null */
    public $setting = null;

    /** @var bool */
    public $connected = false;

    /** $type: SWOOLE_SOCK_TCP, _TCP6, _UDP, _UDP6, _UNIX_STREAM or _UNIX_DGRAM, with SWOOLE_SSL added for TLS. */
    public function __construct(int $type) {}

    public function __destruct() {}

    /**
     * Packets: open_eof_check with package_eof; open_length_check with package_length_type, _offset, package_body_offset or
     * package_length_func; package_max_length. TLS: ssl_*. Proxies: socks5_*, http_proxy_*. Also bind_address, bind_port,
     * open_tcp_nodelay, socket_buffer_size, timeout, connect_timeout, read_timeout, write_timeout.
     */
    public function set(array $settings): bool {}

    /** Names are resolved. With SWOOLE_SSL the handshake is part of it. $timeout is the limit of all further calls as well. */
    public function connect(string $host, int $port = 0, float $timeout = 0, int $sock_flag = 0): bool {}

    /** A packet, or what has come; an empty string when the peer has ended. */
    public function recv(float $timeout = 0): string|false {}

    /** What is there, without taking it and without waiting. */
    public function peek(int $length = 65535): string|false {}

    /** Sends all of it. Less only when the time is over or the connection broke; errCode says so. */
    public function send(string $data, float $timeout = 0): int|false {}

    /** $length 0 = to the end of the file. */
    public function sendfile(string $filename, int $offset = 0, int $length = 0): bool {}

    /** A datagram; connect() is not needed. */
    public function sendto(string $address, int $port, string $data): bool {}

    /**
     * A datagram and where it came from.
     * @param string $address
     * @param int $port
     */
    public function recvfrom(int $length, mixed &$address, mixed &$port = 0): string|false {}

    /** TLS on a connection that was made without. */
    public function enableSSL(): bool {}

    /** In PEM. */
    public function getPeerCert(): string|false {}

    /** Whether the certificate is trusted and matches the name, also when ssl_verify_peer is off. */
    public function verifyPeerCert(bool $allow_self_signed = false): bool {}

    public function isConnected(): bool {}

    public function getsockname(): array|false {}

    public function getpeername(): array|false {}

    /** Coroutines that wait go on with ECANCELED. */
    public function close(): bool {}

    public function exportSocket(): Socket|false {}
}
