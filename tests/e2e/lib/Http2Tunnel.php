<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A WebSocket on a stream of an HTTP/2 connection (RFC 8441). */
final class Http2Tunnel
{
    public string $received = '';
    private int $frames = 0;
    private int $at = 0;

    /** @param list<array{string, string}> $more fields, which take the place of the usual ones */
    public function __construct(public readonly Http2Peer $peer, public readonly int $stream, string $path = '/', array $more = [], int $flags = Http2Peer::END_HEADERS)
    {
        $fields = array_column([[':method', 'CONNECT'], [':protocol', 'websocket'], [':scheme', 'http'], [':path', $path], [':authority', 'a'],
            ['sec-websocket-version', '13'], ...$more], 1, 0);
        $peer->send(Http2Peer::frame(Http2Peer::HEADERS, $flags, $stream, Http2Peer::block(array_map(null, array_keys($fields), array_values($fields)))));
    }

    public function status(): int
    {
        $this->peer->until(fn (Http2Peer $peer): bool => $peer->status($this->stream) !== 0 || $peer->over($this->stream));
        return $this->peer->status($this->stream);
    }

    public function send(string $data, int $opcode = 1): void
    {
        $this->raw(WebSocketPeer::frame($data, $opcode));
    }

    public function raw(string $bytes, int $flags = 0): void
    {
        $pieces = $bytes === '' ? [''] : str_split($bytes, 16384);
        foreach ($pieces as $i => $piece) {
            $this->peer->send(Http2Peer::frame(Http2Peer::DATA, $i === count($pieces) - 1 ? $flags : 0, $this->stream, $piece));
        }
    }

    /** Lets the server send this many bytes more. */
    public function allow(int $bytes): void
    {
        $this->peer->send(Http2Peer::frame(Http2Peer::WINDOW_UPDATE, 0, $this->stream, pack('N', $bytes)), Http2Peer::frame(Http2Peer::WINDOW_UPDATE, 0, 0, pack('N', $bytes)));
    }

    /** The next frame: opcode and data; null when there is none in time. @return array{int, string}|null */
    public function frameOf(float $seconds = 10.0): ?array
    {
        $frame = null;
        $this->peer->until(function () use (&$frame): bool {
            $frame ??= $this->next();
            return $frame !== null || $this->peer->over($this->stream) || $this->peer->ended();
        }, $seconds);
        return $frame ?? $this->next();
    }

    public function text(float $seconds = 10.0): ?string
    {
        return $this->frameOf($seconds)[1] ?? null;
    }

    /** The server has ended this stream. */
    public function ends(float $seconds = 10.0): bool
    {
        return $this->peer->until(fn (Http2Peer $peer): bool => $peer->over($this->stream) || $peer->ended(), $seconds);
    }

    /** How many bytes of the stream have come. */
    public function size(): int
    {
        $this->collect();
        return strlen($this->received);
    }

    private function collect(): void
    {
        $frames = $this->peer->frames();
        for (; $this->frames < count($frames); $this->frames++) {
            $frame = $frames[$this->frames];
            $this->received .= $frame['type'] === Http2Peer::DATA && $frame['stream'] === $this->stream ? $frame['payload'] : '';
        }
    }

    /** @return array{int, string}|null */
    private function next(): ?array
    {
        $this->collect();
        $frame = WebSocketPeer::whole(substr($this->received, $this->at));
        if ($frame === null) {
            return null;
        }
        $this->at += $frame[2];
        return [$frame[0] & 15, $frame[1]];
    }
}
