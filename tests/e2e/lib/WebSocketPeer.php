<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A client that speaks WebSocket in plain PHP, rightly or wrongly as it is told. */
final class WebSocketPeer
{
    public const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
    public const ACCEPT = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';

    public readonly Peer $peer;
    public readonly string $head;
    private int $at = 0;

    public function __construct(Server|string $server, string $target = '/', string $fields = '', string $behind = '', string $host = 'a')
    {
        $this->peer = new Peer(is_string($server) ? $server : $server->address());
        $this->peer->send(["GET $target HTTP/1.1\r\nHost: $host\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            . 'Sec-WebSocket-Key: ' . self::KEY . "\r\n$fields\r\n$behind"]);
        $this->peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, "\r\n\r\n"));
        $bytes = $this->peer->received();
        $this->at = (int) strpos($bytes, "\r\n\r\n") + 4;
        $this->head = substr($bytes, 0, $this->at);
    }

    public static function frame(string $data, int $opcode = 1, int $first = 0x80, string $mask = 'abcd'): string
    {
        $length = strlen($data);
        $head = chr($first | $opcode) . match (true) {
            $length < 126 => chr($length | ($mask === '' ? 0 : 0x80)),
            $length < 65536 => chr(126 | ($mask === '' ? 0 : 0x80)) . pack('n', $length),
            default => chr(127 | ($mask === '' ? 0 : 0x80)) . pack('J', $length),
        };
        return $head . $mask . ($mask === '' ? $data : $data ^ str_pad('', $length, $mask));
    }

    public function send(string $data, int $opcode = 1): void
    {
        $this->peer->send([self::frame($data, $opcode)]);
    }

    /**
     * The next frame: opcode, data and the first byte's flags; null when the peer ended or the time is over.
     *
     * @return array{int, string, int}|null
     */
    public function frameOf(float $seconds = 10.0): ?array
    {
        $this->peer->readUntil(fn (string $bytes): bool => self::whole($bytes, $this->at) !== null, $seconds);
        $frame = self::whole($this->peer->received(), $this->at);
        if ($frame === null) {
            return null;
        }
        [$first, $data, $size] = $frame;
        $this->at += $size;
        return [$first & 15, $data, $first & 0xf0];
    }

    public function text(float $seconds = 10.0): ?string
    {
        return $this->frameOf($seconds)[1] ?? null;
    }

    /** @return array{int, string, int}|null first byte, data and size of the frame that is whole */
    public static function whole(string $bytes, int $at = 0): ?array
    {
        $left = strlen($bytes) - $at;
        if ($left < 2) {
            return null;
        }
        $length = ord($bytes[$at + 1]) & 127;
        $head = 2;
        if ($length === 126 || $length === 127) {
            $head = $length === 126 ? 4 : 10;
            if ($left < $head) {
                return null;
            }
            $length = (int) hexdec(bin2hex(substr($bytes, $at + 2, $head - 2)));
        }
        return $left < $head + $length ? null : [ord($bytes[$at]), substr($bytes, $at + $head, $length), $head + $length];
    }
}
