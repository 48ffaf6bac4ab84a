<?php

declare(strict_types=1);

namespace Paddock;

/** Names that nobody can guess. */
final class Identifier
{
    /** @return string 20 characters, 120 random bits */
    public static function fresh(): string
    {
        return self::text(15);
    }

    /** For secrets: 256 bits. */
    public static function secret(): string
    {
        return self::text(32);
    }

    private static function text(int $bytes): string
    {
        return strtr(rtrim(base64_encode(random_bytes(max(1, $bytes))), '='), '+/', '-_');
    }
}
