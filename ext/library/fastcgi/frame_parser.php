<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use DomainException;
use RuntimeException;
use Swoole\FastCGI;

/** Takes records off the front of what has come. */
class FrameParser
{
    /** @var array<int, class-string<Record>> */
    protected static array $classMapping = [
        FastCGI::BEGIN_REQUEST => Record\BeginRequest::class,
        FastCGI::ABORT_REQUEST => Record\AbortRequest::class,
        FastCGI::END_REQUEST => Record\EndRequest::class,
        FastCGI::PARAMS => Record\Params::class,
        FastCGI::STDIN => Record\Stdin::class,
        FastCGI::STDOUT => Record\Stdout::class,
        FastCGI::STDERR => Record\Stderr::class,
        FastCGI::DATA => Record\Data::class,
        FastCGI::GET_VALUES => Record\GetValues::class,
        FastCGI::GET_VALUES_RESULT => Record\GetValuesResult::class,
        FastCGI::UNKNOWN_TYPE => Record\UnknownType::class,
    ];

    /** Whether the bytes begin with a whole record. */
    public static function hasFrame(string $binaryBuffer): bool
    {
        return self::sizeOf($binaryBuffer) <= strlen($binaryBuffer);
    }

    /**
     * The first record; its bytes are taken off.
     *
     * @throws RuntimeException when there is no whole one
     * @throws DomainException when its type is none of the protocol
     */
    public static function parseFrame(string &$binaryBuffer): Record
    {
        $size = self::sizeOf($binaryBuffer);
        if ($size > strlen($binaryBuffer)) {
            throw new RuntimeException('There is no whole FastCGI record: receive more first.');
        }
        $class = self::$classMapping[ord($binaryBuffer[1])] ?? null;
        if ($class === null) {
            throw new DomainException('A FastCGI record has the unknown type ' . ord($binaryBuffer[1]) . '.');
        }
        $record = $class::unpack(substr($binaryBuffer, 0, $size));
        $binaryBuffer = substr($binaryBuffer, $size);
        return $record;
    }

    private static function sizeOf(string $bytes): int
    {
        if (strlen($bytes) < FastCGI::HEADER_LEN) {
            return PHP_INT_MAX;
        }
        return FastCGI::HEADER_LEN + (ord($bytes[4]) << 8 | ord($bytes[5])) + ord($bytes[6]);
    }
}
