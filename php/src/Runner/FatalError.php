<?php

declare(strict_types=1);

namespace Stampede\Runner;

/** An error that has ended PHP code without an exception, as shutdown functions find it. */
final class FatalError
{
    private const TYPES = E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_RECOVERABLE_ERROR;

    /** @return array{type: int, message: string, file: string, line: int}|null null: the code has ended in another way */
    public static function last(): ?array
    {
        $error = error_get_last();
        return $error !== null && ($error['type'] & self::TYPES) !== 0 ? $error : null;
    }
}
