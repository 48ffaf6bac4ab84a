<?php

declare(strict_types=1);

namespace Stampede\Profile;

/** The fields of a message in the wire format of protocol buffers: as much of it as a profile needs. */
final class ProtobufWriter
{
    private const VARINT = 0;
    private const BYTES = 2;

    private string $bytes = '';

    public function number(int $field, int $value): self
    {
        if ($value !== 0) { // which is what a field that is not there says
            $this->bytes .= self::varint($field << 3 | self::VARINT) . self::varint($value);
        }
        return $this;
    }

    public function bytes(int $field, string $value): self
    {
        $this->bytes .= self::varint($field << 3 | self::BYTES) . self::varint(strlen($value)) . $value;
        return $this;
    }

    public function message(int $field, self $message): self
    {
        return $this->bytes($field, $message->bytes);
    }

    /** @param list<int> $values */
    public function numbers(int $field, array $values): self
    {
        return $this->bytes($field, implode('', array_map(self::varint(...), $values)));
    }

    public function written(): string
    {
        return $this->bytes;
    }

    /** Seven bits a byte, the lowest first; negative numbers do not occur. */
    private static function varint(int $value): string
    {
        $bytes = '';
        for (; $value > 0x7f; $value >>= 7) {
            $bytes .= chr($value & 0x7f | 0x80);
        }
        return $bytes . chr($value);
    }
}
