<?php

/** @generate-class-entries */

/** The old name; its default mode is SWOOLE_PROCESS with a worker for each core. */
class swoole_server extends Swoole\Server
{
    public function __construct(string $host = '0.0.0.0', int $port = 0, int $mode = SWOOLE_PROCESS, int $sock_type = SWOOLE_SOCK_TCP) {}
}

/** The old name; its default mode is SWOOLE_PROCESS with a worker for each core. */
class swoole_http_server extends Swoole\Http\Server
{
    /** @implementation-alias swoole_server::__construct */
    public function __construct(string $host = '0.0.0.0', int $port = 0, int $mode = SWOOLE_PROCESS, int $sock_type = SWOOLE_SOCK_TCP) {}
}
