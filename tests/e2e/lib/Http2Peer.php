<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/**
 * A client's end of HTTP/2 that says what it is told to, right or wrong. Heads are literals without compression; of the answers'
 * heads only the status is read, for which the peer refuses a dynamic table.
 */
final class Http2Peer
{
    public const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    public const DATA = 0;
    public const HEADERS = 1;
    public const PRIORITY = 2;
    public const RST_STREAM = 3;
    public const SETTINGS = 4;
    public const PUSH_PROMISE = 5;
    public const PING = 6;
    public const GOAWAY = 7;
    public const WINDOW_UPDATE = 8;
    public const CONTINUATION = 9;
    public const PRIORITY_UPDATE = 16;

    public const END_STREAM = 1;
    public const ACK = 1;
    public const END_HEADERS = 4;
    public const PADDED = 8;

    public const ERRORS = ['NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED',
        'FRAME_SIZE_ERROR', 'REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM', 'INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED'];

    private readonly Peer $peer;

    /** @param array<int, int>|null $settings null: not even the preface is sent */
    public function __construct(string $address, ?array $settings = [])
    {
        $this->peer = new Peer($address);
        if ($settings !== null) {
            $this->send(self::PREFACE . self::settings([1 => 0] + $settings) . self::frame(self::SETTINGS, self::ACK, 0));
        }
    }

    public static function frame(int $type, int $flags, int $stream, string $payload = '', ?int $length = null): string
    {
        return substr(pack('N', $length ?? strlen($payload)), 1) . chr($type) . chr($flags) . pack('N', $stream) . $payload;
    }

    /** @param array<int, int> $values */
    public static function settings(array $values): string
    {
        $payload = '';
        foreach ($values as $id => $value) {
            $payload .= pack('nN', $id, $value);
        }
        return self::frame(self::SETTINGS, 0, 0, $payload);
    }

    public static function integer(int $value, int $bits, int $first): string
    {
        $most = (1 << $bits) - 1;
        if ($value < $most) {
            return chr($first | $value);
        }
        $bytes = chr($first | $most);
        for ($value -= $most; $value >= 128; $value >>= 7) {
            $bytes .= chr(128 | ($value & 127));
        }
        return $bytes . chr($value);
    }

    public static function field(string $name, string $value): string
    {
        return "\0" . self::integer(strlen($name), 7, 0) . $name . self::integer(strlen($value), 7, 0) . $value;
    }

    /** @param list<array{string, string}> $fields */
    public static function block(array $fields): string
    {
        return implode('', array_map(static fn (array $field): string => self::field(...$field), $fields));
    }

    /** @return list<array{string, string}> */
    public static function request(string $path = '/', string $method = 'GET'): array
    {
        return [[':method', $method], [':scheme', 'http'], [':path', $path], [':authority', 'a']];
    }

    /** @param list<array{string, string}> $more */
    public static function get(int $stream, string $path = '/', array $more = []): string
    {
        return self::frame(self::HEADERS, self::END_HEADERS | self::END_STREAM, $stream, self::block([...self::request($path), ...$more]));
    }

    /** A request whose body follows. @param list<array{string, string}> $more */
    public static function post(int $stream, string $path = '/', array $more = []): string
    {
        return self::frame(self::HEADERS, self::END_HEADERS, $stream, self::block([...self::request($path, 'POST'), ...$more]));
    }

    /** Stops quietly when the server has ended the connection. */
    public function send(string ...$pieces): bool
    {
        return $this->peer->send($pieces);
    }

    /** Whole frames that have come. @return list<array{type: int, flags: int, stream: int, payload: string}> */
    public function frames(): array
    {
        $bytes = $this->peer->received();
        $frames = [];
        for ($at = 0; $at + 9 <= strlen($bytes); $at += 9 + $length) {
            $length = (int) hexdec(bin2hex(substr($bytes, $at, 3)));
            if ($at + 9 + $length > strlen($bytes)) {
                break;
            }
            $frames[] = ['type' => ord($bytes[$at + 3]), 'flags' => ord($bytes[$at + 4]), 'stream' => self::number(substr($bytes, $at + 5, 4)) & 0x7fffffff,
                'payload' => substr($bytes, $at + 9, $length)];
        }
        return $frames;
    }

