<?php

/** @generate-class-entries */

namespace Swoole\WebSocket;

/** A message, or a control frame, of a WebSocket connection. */
class Frame implements \Stringable
{
    /** @var int Number of the connection, in servers. */
    public $fd = 0;
    /** @var string */
    public $data = '';
    /** @var int SWOOLE_WEBSOCKET_OPCODE_* */
    public $opcode = 1;
    /** @var int SWOOLE_WEBSOCKET_FLAG_* */
    public $flags = 1;
    /** @var bool|null Whether the message ends with this frame. */
    public $finish = null;

    /** The frame as bytes, as pack() gives it. */
    public function __toString(): string {}

    /**
     * The bytes of a frame: unmasked unless $flags has SWOOLE_WEBSOCKET_FLAG_MASK. Opcode and flags of a Frame count
     * before the arguments.
     * @param \Swoole\WebSocket\Frame|string $data
     */
    public static function pack($data, int $opcode = SWOOLE_WEBSOCKET_OPCODE_TEXT, int $flags = SWOOLE_WEBSOCKET_FLAG_FIN): string {}

    /** The first frame of the bytes; false, with a warning, when they do not hold a whole one. */
    public static function unpack(string $data): Frame|false {}
}

/** The frame that closes a WebSocket connection. */
class CloseFrame extends Frame
{
    /** @var int */
    public $opcode = 8;
    /** @var int SWOOLE_WEBSOCKET_CLOSE_* */
    public $code = 1000;
    /** @var string At most 123 bytes of UTF-8. */
    public $reason = '';
}
