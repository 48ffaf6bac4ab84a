<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** Names and values for the application. */
class Params extends Record
{
    /** @var array<string, string> */
    protected array $values = [];

    /** @param array<string, mixed> $values */
    public function __construct(array $values)
    {
        $this->type = FastCGI::PARAMS;
        foreach ($values as $name => $value) {
            $this->values[(string) $name] = self::text($value);
        }
        $this->setContentData($this->packPayload());
    }

    /** @return array<string, string> */
    public function getValues(): array
    {
        return $this->values;
    }

    protected static function unpackPayload(Record $self, string $binaryData): void
    {
        assert($self instanceof self);
        $at = 0;
        while ($at < strlen($binaryData)) {
            $nameLength = self::readLength($binaryData, $at);
            $valueLength = self::readLength($binaryData, $at);
            if ($nameLength + $valueLength > strlen($binaryData) - $at) {
                return;  // goes on in the next record
            }
            $self->values[substr($binaryData, $at, $nameLength)] = substr($binaryData, $at + $nameLength, $valueLength);
            $at += $nameLength + $valueLength;
        }
    }

    protected function packPayload(): string
    {
        $content = '';
        foreach ($this->values as $name => $value) {
            $content .= self::length((string) $name) . self::length($value) . $name . $value;
        }
        return $content;
    }

    private static function text(mixed $value): string
    {
        return is_scalar($value) || $value instanceof \Stringable ? (string) $value : '';
    }

    private static function length(string $text): string
    {
        $length = strlen($text);
        return $length > 127 ? pack('N', $length | 0x80000000) : chr($length);
    }

    private static function readLength(string $bytes, int &$at): int
    {
        $first = ord($bytes[$at] ?? "\0");
        if ($first < 128) {
            $at++;
            return $first;
        }
        $fields = unpack('Nlength', str_pad(substr($bytes, $at, 4), 4, "\0"));
        $at += 4;
        return $fields === false ? 0 : $fields['length'] & 0x7fffffff;
    }
}
