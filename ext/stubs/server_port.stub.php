<?php

/** @generate-class-entries */

namespace Swoole\Server;

/** A port of a server. Events and settings of its own go before the server's. */
class Port
{
    /** @var string|null */
    public $host = null;
    /** @var int */
    public $port = 0;
    /** @var int */
    public $type = 0;
    /** @var int */
    public $sock = -1;
    /** @var bool */
    public $ssl = false;
    /** @var array|null */
    public $setting = null;
    /** @var \Swoole\Connection\Iterator|null */
    public $connections = null;

    private function __construct() {}

    public function __destruct() {}

    /**
     * What a port speaks (open_http_protocol, open_length_check and the like) is the server's setting only where set() was
     * not called, not even with an empty array; the server's other settings count unless they are named here.
     */
    public function set(array $settings): void {}

    public function on(string $event_name, callable $callback): bool {}

    public function getCallback(string $event_name): ?\Closure {}

    /** The port's socket as an object of PHP's extension sockets. False, with a warning, without that. */
    public function getSocket(): \Socket|false {}
}

namespace Swoole\Connection;

/** The numbers of a worker's connections: iterated, counted, and looked up by `isset`. */
class Iterator implements \Iterator, \ArrayAccess, \Countable
{
    public function __construct() {}

    public function __destruct() {}

    public function rewind(): void {}

    public function next(): void {}

    public function current(): mixed {}

    public function key(): mixed {}

    public function valid(): bool {}

    public function count(): int {}

    public function offsetExists(mixed $fd): bool {}

    public function offsetGet(mixed $fd): mixed {}

    public function offsetSet(mixed $fd, mixed $value): void {}

    public function offsetUnset(mixed $fd): void {}
}
