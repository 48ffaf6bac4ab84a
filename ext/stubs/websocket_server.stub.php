<?php

/** @generate-class-entries */

namespace Swoole\WebSocket
{
    /**
     * A server for WebSocket and HTTP. The event `message` gets each message as a Frame, `open` the request after a handshake,
     * `handshake` responds to it itself; `request` serves plain HTTP (without it: 400). Messages of one connection start in their
     * order, each in a coroutine. `beforeHandshakeResponse` gets the server, the Request and the Response before the server responds:
     * header() and cookie() add to the response, end() gives another one and refuses the handshake.
     */
    class Server extends \Swoole\Http\Server
    {
        /**
         * Sends a frame to a connection of any worker. False when there is none: see getLastError(). When as much as
         * socket_buffer_size waits for its peer, a coroutine waits for its turn (send_yield, at most send_timeout); other code
         * gets false and a warning. The same string for many connections is encoded and handed to each other worker once.
         */
        public function push(int $fd, Frame|string $data, int $opcode = WEBSOCKET_OPCODE_TEXT, int $flags = SWOOLE_WEBSOCKET_FLAG_FIN): bool {}

        /** A close frame with the code and reason; the connection ends with the peer's, or after 5 seconds. */
        public function disconnect(int $fd, int $code = SWOOLE_WEBSOCKET_CLOSE_NORMAL, string $reason = ''): bool {}

        public function ping(int $fd, string $data = ''): bool {}

        /** Whether the handshake of this connection is done. */
        public function isEstablished(int $fd): bool {}

        /** @implementation-alias Swoole\WebSocket\Frame::pack */
        public static function pack(Frame|string $data, int $opcode = WEBSOCKET_OPCODE_TEXT, int $flags = SWOOLE_WEBSOCKET_FLAG_FIN): string {}

        /** @implementation-alias Swoole\WebSocket\Frame::unpack */
        public static function unpack(string $data): Frame {}
    }
}

namespace
{
    /** The old name; its default mode is SWOOLE_PROCESS with a worker for each core. */
    class swoole_websocket_server extends Swoole\WebSocket\Server
    {
        /** @implementation-alias swoole_server::__construct */
        public function __construct(string $host = '0.0.0.0', int $port = 0, int $mode = SWOOLE_PROCESS, int $sock_type = SWOOLE_SOCK_TCP) {}
    }
}
