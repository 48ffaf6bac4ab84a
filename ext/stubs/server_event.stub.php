<?php

/** @generate-class-entries */

namespace Swoole\Server;

/** With the option event_object: what connect, receive and close get after the server. */
class Event
{
    /** @var int Below 0: the server closed the connection. */
    public $reactor_id = 0;
    /** @var int */
    public $fd = 0;
    /** @var float Seconds since 1970. */
    public $dispatch_time = 0;
    /** @var string|null What came (receive). */
    public $data = null;
}

/** With the option event_object: what packet gets after the server. */
class Packet
{
    /** @var int */
    public $server_socket = 0;
    /** @var int */
    public $server_port = 0;
    /** @var float Seconds since 1970. */
    public $dispatch_time = 0;
    /** @var string|null Of the peer; the path of a unix socket, empty when it has none. */
    public $address = null;
    /** @var int Of the peer. */
    public $port = 0;
    /** @var string|null */
    public $data = null;
}