    /** Reads until the condition holds; false when it never does. */
    public function until(callable $condition, float $seconds = 10.0): bool
    {
        $this->peer->readUntil(fn (): bool => $condition($this), $seconds);
        return $condition($this);
    }

    public function ended(): bool
    {
        return $this->peer->ended();
    }

    /** Name of the error in the last GOAWAY, null: there was none. */
    public function goaway(): ?string
    {
        $found = null;
        foreach ($this->frames() as $frame) {
            $found = $frame['type'] === self::GOAWAY ? self::ERRORS[self::number(substr($frame['payload'], 4, 4))] : $found;
        }
        return $found;
    }

    /** Name of the error in the RST_STREAM of a stream. */
    public function reset(int $stream): ?string
    {
        foreach ($this->frames() as $frame) {
            if ($frame['type'] === self::RST_STREAM && $frame['stream'] === $stream) {
                return self::ERRORS[self::number($frame['payload'])];
            }
        }
        return null;
    }

    /** The last status that a stream has got; 0: none. */
    public function status(int $stream): int
    {
        $status = 0;
        foreach ($this->frames() as $frame) {
            if ($frame['type'] === self::HEADERS && $frame['stream'] === $stream) {
                $status = self::statusOf($frame['payload']) ?: $status;
            }
        }
        return $status;
    }

    public function body(int $stream): string
    {
        $body = '';
        foreach ($this->frames() as $frame) {
            $body .= $frame['type'] === self::DATA && $frame['stream'] === $stream ? $frame['payload'] : '';
        }
        return $body;
    }

    /** The server has ended this stream. */
    public function over(int $stream): bool
    {
        foreach ($this->frames() as $frame) {
            $last = $frame['type'] === self::RST_STREAM || (in_array($frame['type'], [self::DATA, self::HEADERS], true) && ($frame['flags'] & self::END_STREAM) !== 0);
            if ($frame['stream'] === $stream && $last) {
                return true;
            }
        }
        return false;
    }

    /** What became of a stream, or of the connection: "goaway PROTOCOL_ERROR", "reset CANCEL", "status 400", "closed", "nothing". */
    public function outcome(int $stream, float $seconds = 10.0): string
    {
        $this->until(static fn (self $peer): bool => $peer->goaway() !== null || $peer->over($stream), $seconds);
        return match (true) {
            $this->goaway() !== null => 'goaway ' . $this->goaway(),
            $this->reset($stream) !== null && $this->status($stream) === 0 => 'reset ' . $this->reset($stream),
            $this->status($stream) !== 0 => 'status ' . $this->status($stream),
            $this->ended() => 'closed',
            default => 'nothing',
        };
    }

    public function received(): string
    {
        return $this->peer->received();
    }

    public function close(): void
    {
        $this->peer->close();
    }

    private static function number(string $bytes): int
    {
        return (int) hexdec(bin2hex($bytes));
    }

    private static function statusOf(string $block): int
    {
        while ($block !== '' && (ord($block[0]) & 0xe0) === 0x20) {
            $block = substr($block, 1);  // a change of the table's size, below 31
        }
        $first = ord($block[0] ?? "\0");
        if ($first >= 0x88 && $first <= 0x8e) {
            return [200, 204, 206, 304, 400, 404, 500][$first - 0x88];
        }
        if (!in_array($first & 0x0f, [8, 9, 10, 11, 12, 13, 14], true) || $first >= 0x50) {
            return 0;
        }
        $length = ord($block[1]);
        $text = substr($block, 2, $length & 127);
        return (int) (($length & 128) !== 0 ? self::digits($text) : $text);
    }

    /** Digits in the Huffman code of RFC 7541: three of five bits, seven of six. */
    private static function digits(string $bytes): string
    {
        $bits = implode('', array_map(static fn (string $byte): string => sprintf('%08b', ord($byte)), str_split($bytes)));
        $digits = '';
        while (strlen($bits) >= 5) {
            $five = bindec(substr($bits, 0, 5));
            $length = $five <= 2 ? 5 : 6;
            $digit = $length === 5 ? $five : bindec(substr($bits, 0, 6)) - 0x19 + 3;
            if (strlen($bits) < $length || $digit > 9) {
                break;
            }
            $digits .= $digit;
            $bits = substr($bits, $length);
        }
        return $digits;
    }
}
